"""read_plink: genotypes of a .bed file as X, beside the same numbers in an array."""
import numpy as np
import pytest
from sklearn.model_selection import KFold

import svenet
from numpy.testing import assert_allclose, assert_array_equal

PEOPLE, VARIANTS = 61, 90
CODES = np.array([3, 2, 0, 1], dtype=np.uint8)  # of 0, 1 and 2 alleles A1, and of a missing one


class Study:
    """Files of PLINK, and the counts that they hold: NaN where one is missing."""

    def __init__(self, folder):
        rng = np.random.default_rng(5)
        self.counts = rng.binomial(2, rng.uniform(0.1, 0.9, VARIANTS), (PEOPLE, VARIANTS)).astype(float)
        self.y = self.counts[:, :5] @ [1.0, -1, 2, 0.5, -2] + rng.standard_normal(PEOPLE)
        self.age = rng.uniform(20, 80, PEOPLE)
        self.counts[rng.random(self.counts.shape) < 0.02] = np.nan
        codes = CODES[np.where(np.isnan(self.counts), 3, self.counts).astype(int)]
        padded = np.zeros((VARIANTS, (PEOPLE + 3) // 4 * 4), dtype=np.uint8)
        padded[:, :PEOPLE] = codes.T
        packed = (padded.reshape(VARIANTS, -1, 4) << np.array([0, 2, 4, 6], dtype=np.uint8)).sum(axis=2, dtype=np.uint8)
        self.path = folder / "study.bed"
        self.path.write_bytes(b"\x6c\x1b\x01" + packed.tobytes())
        (folder / "study.bim").write_text("".join(f"1\trs{j}\t0\t{j + 1}\tA\tG\n" for j in range(VARIANTS)))
        (folder / "study.fam").write_text("".join(f"f{i} p{i} 0 0 1 {y!r}\n" for i, y in enumerate(self.y.tolist())))
        self.covariates = folder / "c.txt"
        self.covariates.write_text("IID age\n" + "".join(f"p{i} {a!r}\n" for i, a in enumerate(self.age.tolist())))

    @property
    def X(self):
        """With the means of the variants in the place of what is missing."""
        return np.where(np.isnan(self.counts), np.nanmean(self.counts, axis=0), self.counts)


@pytest.fixture(name="study")
def make_study(tmp_path):
    return Study(tmp_path)


def test_what_the_files_say(study):
    data = svenet.read_plink(study.path)
    assert data.X.shape == (PEOPLE, VARIANTS)
    assert_allclose(data.y, study.y, rtol=1e-15)
    assert data.feature_names == [f"rs{j}" for j in range(VARIANTS)]
    assert data.row_names == [f"p{i}" for i in range(PEOPLE)]
    assert data.X.alleles[0] == ("A", "G")
    assert data.n_covariates == 0 and data.remarks == []
    assert repr(data.X) == f"Genotypes({PEOPLE} people, {VARIANTS} features)"
    assert_allclose(data.X @ np.eye(VARIANTS), study.X, atol=1e-13)
    assert svenet.read_plink(study.path, target=False).y is None


def test_the_other_allele_and_covariates(study):
    data = svenet.read_plink(study.path, count_allele="a2", covariates=study.covariates)
    assert data.X.shape == (PEOPLE, VARIANTS + 1) and data.n_covariates == 1
    assert data.feature_names[-1] == "age" and data.X.alleles[0] == ("G", "A")
    assert_allclose(data.X @ np.eye(VARIANTS + 1), np.column_stack([2 - study.X, study.age]), atol=1e-13)


@pytest.mark.parametrize("make", [
    lambda: svenet.Lasso(alpha=0.1), lambda: svenet.ElasticNet(alpha=0.2, l1_ratio=0.5),
    lambda: svenet.LassoCV(cv=4, n_alphas=12) if "n_alphas" in svenet.LassoCV().get_params() else svenet.LassoCV(cv=4),
    lambda: svenet.LassoCV(cv=KFold(3, shuffle=True, random_state=1), alphas=12),
    lambda: svenet.BudgetElasticNet(t=2.0)])
def test_estimators_find_the_coefficients_of_the_array(study, make):
    data = svenet.read_plink(study.path)
    packed, dense = make().fit(data.X, data.y), make().fit(study.X, study.y)
    assert_allclose(packed.coef_, dense.coef_, atol=1e-8)
    assert_allclose(packed.predict(data.X), dense.predict(study.X), atol=1e-7)
    assert_array_equal(packed.feature_names_in_, data.feature_names)


def test_classes_sessions_and_curves(study):
    data = svenet.read_plink(study.path)
    labels = data.y > np.median(data.y)
    packed, dense = (svenet.LogisticRegression(C=0.5, l1_ratio=1).fit(X, labels) for X in (data.X, study.X))
    assert_allclose(packed.coef_, dense.coef_, atol=1e-6)
    packed, dense = (svenet.Session(X, data.y).fit(0.1, l1_ratio=1.0) for X in (data.X, study.X))
    assert_allclose(packed.coef, dense.coef, atol=1e-8)
    packed, dense = (svenet.cross_validate(X, data.y, cv=3) for X in (data.X, study.X))
    assert_allclose(packed.coef("min"), dense.coef("min"), atol=1e-6)


def test_what_is_refused(study, tmp_path):
    with pytest.raises(ValueError, match="no such file"):
        svenet.read_plink(tmp_path / "none.bed")
    with pytest.raises(ValueError, match='count_allele must be "a1" or "a2", it is \'A\''):
        svenet.read_plink(study.path, count_allele="A")
    model = svenet.Lasso(alpha=0.1).fit(study.X[:, :3], study.y)
    data = svenet.read_plink(study.path)
    with pytest.raises(ValueError, match="90 features, but Lasso is expecting 3"):
        model.predict(data.X)
    study.path.write_bytes(b"\x6c\x1b\x01ab")
    with pytest.raises(ValueError, match="study.bed"):
        svenet.read_plink(study.path)
