"""The prostate data of the paper, step by step; each block is a cell of a notebook.

    python examples/prostate.py [folder for the plots]
"""

# %% The data: eight measurements of 97 men, and a marker of prostate cancer to be explained.
import csv
import sys
from pathlib import Path

import matplotlib

matplotlib.use("Agg")
import numpy as np
from sklearn.model_selection import KFold

import svenet

folder = Path(sys.argv[1] if len(sys.argv) > 1 else ".")
with open(Path(__file__).parents[1] / "data/prostate.csv", newline="") as file:
    header, *rows = csv.reader(file)
table = np.array(rows, dtype=float)
names = header[:-1]
X, y = table[:, :-1], table[:, -1]
print(f"{X.shape[0]} rows, {X.shape[1]} features, target {header[-1]}")

# %% One fit, in scikit-learn's words. The gap says how far from the optimum it can be; nothing but rounding.
model = svenet.ElasticNet(alpha=0.1, standardize=True).fit(X, y)
for name, value in zip(names, model.coef_):
    print(f"{name:10s} {value:10.6f}")
print(f"relative gap {model.relative_gap_:.1e}, {model.support_certificate_}")

# %% The same fit in the words of the paper: a budget on the L1 norm instead of the penalty.
budget = svenet.BudgetElasticNet(t=model.t_, lambda2=model.lambda2_, standardize=True).fit(X, y)
print(f"t = {model.t_:.6f}: largest difference {np.abs(budget.coef_ - model.coef_).max():.1e}")

# %% And in those of glmnet: its lambda and alpha mean something else, and are translated.
spread = y.std()
l1, l2 = 0.1 * 0.5, 0.1 * 0.5
fit = svenet.glmnet(X, y, lambda_=l1 + l2 * spread, alpha=l1 / (l1 + l2 * spread))
print(f"glmnet's scaling: largest difference {np.abs(fit.beta.toarray()[:, 0] - model.coef_).max():.1e}")

# %% Which penalty? Ten-fold cross-validation over three mixtures. The rows are sorted by the target: folds of neighbours, as
# cv=10 makes them, would each be predicted from rows that are all above or all below.
folds = KFold(10, shuffle=True, random_state=1)
chosen = svenet.ElasticNetCV(l1_ratio=[0.2, 0.6, 1.0], cv=folds, standardize=True).fit(X, y)
print(f"alpha {chosen.alpha_:.4f} at l1_ratio {chosen.l1_ratio_}, within one standard error {chosen.alpha_1se_:.4f}")
simpler = chosen.cross_validation_.coef("1se")
print("selected:", ", ".join(names[j] for j in np.flatnonzero(simpler)))

# %% Some features may be kept out of the penalty, here the age.
factors = np.ones(len(names))
factors[names.index("age")] = 0
kept = svenet.Lasso(0.2, standardize=True, penalty_factor=factors).fit(X, y)
print(f"age, unpenalised: {kept.coef_[names.index('age')]:.6f}")

# %% Two plots.
ax = svenet.plot_path(chosen, label=8, names=names)
ax.figure.savefig(folder / "prostate_path.png", bbox_inches="tight")
ax = svenet.plot_cv(chosen)
ax.figure.savefig(folder / "prostate_cv.png", bbox_inches="tight")
