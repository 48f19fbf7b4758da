"""A budget instead of a penalty

The form of the SVEN paper: the sum of the absolute coefficients may be at most t. `budget_path` follows the coefficients as the budget grows. Where it no longer binds,
the lines end in the solution of ridge regression.
"""
import matplotlib.pyplot as plt
import numpy as np
from sklearn.datasets import load_diabetes
from sklearn.preprocessing import StandardScaler

import svenet

data = load_diabetes(as_frame=True)
X, y = StandardScaler().fit_transform(data.data), data.target

path = svenet.budget_path(X, y, ts=np.linspace(1, 200, 60), lambda2=1.0, fit_intercept=True)
figure, ax = plt.subplots(figsize=(7, 4), layout="constrained")
svenet.plot_path(path, label=5, names=list(data.data.columns), ax=ax)
