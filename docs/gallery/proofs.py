"""What a gap proves

Every answer has a duality gap: a bound on what can be missing to the optimum. A gap that is small enough proves which features are in every optimal model, and
which are in none. Here the same Lasso is solved to looser and tighter tolerances: first the zeros are proven, and with the default, 1e-10, nothing is left
undecided.
"""
import matplotlib.pyplot as plt
import numpy as np

from svenet import Lasso

rng = np.random.default_rng(0)
X = rng.standard_normal((400, 60))
y = X[:, :25] @ np.linspace(2, 0.05, 25) + rng.standard_normal(400)

tolerances = np.logspace(-1, -10, 10)
certificates = [Lasso(0.05, tol=tol).fit(X, y).support_certificate_ for tol in tolerances]
parts = {
    "proven selected": [one.proven_selected for one in certificates],
    "undecided": [one.undecided for one in certificates],
    "proven zero": [one.proven_zero for one in certificates],
}

figure, ax = plt.subplots(figsize=(7, 4), layout="constrained")
ax.stackplot(tolerances, list(parts.values()), labels=list(parts), colors=["tab:blue", "0.85", "tab:orange"])
ax.set(xscale="log", xlabel="tolerance of the relative gap", ylabel="features", xlim=(1e-1, 1e-10))
ax.legend(loc="center left")
for name, counts in parts.items():
    print(f"{name:15s}", *(f"{count:3d}" for count in counts))
