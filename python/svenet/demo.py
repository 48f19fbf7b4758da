"""python -m svenet.demo [folder]: a regression with more features than rows, and two plots of it."""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np

from . import ElasticNetCV, plot_cv, plot_path


def main(folder: str = ".") -> int:
    """Fits, prints the results, and saves svenet_path.png and svenet_cv.png into `folder`."""
    rng = np.random.default_rng(2015)
    X = rng.standard_normal((100, 400)) + rng.standard_normal((100, 1))
    truth = np.zeros(400)
    truth[:6] = [3, -2, 2, 1.5, -1, 1]
    y = X @ truth + rng.standard_normal(100)

    model = ElasticNetCV(l1_ratio=[0.5, 0.9, 1.0], cv=10).fit(X, y)
    print(f"{X.shape[0]} rows, {X.shape[1]} features, {np.count_nonzero(truth)} of which matter")
    print(f"alpha {model.alpha_:.4g}, by the rule of one standard error {model.alpha_1se_:.4g}")
    print(f"l1_ratio {model.l1_ratio_:g}")
    print(f"{np.count_nonzero(model.coef_)} features selected; {model.support_certificate_}")
    print(f"relative duality gap {model.relative_gap_:.1e}")
    try:
        import matplotlib
    except ImportError:
        print("the two plots need matplotlib: pip install matplotlib", file=sys.stderr)
        return 1
    matplotlib.use("Agg")
    for name, ax in (("svenet_path.png", plot_path(model, label=6)), ("svenet_cv.png", plot_cv(model))):
        path = Path(folder) / name
        ax.figure.savefig(path, dpi=120, bbox_inches="tight")
        print(f"wrote {path}")
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:2]))
