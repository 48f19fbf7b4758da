"""Which penalty? Cross-validation and the rule of one standard error

`ElasticNetCV` tries every l1_ratio along its whole path. The left line of the picture is the largest penalty whose error is within one standard error of
the least: a simpler model that predicts about as well. `choose="1se"` makes it the model.
"""
import matplotlib.pyplot as plt
from sklearn.datasets import load_diabetes
from sklearn.model_selection import KFold

from svenet import CvDisplay, ElasticNetCV

X, y = load_diabetes(return_X_y=True, as_frame=True)
folds = KFold(10, shuffle=True, random_state=1)
least = ElasticNetCV(l1_ratio=[0.5, 0.9, 1.0], cv=folds).fit(X, y)
simple = ElasticNetCV(l1_ratio=[0.5, 0.9, 1.0], cv=folds, choose="1se").fit(X, y)

CvDisplay.from_estimator(least)
print(f"l1_ratio {least.l1_ratio_}")
print("least error:       ", ", ".join(X.columns[least.coef_ != 0]))
print("one standard error:", ", ".join(X.columns[simple.coef_ != 0]))
