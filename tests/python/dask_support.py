"""A real cluster of four processes, and what tests of both layouts of X share."""

import os
import sys
import time

import numpy as np
import pytest

distributed = pytest.importorskip("distributed")
cloudpickle = pytest.importorskip("cloudpickle")

# Workers cannot import the tests.
cloudpickle.register_pickle_by_value(sys.modules[__name__])


@pytest.fixture(scope="module")
def client():
    with distributed.LocalCluster(
        n_workers=4, threads_per_worker=1, processes=True, dashboard_address=None, silence_logs=50
    ) as cluster, distributed.Client(cluster) as connected:
        yield connected


def same_fit(found, expected):
    np.testing.assert_allclose(found.coef_, expected.coef_, rtol=0, atol=1e-9)
    np.testing.assert_allclose(found.intercept_, expected.intercept_, atol=1e-8)
    assert found.relative_gap_ <= 1e-10
    assert found.status_ == expected.status_


def wait_for(folder, block, block_info=None):
    """Leaves a note of who works, and goes on when told to."""
    number = block_info[0]["chunk-location"][0]
    with open(os.path.join(folder, f"{number}-{os.getpid()}"), "w"):
        pass
    while not os.path.exists(os.path.join(folder, "go")):
        time.sleep(0.01)
    return block
