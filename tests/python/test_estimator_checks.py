"""scikit-learn's own checks, every one, for every estimator; none is expected to fail."""

import pytest
import svenet
from sklearn.utils.estimator_checks import parametrize_with_checks

ESTIMATORS = [
    svenet.ElasticNet(),
    svenet.Lasso(),
    svenet.ElasticNetCV(alphas=20),
    svenet.LassoCV(alphas=20),
    svenet.BudgetElasticNet(),
    svenet.SquaredHingeSVC(),
    svenet.LogisticRegression(),
    svenet.LogisticRegression(l1_ratio=0.5),
    svenet.LogisticRegressionCV(Cs=4),
    svenet.PoissonRegressor(),
    svenet.PoissonRegressorCV(alphas=10),
]


@pytest.mark.filterwarnings("ignore")
@parametrize_with_checks(ESTIMATORS)
def test_scikit_learn_check(estimator, check):
    check(estimator)
