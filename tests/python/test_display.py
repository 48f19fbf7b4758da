"""What is shown: plots, the HTML of a fitted model, progress, the demo and the example."""

import subprocess
import sys
from pathlib import Path

import matplotlib
import numpy as np
import pytest
import svenet
from svenet._progress import reporting

matplotlib.use("Agg")
import matplotlib.pyplot as plt

ROOT = Path(__file__).parents[2]


@pytest.fixture(autouse=True)
def close_figures():
    yield
    plt.close("all")


@pytest.mark.parametrize("xvar", ["lambda", "norm"])
@pytest.mark.parametrize("source", ["path", "glmnet", "estimator", "function"])
def test_plot_path(tall, source, xvar):
    path = {
        "path": lambda: svenet.lasso_path(tall.X, tall.y, alphas=20),
        "glmnet": lambda: svenet.glmnet(tall.X, tall.y, lambda_=np.geomspace(1, 1e-3, 20)),
        "estimator": lambda: svenet.LassoCV(alphas=20).fit(tall.X, tall.y),
        "function": lambda: svenet.cross_validate(tall.X, tall.y, alphas=20),
    }[source]()
    ax = svenet.plot_path(path, xvar=xvar, label=3)
    lines = [line for line in ax.get_lines() if len(line.get_xdata()) == 20]
    assert len(lines) == 12 and len(ax.texts) == 3
    assert ax.get_xlabel() == ("L1 norm" if xvar == "norm" else "-log(lambda)" if source == "glmnet" else "-log(alpha)")


def test_plots_draw_where_they_are_told(tall):
    _, axes = plt.subplots(1, 2)
    model = svenet.ElasticNetCV(alphas=20, l1_ratio=[0.5, 1.0]).fit(tall.X, tall.y)
    assert svenet.plot_path(model, ax=axes[0]) is axes[0]
    assert svenet.plot_cv(model, ax=axes[1]) is axes[1]
    marks = [line.get_xdata()[0] for line in axes[1].get_lines() if len(line.get_xdata()) == 2]
    assert marks == [pytest.approx(-np.log(model.alpha_)), pytest.approx(-np.log(model.alpha_1se_))]
    with pytest.raises(ValueError, match="xvar"):
        svenet.plot_path(model, xvar="dev")


def test_budgets_are_named_as_such(tall):
    ax = svenet.plot_path(svenet.budget_path(tall.X, tall.y, ts=15))
    assert ax.get_xlabel() == "budget t"
    assert ax.get_lines()[0].get_xdata()[0] == 0


@pytest.mark.parametrize("draw", [svenet.plot_path, svenet.plot_cv, svenet.PathDisplay.from_estimator,
                                  svenet.CvDisplay.from_estimator])
def test_the_wrong_object_is_told(tall, draw):
    with pytest.raises(TypeError, match="not a LassoCV that is not fitted"):
        draw(svenet.LassoCV())
    with pytest.raises(TypeError, match="not a ndarray"):
        draw(tall.y)


def test_displays(tall):
    model = svenet.LassoCV(alphas=20).fit(tall.X, tall.y)
    display = svenet.PathDisplay.from_estimator(model, xvar="norm", label=2)
    assert display.ax_.get_xlabel() == "L1 norm" and display.figure_ is display.ax_.figure
    _, axes = plt.subplots()
    assert svenet.CvDisplay(model).plot(axes).ax_ is axes


def test_results_are_shown_on_a_line(tall):
    for result in [svenet.cross_validate(tall.X, tall.y, alphas=20),
                   svenet.cross_validate(tall.X, tall.y, alphas=20).best_curve,
                   svenet.glmnet(tall.X, tall.y, nlambda=10), svenet.Session(tall.X, tall.y).fit(0.1)]:
        text = repr(result)
        assert text.startswith(type(result).__name__ + "(") and len(text) <= 120 and "\n" not in text, text


def test_sessions_and_displays_are_shown_on_a_line(tall):
    y = tall.y > np.median(tall.y)
    model = svenet.LassoCV(alphas=20).fit(tall.X, tall.y)
    for shown, text in [
        (svenet.Session(tall.X, tall.y), "Session(80 rows, 12 features)"),
        (svenet.Session(svenet.statistics(tall.X, tall.y)), "Session(80 rows, 12 features)"),
        (svenet.Session(tall.X, y, family="binomial"), "Session(80 rows, 12 features, family='binomial')"),
        (svenet.PathDisplay(model), "PathDisplay(20 alphas, 12 features)"),
        (svenet.PathDisplay(svenet.budget_path(tall.X, tall.y, ts=5)), "PathDisplay(5 budgets, 12 features)"),
        (svenet.CvDisplay(model), "CvDisplay(20 alphas, mean squared error)"),
    ]:
        assert repr(shown) == text
    with pytest.raises(TypeError, match="not a LassoCV that is not fitted"):
        svenet.CvDisplay(svenet.LassoCV())


def test_html_tells_the_fit(tall):
    pandas = pytest.importorskip("pandas")
    model = svenet.LassoCV(alphas=20)
    assert "svenet-fit" not in model._repr_mimebundle_()["text/html"]
    model.fit(pandas.DataFrame(tall.X, columns=[f"<{j}>" for j in range(12)]), tall.y)
    html = model._repr_mimebundle_()["text/html"]
    largest = int(np.abs(model.coef_).argmax())
    assert f"<th>&lt;{largest}&gt;</th><td>{model.coef_[largest]:.6g}</td>" in html
    assert "proven selected" in html and f"{model.alpha_:.6g}" in html


def test_progress(wide, capsys):
    rng = np.random.default_rng(0)
    X = rng.standard_normal((500, 800))
    svenet.lasso_path(X, X[:, 0] + rng.standard_normal(500), verbose=1)
    assert "path" in capsys.readouterr().err
    svenet.LassoCV(verbose=1, alphas=10).fit(wide.X, wide.y)
    assert "LassoCV" in capsys.readouterr().err
    svenet.LassoCV(alphas=10).fit(wide.X, wide.y)
    assert capsys.readouterr().err == ""


def test_progress_without_tqdm(capsys, monkeypatch):
    monkeypatch.setitem(sys.modules, "tqdm.auto", None)
    with reporting(1, "fit") as report:
        report(3, 10, 1e-12)
    assert capsys.readouterr().err == "\rfit: 3/10\n"


@pytest.mark.parametrize("command, pictures", [
    (["-m", "svenet.demo"], ["svenet_path.png", "svenet_cv.png"]),
    ([str(ROOT / "examples/prostate.py")], ["prostate_path.png", "prostate_cv.png"]),
])
def test_demo_and_example(tmp_path, command, pictures):
    run = subprocess.run([sys.executable, *command, str(tmp_path)], capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stderr
    assert run.stderr == ""
    for picture in pictures:
        assert (tmp_path / picture).read_bytes().startswith(b"\x89PNG")


@pytest.mark.parametrize(("measure", "label"), [("auc", "area under the curve"), ("deviance", "deviance")])
def test_plots_say_what_folds_are_judged_by(tall, measure, label):
    y = tall.y > np.median(tall.y)
    result = svenet.cross_validate(tall.X, y, family="binomial", measure=measure, alphas=5)
    assert svenet.plot_cv(result).get_ylabel() == label
    model = svenet.LogisticRegressionCV(Cs=4, l1_ratios=[1.0]).fit(tall.X, y)
    assert svenet.CvDisplay.from_estimator(model).ax_.get_ylabel() == "deviance"
    several = svenet.LogisticRegressionCV(Cs=4).fit(tall.X, np.digitize(tall.y, [1, 3]))
    with pytest.raises(TypeError, match="more than two classes: draw one of its cross_validation_"):
        svenet.plot_cv(several)
    assert svenet.plot_path(several.cross_validation_[0]) is not None


def test_the_axis_of_logistic_regression_is_that_of_its_parameter(tall):
    y = tall.y > np.median(tall.y)
    Cs = [10.0, 0.01, 1.0, 0.1]
    model = svenet.LogisticRegressionCV(Cs=Cs, l1_ratios=[1.0]).fit(tall.X, y, sample_weight=tall.w)
    path, errors = svenet.PathDisplay.from_estimator(model), svenet.CvDisplay.from_estimator(model)
    assert repr(path) == "PathDisplay(4 Cs, 12 features)" and repr(errors) == "CvDisplay(4 Cs, deviance)"
    assert path.ax_.get_xlabel() == errors.ax_.get_xlabel() == "log(C)"
    for line in path.ax_.get_lines()[:-1]:
        np.testing.assert_array_equal(line.get_xdata(), np.log(np.sort(Cs)))
    drawn = errors.ax_.containers[0].lines[0]
    np.testing.assert_array_equal(drawn.get_xdata(), np.log(np.sort(Cs)))
    np.testing.assert_allclose(drawn.get_ydata()[np.searchsorted(np.sort(Cs), model.C_)], min(drawn.get_ydata()))
    marks = [line.get_xdata()[0] for line in errors.ax_.get_lines() if len(line.get_xdata()) == 2]
    assert marks == [np.log(model.C_), np.log(model.C_1se_)]
    # at a C, what a fit with that C has
    at_one = svenet.LogisticRegression(C=1.0, l1_ratio=1.0).fit(tall.X, y, sample_weight=tall.w).coef_[0]
    shown = [line.get_ydata()[2] for line in path.ax_.get_lines()[:-1]]
    selected = np.any(model.cross_validation_.coef_path.toarray() != 0, axis=1)
    np.testing.assert_allclose(shown, at_one[selected], atol=1e-6)
    assert svenet.plot_cv(model.cross_validation_).get_xlabel() == "-log(alpha)"
