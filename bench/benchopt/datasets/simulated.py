import numpy as np
from benchmark_utils import simulate, standardize
from benchopt import BaseDataset


class Dataset(BaseDataset):
    """Seeded, with correlated columns; centred and scaled."""

    name = "simulated"
    parameters = {"n_samples, n_features": [(200, 5000), (5000, 200)]}
    test_parameters = {"n_samples, n_features": [(30, 60)]}

    def get_data(self):
        X, y = standardize(*simulate(f"{self.n_samples}x{self.n_features}"))
        return {"X": np.asfortranarray(X), "y": y}
