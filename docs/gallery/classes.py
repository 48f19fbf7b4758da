"""Classes, certified

Wisconsin's breast cancer data: 30 measurements of 569 tumours. `cross_validate` judges whole paths by the area under the ROC curve; on the right
are the probabilities by the folds that did not see the row, for each class.
"""
import matplotlib.pyplot as plt
import numpy as np
from sklearn.datasets import load_breast_cancer

import svenet

data = load_breast_cancer(as_frame=True)
X, y = data.data, data.target.to_numpy()

result = svenet.cross_validate(X, y, family="binomial", measure="auc", standardize=True, keep=True)
figure, (left, right) = plt.subplots(1, 2, figsize=(9, 4), layout="constrained")
svenet.plot_cv(result, ax=left)
probability = result.out_of_fold("1se")
bins = np.linspace(0, 1, 26)
right.hist([probability[y == 0], probability[y == 1]], bins, stacked=True, label=list(data.target_names))
right.set(xlabel="out-of-fold probability", ylabel="rows")
right.legend()
print(np.count_nonzero(result.coef("1se")), "of", X.shape[1], "features")
