"""With the rest of scikit-learn: searches, pipelines, copies, stored models."""

import pickle

import joblib
import numpy as np
import pytest
import svenet
from numpy.testing import assert_allclose
from sklearn.base import clone
from sklearn.compose import TransformedTargetRegressor
from sklearn.feature_selection import SelectFromModel
from sklearn.model_selection import GridSearchCV, cross_val_predict
from sklearn.multioutput import MultiOutputRegressor
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import PolynomialFeatures, StandardScaler

MODELS = [
    svenet.ElasticNet(0.1), svenet.Lasso(0.1), svenet.ElasticNetCV(alphas=5), svenet.LassoCV(alphas=5),
    svenet.BudgetElasticNet(1.0),
]


def test_grid_search(tall):
    search = GridSearchCV(svenet.ElasticNet(), {"alpha": [0.01, 0.1, 1.0], "l1_ratio": [0.2, 0.9]}, cv=3)
    search.fit(tall.X, tall.y)
    assert search.best_params_["alpha"] in (0.01, 0.1)
    assert np.isfinite(search.cv_results_["mean_test_score"]).all()


@pytest.mark.parametrize("output", ["default", "pandas", "polars"])
def test_pipeline_and_set_output(tall, output):
    pipeline = make_pipeline(StandardScaler(), PolynomialFeatures(1, include_bias=False), svenet.ElasticNet(0.1))
    pipeline.set_output(transform=output).fit(tall.X, tall.y)
    assert_allclose(pipeline.predict(tall.X), svenet.ElasticNet(0.1).fit(
        StandardScaler().fit_transform(tall.X), tall.y).predict(StandardScaler().fit_transform(tall.X)), atol=1e-9)
    assert hasattr(pipeline[-1], "feature_names_in_") == (output != "default")


@pytest.mark.parametrize("model", MODELS, ids=lambda model: type(model).__name__)
@pytest.mark.parametrize("copier", ["pickle", "joblib"])
def test_stored_models_predict_the_same(tall, model, copier, tmp_path):
    fitted = clone(model).fit(tall.X, tall.y)
    if copier == "pickle":
        again = pickle.loads(pickle.dumps(fitted))
    else:
        joblib.dump(fitted, tmp_path / "model")
        again = joblib.load(tmp_path / "model")
    assert (again.predict(tall.X) == fitted.predict(tall.X)).all()


CV_MODELS = [
    svenet.ElasticNetCV(l1_ratio=[0.5, 1.0], alphas=40),
    svenet.LassoCV(alphas=40, relax=True),
    svenet.LogisticRegressionCV(Cs=30),
    svenet.PoissonRegressorCV(alphas=40, l1_ratio=[0.5, 1.0]),
]


@pytest.mark.parametrize("model", CV_MODELS, ids=lambda model: type(model).__name__)
def test_pickles_leave_the_path_behind(wide, model):
    y = {"LogisticRegressionCV": wide.y > 0, "PoissonRegressorCV": np.arange(30) % 5}.get(type(model).__name__, wide.y)
    X = np.hstack([wide.X] + [np.random.default_rng(k).standard_normal(wide.X.shape) for k in range(5)])
    fitted = clone(model).fit(X, y)
    again = pickle.loads(pickle.dumps(fitted))
    assert (again.predict(X) == fitted.predict(X)).all()
    own, other = fitted.cross_validation_, again.cross_validation_
    for rule in ("min", "1se"):
        assert (other.coef(rule) == own.coef(rule)).all() and other.intercept(rule) == own.intercept(rule)
    for one, two in zip(own.curves, other.curves):
        assert (one.mean == two.mean).all() and (one.fold_errors == two.fold_errors).all()
    assert own.coef_path.shape[0] == X.shape[1]
    with pytest.raises(ValueError, match="left behind when the model was pickled"):
        other.coef_path
    with pytest.raises(ValueError, match="left behind"):
        svenet.plot_path(again)
    whole = pickle.loads(pickle.dumps(own))
    assert (whole.coef_path != own.coef_path).nnz == 0
    coefs = [curve.solutions.coefs for curve in other.curves] + [
        one.solutions.coefs for curve in other.curves for one in curve.relaxed]
    assert sum(each.nnz for each in coefs) <= 2 * len(other.curves) * X.shape[1]
    assert svenet.plot_cv(again) is not None


def test_select_from_model_and_friends(wide):
    selected = SelectFromModel(svenet.Lasso(0.3)).fit(wide.X, wide.y).get_support()
    assert 0 < selected.sum() < 60
    TransformedTargetRegressor(svenet.Lasso(0.1), func=np.cbrt, inverse_func=lambda v: v**3).fit(wide.X, wide.y)
    both = np.stack([wide.y, -wide.y], axis=1)
    assert MultiOutputRegressor(svenet.LassoCV(alphas=5)).fit(wide.X, both).predict(wide.X).shape == (30, 2)
    assert len(cross_val_predict(svenet.Lasso(0.1), wide.X, wide.y)) == 30


def test_path_is_there_as_in_scikit_learn(tall):
    assert_allclose(svenet.ElasticNet.path(tall.X, tall.y, alphas=5)[1], svenet.enet_path(tall.X, tall.y, alphas=5)[1])
    assert_allclose(svenet.LassoCV.path(tall.X, tall.y, alphas=5)[1], svenet.lasso_path(tall.X, tall.y, alphas=5)[1])
