"""Paths of the Lasso and the elastic net

The diabetes data of Efron, Hastie, Johnstone and Tibshirani (2004): ten measurements of 442 patients, and how the disease
went on within a year. Each line is a feature, from strong penalties on the left to weak ones on the right. The Lasso takes one of a group
of correlated serum measurements (s1, s2) and lets it grow; the elastic net shares it among them.
"""
import matplotlib.pyplot as plt
from sklearn.datasets import load_diabetes
from sklearn.preprocessing import StandardScaler

import svenet

data = load_diabetes(as_frame=True)
X, y = StandardScaler().fit_transform(data.data), data.target - data.target.mean()

figure, axes = plt.subplots(1, 2, figsize=(9, 4), sharey=True, layout="constrained")
for ax, l1_ratio, title in zip(axes, (1.0, 0.5), ("Lasso", "elastic net, l1_ratio 0.5")):
    path = svenet.enet_path(X, y, l1_ratio=l1_ratio, eps=1e-3)
    svenet.plot_path(path, label=6, names=list(data.data.columns), ax=ax)
    ax.set_title(title)
