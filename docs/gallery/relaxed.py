"""Selection without shrinking

A penalty that selects also shrinks. `relax=True` refits the selected features without penalties and blends the two by gamma: 0 is the refit, 1 the penalised fit. With
few strong features among many, the refit needs far fewer of them for the same error.
"""
import matplotlib.pyplot as plt
import numpy as np

import svenet

rng = np.random.default_rng(3)
X = rng.standard_normal((150, 300))
y = X[:, :5] @ np.array([3, -2, 2, -1.5, 1.5]) + rng.standard_normal(150)

result = svenet.cross_validate(X, y, relax=True, gamma=[0.0, 0.5, 1.0], cv=10)
figure, ax = plt.subplots(figsize=(7, 4), layout="constrained")
for curve in result.best_curve.relaxed:
    ax.plot(-np.log(curve.alphas), curve.mean, label=f"gamma {curve.gamma:g}")
ax.set(xlabel="-log(alpha)", ylabel="mean squared error of the folds", yscale="log")
ax.legend()
print(f"chosen: gamma {result.gamma_min:g}, {np.count_nonzero(result.coef())} features")
