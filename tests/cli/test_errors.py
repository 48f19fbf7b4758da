"""Every error of the program: the exit code and the exact sentence, with nothing written."""
import io
import os

import numpy as np
import pytest

from cli.command import files, sven

CSV = "a,b,y\n1,2,3\n4,5,7\n7,9,8\n"
SVM = "1 1:2 2:1\n2 1:1\n3 2:4\n"


def npy(array):
    buffer = io.BytesIO()
    np.save(buffer, array)
    return buffer.getvalue()


MATRIX = npy(np.arange(6.0).reshape(3, 2))
NAN_MATRIX = npy(np.array([[1.0, 2], [3, np.nan], [5, 7]]))
INF_MATRIX = npy(np.array([[1.0, 2], [3, 4], [-np.inf, 7]], dtype=np.float32))

# name: (files, arguments after the command, what follows "sven: " on stderr)
DATA_ERRORS = {
    "limits beside zero": ({"d.csv": CSV, "l.csv": "feature,lower,upper\na,1,2\n"}, "d.csv --lambda 1 --limits l.csv",
                           "l.csv:2: the limits of a are 1 and 2, but zero must lie between them"),
    "limits without the upper": ({"d.csv": CSV, "l.csv": "feature,lower,upper\na,1\n"},
                                 "d.csv --lambda 1 --limits l.csv",
                                 "l.csv:2: there are 2 fields, at least 3 are needed"),
    "missing file": ({}, "none.csv --lambda 1", "none.csv: no such file"),
    "a folder": ({}, ". --lambda 1", ".: is a folder, not a file"),
    "empty file": ({"d.csv": ""}, "d.csv --lambda 1", "d.csv: the file is empty"),
    "empty svmlight": ({"d.svm": ""}, "d.svm --lambda 1", "d.svm: the file is empty"),
    "empty npy": ({"d.npy": ""}, "d.npy --y y --lambda 1", "d.npy: the file is empty"),
    "header alone": ({"d.csv": "a,b\n"}, "d.csv --lambda 1", "d.csv: there is a header, but no rows"),
    "no header": ({"d.csv": "1.5,2\n3,4\n"}, "d.csv --lambda 1",
                  "d.csv:1: the first line holds numbers, but it must name the columns"),
    "target alone": ({"d.csv": "y\n1\n"}, "d.csv --lambda 1", "d.csv: there is no column left for a feature"),
    "short row": ({"d.csv": "a,b,y\n1,2,3\n4,5\n"}, "d.csv --lambda 1",
                  "d.csv:3: the row has 2 fields instead of 3"),
    "long row": ({"d.csv": "a,b,y\n1,2,3\n4,5,6,7\n"}, "d.csv --lambda 1",
                 "d.csv:3: the row has 4 fields instead of 3"),
    "non-number": ({"d.csv": "a,b,y\n1,2,3\n4,abc,6\n"}, "d.csv --lambda 1",
                   'd.csv:3:2: "abc" is not a number (column "b"); --one-hot, --drop, --date or --id would deal with '
                   'text'),
    "NaN": ({"d.csv": "a,b,y\n1,2,3\n4,NaN,6\n"}, "d.csv --lambda 1",
            'd.csv:3:2: "NaN" is not finite (column "b"); --impute mean would fill it in, '
            '--drop-missing leave such rows out'),
    "Inf": ({"d.csv": "a,b,y\n1,2,3\n4,5,-Inf\n"}, "d.csv --lambda 1",
            'd.csv:3:3: "-Inf" is not finite (column "y")'),
    "missing value": ({"d.csv": "a,b,y\n1,2,3\n4,,6\n"}, "d.csv --lambda 1",
                      'd.csv:3:2: the value is missing (column "b"); --impute mean would fill it in, '
            '--drop-missing leave such rows out'),
    "missing-value word": ({"d.csv": "a,b,y\n1,2,3\n4,NA,6\n"}, "d.csv --lambda 1",
                           'd.csv:3:2: "NA" stands for a missing value (column "b"); --impute mean would fill it in, '
            '--drop-missing leave such rows out'),
    "number too large": ({"d.csv": "a,y\n1e999,3\n"}, "d.csv --lambda 1",
                         'd.csv:2:1: "1e999" is too large for a double (column "a")'),
    "repeated name": ({"d.csv": "a,a,y\n1,2,3\n"}, "d.csv --lambda 1",
                      'd.csv:1:2: the name "a" is taken by column 1'),
    "open quote": ({"d.csv": 'a,y\n"1,3\n'}, "d.csv --lambda 1",
                   'd.csv:2:1: the quote is not closed (column "a")'),
    "unknown target": ({"d.csv": CSV}, "d.csv --target z --lambda 1",
                       'd.csv: there is no column "z"; the columns are a, b, y'),
    "target in capitals": ({"d.csv": CSV}, "d.csv --target Y --lambda 1",
                           'd.csv: there is no column "Y"; did you mean y? The columns are a, b, y'),
    "target of another letter": ({"d.csv": CSV.replace("y", "price")}, "d.csv --target prise --lambda 1",
                                 'd.csv: there is no column "prise"; did you mean price? The columns are a, b, price'),
    "swapped letters": ({"d.csv": CSV.replace("y", "price")}, "d.csv --target pirce --lambda 1",
                        'd.csv: there is no column "pirce"; did you mean price? The columns are a, b, price'),
    "mistyped unpenalised": ({"d.csv": CSV.replace("a", "age")}, "d.csv --unpenalized agee --lambda 1",
                             'd.csv: there is no feature "agee" to leave unpenalised; did you mean age?'),
    "target out of range": ({"d.csv": CSV}, "d.csv --target 3 --lambda 1",
                            "d.csv: there is no column 3; the columns are 0 to 2"),
    "target in svmlight": ({"d.svm": SVM}, "d.svm --target a --lambda 1",
                           "d.svm: the columns of an svmlight file have no names to choose a target by"),
    "y too short": ({"d.npy": MATRIX, "y": "1\n2\n"}, "d.npy --y y --lambda 1",
                    "y has 2 numbers, but d.npy has 3 rows"),
    "y too long": ({"d.csv": CSV, "y.npy": npy(np.zeros(4))}, "d.csv --y y.npy --lambda 1",
                   "y.npy has 4 numbers, but d.csv has 3 rows"),
    "y missing": ({"d.npy": MATRIX}, "d.npy --y y --lambda 1", "y: no such file"),
    "y not a number": ({"d.npy": MATRIX, "y": "1\n2\nx\n"}, "d.npy --y y --lambda 1",
                       'y:3:1: "x" is not a number'),
    "NaN in y.npy": ({"d.npy": MATRIX, "y.npy": npy(np.array([1, np.nan, 2]))}, "d.npy --y y.npy --lambda 1",
                     "y.npy: entry 1 is not a number"),
    "matrix as y": ({"d.npy": MATRIX}, "d.npy --y d.npy --lambda 1",
                    "d.npy: expected a vector, found a 3 x 2 array"),
    "truncated npy": ({"d.npy": MATRIX[:-8], "y": "1\n2\n3\n"}, "d.npy --y y --lambda 1",
                      "d.npy: the header claims a 3 x 2 array of float64, but the file ends before that"),
    "integer npy": ({"d.npy": npy(np.arange(6).reshape(3, 2)), "y": "1\n2\n3\n"}, "d.npy --y y --lambda 1",
                    "d.npy: the matrix is of int64; save it as float64, float32 or int8"),
    "text as npy": ({"d.npy": CSV, "y": "1\n2\n3\n"}, "d.npy --y y --lambda 1",
                    "d.npy: this is not a NumPy .npy file"),
    "negative weight": ({"d.csv": CSV, "w": "1\n-1\n1\n"}, "d.csv --weights w --lambda 1",
                        'w:2:1: "-1" is negative'),
    "negative weight in npy": ({"d.csv": CSV, "w.npy": npy(np.array([1.0, 1, -2]))},
                               "d.csv --weights w.npy --lambda 1", "w.npy: entry 2 is negative"),
    "negative weight in a column": ({"d.csv": "a,w,y\n1,2,3\n4,-5,6\n"}, "d.csv --weights-column w --lambda 1",
                                    'd.csv:3:2: a weight is negative (column "w")'),
    "weights all zero": ({"d.csv": CSV, "w": "0\n0\n0\n"}, "d.csv --weights w --lambda 1",
                         "w: the weights are all zero"),
    "weights column all zero": ({"d.csv": "a,w,y\n1,0,3\n4,0,6\n"}, "d.csv --weights-column w --lambda 1",
                                "d.csv: the weights are all zero"),
    "weights too short": ({"d.csv": CSV, "w": "1\n"}, "d.csv --weights w --lambda 1",
                          "w has 1 number, but d.csv has 3 rows"),
    "unknown weights column": ({"d.csv": CSV}, "d.csv --weights-column w --lambda 1",
                               'd.csv: there is no column "w"; the columns are a, b, y'),
    "factors too long": ({"d.csv": CSV, "f": "1\n1\n1\n"}, "d.csv --penalty-factors f --lambda 1",
                         "f has 3 numbers, but d.csv has 2 features"),
    "negative factor": ({"d.csv": CSV, "f": "1\n-1\n"}, "d.csv --penalty-factors f --lambda 1",
                        'f:2:1: "-1" is negative'),
    "unknown unpenalised": ({"d.csv": CSV}, "d.csv --unpenalized a,c --lambda 1",
                            'd.csv: there is no feature "c" to leave unpenalised'),
    "index out of range": ({"d.svm": "1 1:2\n1 0:2\n"}, "d.svm --lambda 1",
                           "d.svm:2:2: index 0 is out of range: indices begin at 1 unless the file is said to be"
                           " zero-based"),
    "negative index": ({"d.svm": "1 -1:2\n"}, "d.svm --lambda 1 --zero-based",
                       "d.svm:1:2: index -1 is out of range: indices begin at 0"),
    "huge index": ({"d.svm": "1 1:2\n1 1000000000000:2\n"}, "d.svm --lambda 1",
                   "d.svm:2:2: the index is out of range: a file of this size may have indices up to 16777216"),
    "repeated index": ({"d.svm": "1 1:2 2:1 2:3\n"}, "d.svm --lambda 1", "d.svm:1:4: index 2 is repeated"),
    "unsorted index": ({"d.svm": "1 1:2\n1 5:1 3:2\n"}, "d.svm --lambda 1",
                       "d.svm:2:3: index 3 comes after 5: indices must rise"),
    "NaN in svmlight": ({"d.svm": "1 1:2\n1 3:nan\n"}, "d.svm --lambda 1", 'd.svm:2:2: "nan" is not finite'),
    "word in svmlight": ({"d.svm": "1 1:2 word\n"}, "d.svm --lambda 1", 'd.svm:1:3: "word" is not index:value'),
    "NaN in npy": ({"d.npy": NAN_MATRIX, "y": "1\n2\n3\n"}, "d.npy --y y --lambda 1",
                   "d.npy: row 1, column 1 (counted from 0) is nan, which is not finite"),
    "Inf in npy": ({"d.npy": INF_MATRIX, "y": "1\n2\n3\n"}, "d.npy --y y --lambda 1",
                   "d.npy: row 2, column 0 (counted from 0) is -inf, which is not finite"),
    "too large to square": ({"d.csv": "a,y\n1e300,1\n-1e300,2\n"}, "d.csv --lambda 1",
                            "d.csv: column 0 of X holds a value that is not finite, or too large to square"),
    "large column": ({"d.csv": "a,y\n1e80,1\n-1e80,2\n"}, "d.csv --lambda 1",
                     "d.csv: column 0 of X has a deviation above 1e75, too large to square: divide it by a constant"
                     " first"),
    "small column": ({"d.csv": "a,y\n1e-80,1\n-1e-80,2\n"}, "d.csv --lambda 1",
                     "d.csv: column 0 of X has a deviation below 1e-75, too small to square: multiply it by a constant"
                     " first"),
    "large target": ({"d.csv": "a,y\n1,1e80\n2,3\n"}, "d.csv --lambda 1",
                     "d.csv: the largest entry of y is 1e+80, too large to square: divide by a constant first"),
    "small target": ({"d.csv": "a,y\n1,1e-80\n2,0\n"}, "d.csv --lambda 1",
                     "d.csv: the largest entry of y is 1e-80, too small to square: multiply by a constant first"),
    "large weight": ({"d.csv": CSV, "w": "1\n1e80\n2\n"}, "d.csv --lambda 1 --weights w",
                     "d.csv: the largest entry of the weights vector is 1e+80, too large to square: divide by a"
                     " constant first"),
    "output in no folder": ({"d.csv": CSV}, "d.csv --lambda 1 -o none/m.json",
                            "none/m.json: cannot be written (No such file or directory)"),
    "output is a folder": ({"d.csv": CSV}, "d.csv --lambda 1 -o .", ".: cannot be written (Is a directory)"),
}

FORMS = "give a setting: --t T --lambda2 L, or --lambda1 L --lambda2 L, or --lambda L"
USAGE_ERRORS = {
    "no data": ("--lambda 1", "give a data file"),
    "two files": ("d.csv e.csv --lambda 1", 'unexpected argument "e.csv"'),
    "no form": ("d.csv", FORMS),
    "lambda2 alone": ("d.csv --lambda2 1", FORMS),
    "alpha alone": ("d.csv --alpha 1", FORMS),
    "t and lambda": ("d.csv --t 1 --lambda2 1 --lambda 1", "--t and --lambda exclude each other"),
    "t and lambda1": ("d.csv --t 1 --lambda1 1 --lambda2 1", "--t and --lambda1 exclude each other"),
    "lambda1 and lambda": ("d.csv --lambda1 1 --lambda 1", "--lambda1 and --lambda exclude each other"),
    "lambda and lambda2": ("d.csv --lambda 1 --lambda2 1", "--lambda and --lambda2 exclude each other"),
    "t and alpha": ("d.csv --t 1 --lambda2 1 --alpha 1", "--t and --alpha exclude each other"),
    "t without lambda2": ("d.csv --t 1", "--t needs --lambda2 too, 0 for the Lasso"),
    "lambda1 without lambda2": ("d.csv --lambda1 1", "--lambda1 needs --lambda2 too, 0 for the Lasso"),
    "negative t": ("d.csv --t -1 --lambda2 1", "--t is -1, but it must not be negative"),
    "negative lambda2": ("d.csv --t 1 --lambda2 -0.5", "--lambda2 is -0.5, but it must not be negative"),
    "negative lambda1": ("d.csv --lambda1 -2 --lambda2 1", "--lambda1 is -2, but it must not be negative"),
    "negative lambda": ("d.csv --lambda -1", "--lambda is -1, but it must not be negative"),
    "NaN t": ("d.csv --t nan --lambda2 1", "--t is nan, but it must be a finite number"),
    "infinite lambda2": ("d.csv --t 1 --lambda2 inf", "--lambda2 is inf, but it must be a finite number"),
    "gamma above 1": ("d.csv --lambda 1 --relax --gamma 1.5", "--gamma is 1.5, but it must lie between 0 and 1"),
    "gamma alone": ("d.csv --lambda 1 --gamma 0.5", "--gamma needs --relax too"),
    "two gammas": ("d.csv --lambda 1 --relax --gamma 0,1",
                   "--gamma takes one number here; sven cv chooses among several"),
    "alpha above 1": ("d.csv --lambda 1 --alpha 1.5", "--alpha is 1.5, but it must lie between 0 and 1"),
    "alpha below 0": ("d.csv --lambda 1 --alpha -0.5", "--alpha is -0.5, but it must lie between 0 and 1"),
    "alpha no number": ("d.csv --lambda 1 --alpha half", '--alpha: "half" is not a number'),
    "glmnet with t": ("d.csv --t 1 --lambda2 1 --glmnet", "--t and --glmnet exclude each other"),
    "glmnet with lambda1": ("d.csv --lambda1 1 --lambda2 1 --glmnet", "--lambda1 and --glmnet exclude each other"),
    "target and y": ("d.csv --target a --y y --lambda 1", "--target and --y exclude each other"),
    "two weights": ("d.csv --weights w --weights-column w --lambda 1",
                    "--weights and --weights-column exclude each other"),
    "npy without y": ("d.npy --lambda 1", "d.npy holds no target; give it with --y FILE"),
    "zero-based CSV": ("d.csv --zero-based --lambda 1", "--zero-based is for svmlight files, which d.csv is not"),
    "zero tolerance": ("d.csv --lambda 1 --tolerance 0", "--tolerance is 0, but it must be above zero"),
    "no threads": ("d.csv --lambda 1 --threads 0", "--threads is 0, but it must be at least 1"),
    "half a thread": ("d.csv --lambda 1 --threads 1.5", '--threads: "1.5" is not a whole number'),
    "unknown method": ("d.csv --lambda 1 --method fast", '--method: "fast" is none of auto, dual, primal'),
    "unknown machine": ("d.csv --lambda 1 --svm fast", '--svm: "fast" is none of liblinear, newton'),
    "unknown device": ("d.csv --lambda 1 --device tpu", '--device: "tpu" is none of auto, cpu, cuda'),
    "unknown option": ("d.csv --lambda 1 --fast", 'there is no option "--fast"'),
    "repeated option": ("d.csv --lambda 1 --lambda 2", "--lambda is given more than once"),
    "option without value": ("d.csv --lambda", "--lambda needs a value"),
}

PATH_ERRORS = {
    "lambdas and settings": ("d.csv --lambdas l --settings s", "--lambdas and --settings exclude each other"),
    "grid and lambdas": ("d.csv --lambdas l --n-lambda 5", "--n-lambda and --lambdas exclude each other"),
    "ratio and settings": ("d.csv --settings s --lambda-min-ratio 0.1",
                           "--lambda-min-ratio and --settings exclude each other"),
    "alpha and settings": ("d.csv --settings s --alpha 0.1", "--settings and --alpha exclude each other"),
    "glmnet and settings": ("d.csv --settings s --glmnet", "--settings and --glmnet exclude each other"),
    "no lambdas": ("d.csv --n-lambda 0", "--n-lambda is 0, but it must be at least 1"),
    "ratio": ("d.csv --lambda-min-ratio 1", "--lambda-min-ratio is 1, but it must lie between 0 and 1"),
    "distinct": ("d.csv --distinct 0", "--distinct is 0, but it must be at least 1"),
    "alpha": ("d.csv --alpha 2", "--alpha is 2, but it must lie between 0 and 1"),
}

PATH_DATA_ERRORS = {
    "negative lambda": ({"l": "1\n-1\n"}, "d.csv --lambdas l", 'l:2:1: "-1" is negative'),
    "no lambdas": ({"l": ""}, "d.csv --lambdas l", "l: the file is empty"),
    "no t": ({"s.csv": "u,lambda2\n1,2\n"}, "d.csv --settings s.csv",
             's.csv: there is no column "t"; the columns are u, lambda2'),
    "negative t": ({"s.csv": "t,lambda2\n1,2\n-3,1\n"}, "d.csv --settings s.csv",
                   "s.csv: t is -3 in setting 2, but it must not be negative"),
}

FILES = {"d.csv": CSV, "d.npy": MATRIX, "d.svm": SVM, "y": "1\n2\n3\n", "m.json": '{"format": "sven-model/1"}'}
# name: (command, what follows "sven: " on stderr, without the hint)
USAGE_OF_OTHERS = {
    "a class of numbers": ("fit d.csv --lambda 1 --positive a", "--positive is for --family binomial"),
    "folds and groups": ("cv d.csv --fold-column a --folds-by b", "--fold-column and --folds-by exclude each other"),
    "strata of groups": ("cv d.csv --folds-by a --stratified", "--folds-by and --stratified exclude each other"),
    "time of groups": ("cv d.csv --folds-by a --time-ordered", "--folds-by and --time-ordered exclude each other"),
    "time again": ("cv d.csv --time-ordered --repeats 2", "--time-ordered and --repeats exclude each other"),
    "time by chance": ("cv d.csv --time-ordered --seed 2", "--time-ordered and --seed exclude each other"),
    "rows twice": ("cv d.csv --ungrouped --repeats 2", "--repeats and --ungrouped exclude each other"),
    "no repeat": ("cv d.csv --repeats 0", "--repeats is 0, but it must be at least 1"),
    "area of numbers": ("cv d.csv --measure auc", "--measure auc is for --family binomial"),
    "cv alone": ("cv", "give a data file"),
    "one fold": ("cv d.csv --folds 1", "--folds is 1, but it must be at least 2"),
    "folds twice": ("cv d.csv --fold-column a --folds 3", "--fold-column and --folds exclude each other"),
    "seed for a column": ("cv d.csv --fold-column a --seed 3", "--fold-column and --seed exclude each other"),
    "comment": ("cv d.csv --comment -", '--comment: "-" is not one of the characters '
                "#%!$&'()*/:<=>?@[\\]^`{|}~"),
    "comments": ("fit d.csv --comment ## --lambda 1", '--comment: "##" is not one of the characters '
                 "#%!$&'()*/:<=>?@[\\]^`{|}~"),
    "negative seed": ("cv d.csv --seed -1", '--seed: "-1" is not a whole number from 0 up'),
    "one alpha of several": ("cv d.csv --alpha 0.5,2", "--alpha is 2, but it must lie between 0 and 1"),
    "no alpha": ("cv d.csv --alpha 0.5,", '--alpha: "" is not a number'),
    "choice": ("cv d.csv --choose best", '--choose: "best" is none of 1se, min'),
    "cv by LIBLINEAR": ("cv d.csv --svm liblinear", "--svm liblinear is for fit and path, not for cv"),
    "imputation": ("fit d.csv --lambda 1 --impute median", '--impute: "median" is none of mean'),
    "file after --one-hot": ("fit --one-hot d.csv --lambda 1",
                             'give a data file before --one-hot, which took "d.csv" for a list of columns'),
    "first without texts": ("fit d.csv --lambda 1 --one-hot-drop-first", "--one-hot-drop-first needs --one-hot too"),
    "texts in rows": ("fit d.csv --lambda 1 --transpose --one-hot", "--transpose and --one-hot exclude each other"),
    "predict alone": ("predict m.json", "give a model and a data file"),
    "predict with two": ("predict m.json d.csv --target a --y y", "--target and --y exclude each other"),
    "assess alone": ("assess m.json", "give a model and a data file"),
    "report alone": ("report", "give a file that sven path or sven cv wrote"),
    "convert alone": ("convert d.csv", "give a data file and a file to write"),
    "no format": ("convert d.csv out", "the ending of out names no format; .csv .tsv .svm .mtx .npy and .npz do"),
    "no place": ("convert d.svm X.npy", "X.npy has no place for the target; give --y-out FILE"),
    "no target to write": ("convert d.csv d.npy --y-out y.npy", "y.npy needs a target; give --target NAME or --y FILE"),
    "no target": ("convert d.npy d.svm", "d.svm needs a target; give --target NAME or --y FILE"),
    "simulate alone": ("simulate", "give a file to write"),
    "no rows": ("simulate a.csv --rows 0", "--rows is 0, but it must be at least 1"),
    "too many": ("simulate a.csv --features 3 --nonzero 4", "--nonzero is more than there are features"),
    "density": ("simulate a.csv --density 0", "--density is 0, but it must lie above 0 and up to 1"),
    "correlation": ("simulate a.csv --correlation 1", "--correlation is 1, but it must lie between -1 and 1"),
    "both": ("simulate a.csv --correlation 0.5 --density 0.5", "--density and --correlation exclude each other"),
    "negative noise": ("simulate a.csv --noise -1", "--noise is -1, but it must not be negative"),
    "no y": ("simulate a.npz", "a.npz has no place for the target; give --y-out FILE"),
    "two pipes": ("fit - --y - --lambda 1", "DATA and --y cannot both be standard input"),
    "a model and data in one": ("predict - -", "MODEL and DATA cannot both be standard input"),
    "json and a file": ("cv d.csv -o - --json", "--json and --output - exclude each other"),
    "one mark for two": ("fit d.csv --lambda 1 --decimal , --thousands ,",
                         "--decimal and --thousands cannot be the same character"),
    "dates in rows": ("fit d.csv --lambda 1 --transpose --date a", "--transpose and --date exclude each other"),
    "two on standard output": ("cv d.csv -o - --report -", "--output and --report cannot both be standard output"),
    "convert to nothing": ("convert d.csv -", "OUT: give the file a name, which tells its format"),
    "shell": ("completion csh", 'completion: "csh" is not a shell that is known; bash, zsh and fish are'),
}

NO_UTF8 = "e.csv: this is no text in UTF-8; convert it first: iconv -f LATIN1 -t UTF-8 e.csv > data.csv"
DATA_OF_OTHERS = {
    "one group": ({"e.csv": "a,g,y\n1,u,2\n2,u,3\n3,u,1\n"}, "cv e.csv --folds-by g",
                  'e.csv: the column "g" holds one group only; two or more are needed'),
    "few groups": ({"e.csv": "a,g,y\n1,u,2\n2,v,3\n3,u,1\n"}, "cv e.csv --folds-by g --folds 3",
                   'e.csv: the column "g" holds 2 groups, too few for 3 folds'),
    "little time": ({}, "cv d.csv --time-ordered --folds 3", "d.csv has 3 rows, too few for 3 folds; give --folds K"),
    "one class": ({"e.csv": "a,y\n1,no\n2,no\n3,no\n"}, "fit e.csv --lambda 1 --family binomial",
                  "e.csv: the target has 1 class (no), but a binomial target has two"),
    "three classes": ({"e.csv": "a,y\n1,no\n2,yes\n3,maybe\n"}, "path e.csv --family binomial",
                      "e.csv: the target has 3 classes (maybe, no, yes), but a binomial target has two"),
    "three numbers": ({"e.csv": "a,y\n1,0\n2,2\n3,3\n"}, "fit e.csv --lambda 1 --family binomial",
                      "e.csv: entry 1 of y is 2; a binomial response is 0 or 1, or a share between them"),
    "one class of numbers": ({"e.csv": "a,y\n1,1\n2,1\n3,1\n"}, "fit e.csv --lambda 1 --family binomial",
                             "e.csv: the response is of one class alone"),
    "constant counts": ({"e.csv": "a,y\n1,2\n2,2\n3,2\n"}, "fit e.csv --lambda 1 --family poisson",
                        "e.csv: the response is constant: 2 in every row"),
    "no such class": ({"e.csv": "a,y\n1,no\n2,yes\n3,no\n"}, "fit e.csv --lambda 1 --family binomial --positive maybe",
                      'e.csv: the target has no class "maybe"; its classes are no and yes'),
    "missing class": ({"e.csv": "a,y\n1,no\n2,\n3,yes\n"}, "fit e.csv --lambda 1 --family binomial",
                      'e.csv: row 2 has no class in the column "y"; --drop-missing would leave such rows out'),
    "negative failures": ({"e.csv": "a,s,f\n1,2,3\n2,1,-1\n3,0,2\n"},
                          "fit e.csv --lambda 1 --family binomial --target s,f",
                          "e.csv: row 1 (counted from 0) has the count -1, but counts must not be negative"),
    "negative counts": ({"e.csv": "a,y\n1,2\n2,-1\n3,0\n"}, "fit e.csv --lambda 1 --family poisson",
                        "e.csv: entry 1 of y is -1; a poisson response must not be negative"),
    "successes and failures in one": ({"e.csv": "a,s,f\n1,2,3\n2,1,1\n"},
                                      "fit e.csv --lambda 1 --family binomial --target s,s",
                                      'e.csv: the column "s" cannot count the failures and be the target'),
    "one class in training": ({"e.csv": "a,f,y\n1,1,no\n2,1,no\n3,2,yes\n4,2,yes\n"},
                              "cv e.csv --family binomial --fold-column f",
                              "e.csv: fold 0 trains on rows of one class alone"),
    "one class in a test": ({"e.csv": "a,f,y\n1,1,no\n2,1,no\n3,2,yes\n4,2,no\n5,3,no\n6,3,yes\n"},
                            "cv e.csv --family binomial --fold-column f --measure auc",
                            "e.csv: fold 0 tests rows of one class alone: it has no area under the curve"),
    "too few rows": ({}, "cv d.csv", "d.csv has 3 rows, too few for 10 folds; give --folds K"),
    "half a fold": ({"e.csv": "a,f,y\n1,1,2\n2,1.5,3\n3,2,1\n"}, "cv e.csv --fold-column f",
                    'e.csv: the column "f" holds 1.5, but folds are whole numbers'),
    "one fold": ({"e.csv": "a,f,y\n1,1,2\n2,1,3\n3,1,1\n"}, "cv e.csv --fold-column f",
                 'e.csv: the column "f" holds one fold only; two or more are needed'),
    "folds and target": ({}, "cv d.csv --fold-column y --target y",
                         'd.csv: the column "y" cannot be the target and hold the folds'),
    "folds of svmlight": ({}, "cv d.svm --fold-column y",
                          "d.svm: the columns of an svmlight file have no names to choose folds by"),
    "dropped target": ({}, "fit d.csv --lambda 1 --drop y --target y",
                       'd.csv: the column "y" cannot be the target and be dropped'),
    "unknown id": ({}, "fit d.csv --lambda 1 --id who", 'd.csv: there is no column "who"; the columns are a, b, y'),
    "texts of the target": ({}, "fit d.csv --lambda 1 --one-hot y", 'd.csv: the column "y" is not one of the features'),
    "no fold": ({"e.csv": "f,a,y\n1,2,3\n,4,5\n2,3,4\n"}, "cv e.csv --fold-column f",
                'e.csv: row 2 has no fold in the column "f"; --drop-missing would leave such rows out'),
    "no row left": ({"e.csv": "a,y\n1,\nNA,2\n"}, "fit e.csv --lambda 1 --drop-missing", "e.csv: every row lacks a value; "
                    'most are missing in the column "y", 1 of 2'),
    "no row with a value": ({"e.csv": "a,b,y\n1,NA,3\nNA,NA,2\n3,,1\n"}, "fit e.csv --lambda 1 --drop-missing",
                            'e.csv: every row lacks a value; most are missing in the column "b", 3 of 3'),
    "one row": ({"e.csv": "a,y\n1,2\n"}, "cv e.csv", "e.csv has 1 row, too few for 10 folds; give --folds K"),
    "two values for one row": ({"e.csv": "a\n1\n"}, "fit e.csv --y y --lambda 1", "y has 3 numbers, but e.csv has 1 row"),
    "a column with a blank": ({"e.csv": "first one,b,y\nNA,1,2\nNA,2,4\n"}, "fit e.csv --lambda 1 --impute mean",
                              'e.csv: the feature "first one" has no value to take a mean of; --drop "first one" leaves it out'),
    "workbook": ({"e.xls": b"\xd0\xcf\x11\xe0" + bytes(100)}, "fit e.xls --lambda 1",
                 "e.xls: this is an Excel file; convert it first: python3 -c \"import pandas; "
                 "pandas.read_excel('e.xls').to_csv('data.csv', index=False)\""),
    "two bytes a letter": ({"e.csv": "a,y\n1,2\n".encode("utf-16")}, "fit e.csv --lambda 1",
                           "e.csv: this is text in UTF-16; convert it first: iconv -f UTF-16 -t UTF-8 e.csv > data.csv"),
    "name in Latin-1": ({"e.csv": "größe,y\n1,2\n3,5\n".encode("latin-1")}, "fit e.csv --lambda 1", NO_UTF8),
    "text in Latin-1": ({"e.csv": "t,y\nu,2\nkühl,5\nu,4\n".encode("latin-1")}, "fit e.csv --lambda 1 --one-hot", NO_UTF8),
    "row name in Latin-1": ({"e.csv": "who,a,y\nAnna,1,2\nJürgen,2,5\n".encode("latin-1")}, "fit e.csv --lambda 1 --id who", NO_UTF8),
    "half a character": ({"e.csv": b"a,y\xc3\n1,2\n3,4\n"}, "fit e.csv --lambda 1", NO_UTF8),
    "surrogate": ({"e.csv": b"a,y\xed\xa0\x80\n1,2\n3,4\n"}, "fit e.csv --lambda 1", NO_UTF8),
    "long form": ({"e.csv": b"a,y\xe0\x80\x80\n1,2\n3,4\n"}, "fit e.csv --lambda 1", NO_UTF8),
    "rows of a matrix": ({"e.npy": MATRIX}, "fit e.npy --y y --lambda 1 --drop-missing",
                         "e.npy: rows without a value are dropped from tables of text only"),
    "many texts": ({"e.csv": "t,y\n" + "".join(f"w{k},{k}\n" for k in range(1001))}, "fit e.csv --lambda 1 --one-hot",
                   'e.csv: the column "t" holds 1001 different texts, too many to make features of (1000 at the most)'),
    "nothing to average": ({"e.csv": "a,b,y\nNA,1,2\nNA,2,4\n"}, "fit e.csv --lambda 1 --impute mean",
                           'e.csv: the feature "a" has no value to take a mean of; --drop a leaves it out'),
    "missing target": ({"e.csv": "a,b,y\n1,1,2\n3,2,NA\n"}, "fit e.csv --lambda 1 --impute mean",
                       'e.csv:3:3: "NA" stands for a missing value (column "y"); --drop-missing would leave such rows out'),
    "repeated row": ({"e.csv": "g,s1,s2\na,1,2\na,2,4\ny,1,2\n"}, "fit e.csv --lambda 1 --transpose",
                     'e.csv: the name "a" of row 2 is taken by row 1'),
    "unknown row": ({"e.csv": "g,s1,s2\na,1,2\ny,1,2\n"}, "fit e.csv --lambda 1 --transpose --target z",
                    'e.csv: there is no row "z"; the rows are a, y'),
    "transposed svmlight": ({}, "fit d.svm --lambda 1 --transpose",
                            "d.svm: an svmlight file has samples in its rows by definition"),
    "no banner": ({"e.mtx": "1 1\n2\n"}, "fit e.mtx --y y --lambda 1", "e.mtx: this is not a Matrix Market file"),
    "complex": ({"e.mtx": "%%MatrixMarket matrix array complex general\n1 1\n2 0\n"}, "fit e.mtx --y y --lambda 1",
                'e.mtx:1: the numbers are "complex"; real, integer and pattern are read'),
    "short array": ({"e.mtx": "%%MatrixMarket matrix array real general\n3 2\n1\n2\n3\n"}, "fit e.mtx --y y --lambda 1",
                    "e.mtx:6: the file ends before all numbers have come"),
    "place": ({"e.mtx": "%%MatrixMarket matrix coordinate real general\n3 2 1\n4 1 5\n"}, "fit e.mtx --y y --lambda 1",
              "e.mtx:3: a row number is 4, but the matrix has 3"),
    "repeated entry": ({"e.mtx": "%%MatrixMarket matrix coordinate real general\n3 2 2\n1 1 5\n1 1 6\n"},
                       "fit e.mtx --y y --lambda 1", "e.mtx: the entry at row 1, column 1 is repeated"),
    "no model": ({}, "predict none.json d.csv", "none.json: no such file"),
    "a folder for a model": ({}, "predict . d.csv", ".: is a folder, not a file"),
}


def write(folder, contents):
    for name, content in contents.items():
        (folder / name).write_bytes(content if isinstance(content, bytes) else content.encode())


def fail(folder, command, arguments):
    """Runs a command that must fail; returns the exit code and the sentence."""
    before = files(folder)
    outcome = sven(*command, *arguments.split(), folder=folder)
    assert outcome.out == ""
    assert outcome.err.startswith("sven: ") and outcome.err.endswith("\n")
    assert outcome.err.count("\n") == 1
    assert files(folder) == before, "something was written"
    return outcome.code, outcome.err[len("sven: ") : -1]


@pytest.mark.parametrize("case", DATA_ERRORS)
def test_data_errors(tmp_path, case):
    contents, arguments, expected = DATA_ERRORS[case]
    write(tmp_path, contents)
    if " -o " not in arguments:
        arguments += " -o model.json"
    code, sentence = fail(tmp_path, ["fit"], arguments)
    assert (code, sentence) == (1, expected)


@pytest.mark.parametrize("case", USAGE_ERRORS)
def test_usage_errors(tmp_path, case):
    arguments, expected = USAGE_ERRORS[case]
    write(tmp_path, {"d.csv": CSV, "d.npy": MATRIX, "y": "1\n2\n3\n", "w": "1\n1\n1\n"})
    code, sentence = fail(tmp_path, ["fit", "-o", "model.json"], arguments)
    assert (code, sentence) == (2, expected + " (see sven fit --help)")


@pytest.mark.parametrize("case", PATH_ERRORS)
def test_usage_errors_of_path(tmp_path, case):
    arguments, expected = PATH_ERRORS[case]
    write(tmp_path, {"d.csv": CSV, "l": "1\n", "s": "t,lambda2\n1,1\n"})
    code, sentence = fail(tmp_path, ["path"], arguments + " -o path.json")
    assert (code, sentence) == (2, expected + " (see sven path --help)")


@pytest.mark.parametrize("case", PATH_DATA_ERRORS)
def test_data_errors_of_path(tmp_path, case):
    contents, arguments, expected = PATH_DATA_ERRORS[case]
    write(tmp_path, {"d.csv": CSV, **contents})
    assert fail(tmp_path, ["path"], arguments + " -o path.json") == (1, expected)


@pytest.mark.parametrize("case", USAGE_OF_OTHERS)
def test_usage_errors_of_the_other_commands(tmp_path, case):
    command, expected = USAGE_OF_OTHERS[case]
    write(tmp_path, FILES)
    name, _, rest = command.partition(" ")
    assert fail(tmp_path, [name], rest) == (2, f"{expected} (see sven {name} --help)")


@pytest.mark.parametrize("case", DATA_OF_OTHERS)
def test_data_errors_of_the_other_commands(tmp_path, case):
    contents, command, expected = DATA_OF_OTHERS[case]
    write(tmp_path, {**FILES, **contents})
    name, _, rest = command.partition(" ")
    assert fail(tmp_path, [name], rest) == (1, expected)


@pytest.mark.parametrize(("command", "expected"), [
    ([], "give a command, such as fit or cv"),
    (["fut"], 'there is no command "fut"; did you mean fit?'),
    (["--fast"], 'there is no option "--fast"'),
], ids=["none", "unknown", "option"])
def test_commands(tmp_path, command, expected):
    assert fail(tmp_path, command, "") == (2, expected + " (see sven --help)")


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read and write everything")
def test_permissions(tmp_path):
    write(tmp_path, {"d.csv": CSV, "secret.csv": CSV, "model.json": "old"})
    (tmp_path / "secret.csv").chmod(0)
    outcome = sven("fit", "secret.csv", "--lambda", 1, folder=tmp_path)
    assert (outcome.code, outcome.err) == (1, "sven: secret.csv: cannot be opened (Permission denied)\n")
    (tmp_path / "model.json").chmod(0o400)
    outcome = sven("fit", "d.csv", "--lambda", 1, "-o", "model.json", folder=tmp_path)
    assert (outcome.code, outcome.err) == (1, "sven: model.json: cannot be written (Permission denied)\n")
