"""Problems on the GPU, simulated or read from a folder, their grids and gaps, for bench/gpu/run."""
import importlib.util

import numpy as np
import torch

ALPHA = 0.5
SETTINGS = 40
GPU = "cuda" if torch.cuda.is_available() else "cpu"


def wait():
    if GPU == "cuda":
        torch.cuda.synchronize()


class Data:
    """X on the GPU: dense as its transpose, that is column-major, or CSC arrays; y. Both centred and scaled, a
    sparse X only scaled."""

    def __init__(self, X, y, rows):
        self.X, self.y = X, y
        self.sparse = isinstance(X, tuple)
        self.n = rows
        self.p = len(X[2]) - 1 if self.sparse else X.shape[0]
        if self.sparse:
            values, indices, offsets = X
            self.transposed = torch.sparse_csr_tensor(offsets, indices.long(), values, (self.p, self.n))
            self.columns = torch.repeat_interleave(torch.arange(self.p, device=GPU), offsets.diff())
            self.indices = indices.long()

    @property
    def entries(self):
        return len(self.X[0]) if self.sparse else self.n * self.p

    def correlate(self, r):
        return self.transposed @ r if self.sparse else self.X @ r

    def multiply(self, b):
        if not self.sparse:
            return b @ self.X
        out = torch.zeros(self.n, dtype=torch.float64, device=GPU)
        return out.index_add_(0, self.indices, self.X[0] * b[self.columns])

    def on_host(self):
        return tuple(a.cpu().numpy() for a in self.X) if self.sparse else self.X.cpu().numpy()


def simulate(name, seed=1):
    torch.manual_seed(seed)
    sparse = name.endswith("s")
    n, p = map(int, name.rstrip("s").split("x"))
    beta = torch.zeros(p, dtype=torch.float64, device=GPU)
    chosen = torch.randperm(p, device=GPU)[: min(100, max(10, p // 10))]
    beta[chosen] = torch.randn(len(chosen), dtype=torch.float64, device=GPU)
    if sparse:
        k = n // 100
        rows = torch.stack([torch.randperm(n, device=GPU)[:k].sort().values for _ in range(512)])
        rows = (rows[torch.randint(512, (p,), device=GPU)] + torch.randint(n, (p, 1), device=GPU)) % n
        rows = rows.sort(1).values.int()
        values = torch.randn(p, k, dtype=torch.float64, device=GPU)
        values /= (values.square().sum(1, keepdim=True) / n).sqrt()
        y = torch.zeros(n, dtype=torch.float64, device=GPU)
        y.index_add_(0, rows[chosen].flatten().long(), (values[chosen] * beta[chosen, None]).flatten())
        X = (values.flatten(), rows.flatten(), torch.arange(p + 1, device=GPU) * k)
    else:
        X = torch.empty(p, n, dtype=torch.float64, device=GPU)
        common = torch.randn(n, dtype=torch.float64, device=GPU)
        for j in range(0, p, 4096):
            block = X[j:j + 4096]
            block.normal_().add_(common, alpha=0.3)
            block -= block.mean(1, keepdim=True)
            block /= block.square().mean(1, keepdim=True).sqrt()
        y = beta @ X
    y += torch.randn(n, dtype=torch.float64, device=GPU) * y.std()
    y -= y.mean()
    y /= y.std()
    return Data(X, y, n)


def load_module(folder):
    specification = importlib.util.spec_from_file_location("data_folder", folder / "load.py")
    module = importlib.util.module_from_spec(specification)
    specification.loader.exec_module(module)
    return module


def read(name, folder):
    """A set of the folder, or None where it is below 20 MB when dense; sparse where it is stored so and has
    less than a tenth of its entries."""
    import scipy.sparse
    X, y = load_module(folder).load(name)
    n, p = X.shape
    if n * p * 8 < 20e6:
        return None
    y = np.asarray(y, float)
    y = torch.from_numpy((y - y.mean()) / y.std()).to(GPU)
    if scipy.sparse.issparse(X) and X.nnz < 0.1 * n * p:
        X = scipy.sparse.csc_matrix(X, dtype=float)
        size = np.sqrt(np.asarray(X.multiply(X).mean(0)).ravel())
        X = X[:, size > 0] @ scipy.sparse.diags(1 / size[size > 0])
        X = scipy.sparse.csc_matrix(X)
        X.sort_indices()
        arrays = (X.data, X.indices.astype(np.int32), X.indptr.astype(np.int64))
        return Data(tuple(torch.from_numpy(a).to(GPU) for a in arrays), y, n)
    X = X.toarray() if scipy.sparse.issparse(X) else np.asarray(X, float)
    X = torch.from_numpy(np.ascontiguousarray(X.T)).to(GPU)
    X -= X.mean(1, keepdim=True)
    size = X.square().mean(1, keepdim=True).sqrt()
    return Data(torch.where(size > 0, X / size, 0).contiguous(), y, n)


def grid(data, count=SETTINGS, alpha=ALPHA, decades=None):
    largest = data.correlate(data.y).abs().max().item() / data.n / alpha
    return largest * np.logspace(0, -(decades or (2 if data.p > data.n else 4)), count)


def gap(data, beta, lam):
    """Relative duality gap in scikit-learn's objective, times 2n, over ||y||^2."""
    n, y = data.n, data.y
    r = y - data.multiply(beta)
    l1, l2 = n * lam * ALPHA, n * lam * (1 - ALPHA)
    g = data.correlate(r) - l2 * beta
    scale = min(1.0, l1 / g.abs().max().item())
    primal = 0.5 * (r @ r) + l1 * beta.abs().sum() + 0.5 * l2 * (beta @ beta)
    dual = scale * (r @ y) - 0.5 * scale**2 * (r @ r) - 0.5 * l2 * scale**2 * (beta @ beta)
    return ((primal - dual) / (0.5 * (y @ y))).item()
