"""Counts

How many sit-ups did twenty men of a fitness club manage, by their weight, waist and pulse (Linnerud's data)? `PoissonRegressor` with the penalty of the Lasso keeps the waist alone.
"""
import matplotlib.pyplot as plt
from sklearn.datasets import load_linnerud

from svenet import PoissonRegressor

men = load_linnerud(as_frame=True)
body, situps = men.target, men.data["Situps"]
model = PoissonRegressor(alpha=10.0, l1_ratio=1.0, standardize=True).fit(body, situps)

figure, ax = plt.subplots(figsize=(7, 4), layout="constrained")
order = body["Waist"].argsort()
ax.scatter(body["Waist"], situps, color="0.4", label="men")
ax.plot(body["Waist"].iloc[order], model.predict(body)[order], label="expected")
ax.set(xlabel="waist, inches", ylabel="sit-ups")
ax.legend()
print({name: round(float(b), 3) for name, b in zip(body.columns, model.coef_)}, f"D^2 {model.score(body, situps):.3f}")
