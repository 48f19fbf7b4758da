#ifndef SVEN_SVEN_H
#define SVEN_SVEN_H
/* The C interface of sven: the elastic net and the Lasso, solved exactly (docs/c.md).
 *
 * Calls. A function that can fail returns SVEN_OK or another SvenError; sven_last_error() then says
 * what was wrong. Nothing is printed, and no C++ exception leaves the library. A result that is
 * handed out through a pointer is NULL after a failure.
 *
 * Threads. A session serves one thread at a time, and any number of sessions may run at once, over
 * the same X too. sven_cancel() alone may be called while another thread is inside a call on the
 * session. Results are read-only: any number of threads may read one. The last error is the calling
 * thread's own.
 *
 * Memory. X is read where it lies and must be there, unchanged, while a session over it lives; all
 * other arrays are copied. What is created is freed by the function named after it, which takes
 * NULL too. Results do not need their session: it may be freed before them.
 *
 * Versions. Structs that are passed in carry their size, which their _init function writes together
 * with the defaults; structs that are filled in are passed with their size. Fields are only ever
 * added at the end, so that a program works with a later library as it is. With an earlier library
 * it works as long as it leaves the fields at their defaults that the library does not know.
 * Numbers of enumerators stay.
 */

#include <stddef.h>
#include <stdint.h>

#include "sven/export.h"
#include "sven/version.h"

#ifdef __cplusplus
extern "C" {
#endif

enum SvenError {
    SVEN_OK = 0,
    SVEN_INVALID_ARGUMENT = 1, /* the caller's mistake; the message names it */
    SVEN_INTERRUPTED = 2,      /* cancelled, in a call that has no partial result */
    SVEN_DEVICE_ERROR = 3,     /* the GPU was asked for, and is not there or failed */
    SVEN_OUT_OF_MEMORY = 4,
    SVEN_INTERNAL_ERROR = 5
};

/* Of the library that is linked, where SVEN_VERSION and SVEN_VERSION_NUMBER are of this header. */
SVEN_API const char* sven_version(void);
SVEN_API int sven_version_number(void);

/* What was wrong in the last call of this thread that failed, cut at 1000 characters; "" before.
 * Valid until the next failure in this thread. */
SVEN_API const char* sven_last_error(void);

/* The name of the GPU that is used, cut at `size` bytes with the final zero; SVEN_DEVICE_ERROR,
 * with the reason, where there is none. */
SVEN_API int sven_device_name(char* name, size_t size);

/* ------------------------------------------------------------------------------------- matrices */

enum SvenStorage {
    SVEN_COLUMN_MAJOR = 0, /* entry (i, j) is values[i + j * stride] */
    SVEN_ROW_MAJOR = 1,    /* entry (i, j) is values[i * stride + j] */
    SVEN_CSC = 2,          /* compressed columns: the entries of column j are values[k] in row */
    SVEN_CSR = 3           /* indices[k], k from offsets[j] to offsets[j + 1] - 1; rows likewise */
};
enum SvenScalar { SVEN_FLOAT64 = 0, SVEN_FLOAT32 = 1, SVEN_INT8 = 2 }; /* the last for dense X */
enum SvenIndexWidth { SVEN_INT32 = 0, SVEN_INT64 = 1 };

typedef struct SvenMatrix {
    size_t size;     /* of this struct */
    int32_t storage; /* SvenStorage */
    int32_t scalar;  /* SvenScalar, of values */
    int64_t rows;
    int64_t cols;
    const void* values;
    int64_t stride;       /* dense; 0: lines follow each other without a space */
    const void* indices;  /* sparse: sorted in each line, from 0, none repeated */
    const void* offsets;  /* sparse: lines + 1, the first 0 */
    int32_t index_width;  /* SvenIndexWidth, of indices */
    int32_t offset_width; /* SvenIndexWidth, of offsets */
    int32_t on_device;    /* the arrays lie in the memory of the GPU */
    int32_t reserved;
} SvenMatrix;

/* No rows, no columns; column-major, float64, 32-bit indices and offsets. */
SVEN_API int sven_matrix_init(SvenMatrix* matrix, size_t size);

/* ------------------------------------------------------------------------- problems and options */

/* What the response is. Beside gaussian, the sum of squares of the forms below is the deviance. */
enum SvenFamily {
    SVEN_GAUSSIAN = 0,
    SVEN_BINOMIAL = 1, /* y 0 or 1, or a share of successes with their number as weight */
    SVEN_POISSON = 2   /* y a count, or a rate with its exposure as weight */
};

typedef struct SvenProblem {
    size_t size;                   /* of this struct */
    const SvenMatrix* X;           /* n x p */
    const double* y;               /* n */
    const double* weights;         /* n, >= 0, not all 0; NULL: all one */
    const double* offset;          /* n: a known part of the linear predictor; NULL: none */
    const double* penalty_factors; /* p; 0: unpenalised, infinity: left out; NULL: all one */
    int32_t nonnegative;           /* coefficients >= 0 */
    int32_t intercept;
    int32_t standardize; /* columns are divided by their population standard deviation */
    int32_t reserved;
    const double* lower; /* p, <= 0: limits of the coefficients on the scale of X; NULL: none */
    const double* upper; /* p, >= 0; NULL: none */
    int32_t family;      /* SvenFamily */
    int32_t reserved_too;
} SvenProblem;

/* No data; an intercept, and standardised columns; a gaussian response. */
SVEN_API int sven_problem_init(SvenProblem* problem, size_t size);

enum SvenMethod { SVEN_METHOD_AUTOMATIC = 0, SVEN_PRIMAL = 1, SVEN_DUAL = 2 };
enum SvenSvm { SVEN_NEWTON = 0, SVEN_LIBLINEAR = 1 };
enum SvenDevice { SVEN_CPU = 0, SVEN_CUDA = 1, SVEN_DEVICE_AUTOMATIC = 2 };

/* Called now and then with how many settings of how many are done, and the largest relative gap so
 * far; another number than 0 cancels the call on the session. One call comes at a time, from the
 * calling thread or, where `threads` is not 1, from one of the library's. It must return: no
 * exception, no longjmp; and it may call nothing on its session but sven_cancel. */
typedef int (*SvenProgress)(int64_t done, int64_t total, double gap, void* user);

typedef struct SvenOptions {
    size_t size;            /* of this struct */
    int32_t method;         /* SvenMethod */
    int32_t svm;            /* SvenSvm */
    int32_t device;         /* SvenDevice */
    int32_t max_iterations; /* Newton steps of one run; a setting may take several */
    int32_t threads;        /* 0: SVEN_NUM_THREADS, OMP_NUM_THREADS, or every core */
    int32_t proofs;         /* not 0: solutions have the proof of each feature */
    double tolerance;       /* of the relative optimality gap */
    SvenProgress progress;
    void* user; /* handed to `progress` */
} SvenOptions;

/* Automatic method, Newton, CPU, 1000 iterations, all threads, tolerance 1e-10, no progress. */
SVEN_API int sven_options_init(SvenOptions* options, size_t size);

/* ------------------------------------------------------------------------------------- sessions */

/* A problem that is set up once and solved many times: every solve begins where the last one ended,
 * and every answer is certified by its gap. */
typedef struct SvenSession SvenSession;

/* options: NULL for the defaults. */
SVEN_API int sven_session_create(const SvenProblem* problem, const SvenOptions* options,
                                 SvenSession** session);
SVEN_API void sven_session_free(SvenSession* session);

/* Each array has as many numbers as X has rows. What is refused leaves the session as it was. */
SVEN_API int sven_set_response(SvenSession* session, const double* y);
SVEN_API int sven_set_weights(SvenSession* session, const double* weights); /* NULL: all one */
SVEN_API int sven_set_offset(SvenSession* session, const double* offset);   /* NULL: none */
/* Tolerance, iterations and progress; method, SVM, device and threads must be the session's. */
SVEN_API int sven_set_options(SvenSession* session, const SvenOptions* options);

/* From any thread, or a signal handler. 1 stops the call that the session is in, and all later ones
 * as they begin, until it is called with 0. */
SVEN_API int sven_cancel(SvenSession* session, int flag);

/* A setting is two numbers. With weights w, W their sum, and penalty factors f, minimise */
enum SvenForm {
    SVEN_BUDGET = 0,  /* (t, l2): sum w (y - Xb)^2 + l2 sum f b^2 subject to sum f |b| <= t */
    SVEN_PENALTY = 1, /* (l1, l2): sum w (y - Xb)^2 + l2 sum f b^2 + l1 sum f |b| */
    SVEN_MIXING = 2,  /* (lambda, alpha): 1/(2W) sum w (y - Xb)^2 + lambda (alpha sum f |b| +
                         (1 - alpha)/2 sum f b^2), scikit-learn's */
    SVEN_GLMNET = 3   /* (lambda, alpha), scaled as glmnet does: the ridge term divided by the
                         standard deviation of y, the penalty factors rescaled to sum to p */
};

typedef struct SvenPath SvenPath; /* solutions, one for each setting */

/* One setting: a path of one solution. An iteration limit or a cancel is no failure: the status of
 * the solution says it. */
SVEN_API int sven_fit(SvenSession* session, int form, double first, double second, SvenPath** path);
/* `count` settings (first[k], second[k]) in any order, which their solutions keep. Settings that a
 * cancel has left undone have status SVEN_CANCELLED and no coefficients. */
SVEN_API int sven_solve_path(SvenSession* session, int form, const double* first,
                             const double* second, int64_t count, SvenPath** path);
/* `count` lambdas for SVEN_MIXING or SVEN_GLMNET at one alpha, log-equal from the smallest at which
 * every penalised coefficient is zero to min_ratio of it; 0: 1e-4 where n >= p, else 1e-2. */
SVEN_API int sven_lambda_grid(SvenSession* session, int form, double alpha, double min_ratio,
                              int64_t count, double* lambdas);

/* ------------------------------------------------------------------------------------ solutions */

enum SvenStatus {
    SVEN_OPTIMAL = 0,
    SVEN_RIDGE = 1,           /* the budget does not bind */
    SVEN_NOT_UNIQUE = 2,      /* other coefficients reach the same optimum */
    SVEN_ITERATION_LIMIT = 3, /* the gap is above the tolerance */
    SVEN_CANCELLED = 4
};
enum SvenGapSource { SVEN_GAP_DATA = 0, SVEN_GAP_GRAM = 1 };
enum SvenProof {
    SVEN_UNDECIDED = 0,
    SVEN_PROVEN_SELECTED = 1, /* non-zero, with the sign of its coefficient, in every solution */
    SVEN_PROVEN_ZERO = 2,     /* zero in every solution */
    SVEN_LEFT_OUT = 3         /* a column that is constant but for rounding: nothing is claimed */
};

/* "optimal" and so on; "unknown" for another number. */
SVEN_API const char* sven_status_name(int status);

/* The arrays belong to the path. */
typedef struct SvenSolution {
    int32_t status;     /* SvenStatus */
    int32_t method;     /* SvenMethod: primal or dual */
    int32_t svm;        /* SvenSvm */
    int32_t device;     /* SvenDevice: where it was solved */
    int32_t gap_source; /* SvenGapSource: products with X, or its Gram matrix */
    int32_t reserved;
    double t;  /* sum f |b|; the budget itself where it was asked for and binds */
    double l1; /* the penalty asked for, or the multiplier of the budget */
    double l2;
    double lambda;
    double alpha;     /* not a number where l1 = l2 = 0 */
    double objective; /* of the form that was asked for */
    double gap;       /* relative: at most this times the null deviance lies between the solution
                         and the optimum */
    double intercept;
    double seconds;
    int64_t iterations;         /* Newton steps */
    int64_t nonzeros;           /* length of the next three arrays */
    const int64_t* features;    /* columns of X, from 0, increasing */
    const double* values;       /* coefficients, on the scale of X */
    const double* standardized; /* coefficients, on the scale of the standardised columns */
    /* What the gap proves of the features: */
    int64_t proven_selected; /* non-zero, with this sign, in every solution */
    int64_t proven_zero;     /* zero in every solution */
    int64_t undecided;
    int64_t left_out;                 /* columns that are constant but for rounding */
    const int64_t* left_out_features; /* which */
    double deviance;                  /* of a gaussian response sum w (y - b0 - Xb)^2 */
    double null_deviance;             /* without any feature */
    const uint8_t* proofs; /* SvenProof of each column of X; NULL unless the options ask for them */
} SvenSolution;

SVEN_API int sven_path_count(const SvenPath* path, int64_t* count);
SVEN_API int sven_path_solution(const SvenPath* path, int64_t k, SvenSolution* solution,
                                size_t size);
/* All `cols` coefficients of solution k, zeros included; cols is that of X. */
SVEN_API int sven_path_coefficients(const SvenPath* path, int64_t k, double* coefficients,
                                    int64_t cols);
/* The linear predictor intercept + Xb for each row of X; add the offset where there was one. */
SVEN_API int sven_path_predict(const SvenPath* path, int64_t k, const SvenMatrix* X,
                               double* predictions);
SVEN_API void sven_path_free(SvenPath* path);

/* The same with coefficients of one's own, each feature once. */
SVEN_API int sven_predict(const SvenMatrix* X, double intercept, int64_t count,
                          const int64_t* features, const double* values, double* predictions);

enum SvenPrediction {
    SVEN_LINK = 0,     /* the linear predictor */
    SVEN_RESPONSE = 1, /* the mean: a probability, a count */
    SVEN_LABEL = 2     /* the class of a binomial response, 0 or 1 */
};
/* What `count` linear predictors of a family (SvenFamily) say, in their place. */
SVEN_API int sven_transform_predictions(int family, int type, int64_t count, double* values);

/* --------------------------------------------------------------------------------- relaxed fits */

/* How the refit of a support came out. Where it is not done there is none, and the penalised
 * solution stands in its place. */
enum SvenRefit {
    SVEN_REFIT_DONE = 0,
    SVEN_REFIT_DEPENDENT = 1, /* more features than the rows tell apart: many are as good */
    SVEN_REFIT_SEPARATED = 2  /* the deviance of the family has no least value */
};

/* "done" and so on; "unknown" for another number. */
SVEN_API const char* sven_refit_name(int refit);

/* The refit without penalties of each solution of a path on its support, as glmnet's relax, as
 * another path; equal supports are refitted once. The path is one of the session's problem. */
SVEN_API int sven_relax(SvenSession* session, const SvenPath* path, SvenPath** relaxed);
/* How refit k came out (SvenRefit); of a path that sven_relax or sven_cv_relaxed_path gave. */
SVEN_API int sven_path_refit(const SvenPath* relaxed, int64_t k, int32_t* refit);
/* The share gamma, between 0 and 1, of each penalised and 1 - gamma of its relaxed solution. */
SVEN_API int sven_blend(SvenSession* session, const SvenPath* path, const SvenPath* relaxed,
                        double gamma, SvenPath** blended);

/* ----------------------------------------------------------------------------- cross-validation */

/* What the test rows of a fold are judged by, each as in cv.glmnet. */
enum SvenMeasure {
    SVEN_MEASURE_AUTOMATIC = 0, /* the deviance */
    SVEN_DEVIANCE = 1,          /* of a gaussian response the mean squared error */
    SVEN_MSE = 2,
    SVEN_MAE = 3,
    SVEN_CLASSIFICATION = 4, /* of a binomial response: the share on the wrong side */
    SVEN_AUC = 5             /* the area under the curve, of which larger is better */
};
/* What the fits of the folds have in common with that of all rows. */
enum SvenHeld {
    SVEN_HELD_LAMBDA = 0, /* lambda, of the mean loss, as in cv.glmnet */
    SVEN_HELD_PENALTY =
        1 /* l1 and l2, of the sum, as scikit-learn's C; not of gaussian responses */
};

typedef struct SvenCvPlan {
    size_t size;                /* of this struct */
    const int64_t* fold_of_row; /* repeats x n: one fold for each distinct number of a repeat; NULL
                                   with time_ordered_folds */
    int64_t repeats;
    const double* alphas; /* one curve for each; NULL: alpha = 1 */
    int64_t alpha_count;
    const double* lambdas; /* of every curve; NULL: a grid for each, as of sven_lambda_grid */
    int64_t lambda_count;  /* of `lambdas`, or of each grid */
    double min_ratio;      /* of each grid */
    int32_t form;          /* SVEN_MIXING or SVEN_GLMNET */
    int32_t reserved;
    int32_t measure; /* SvenMeasure */
    int32_t held;    /* SvenHeld */
    /* Not 0: that many folds of rows in the order of time, in the place of fold_of_row; each tests
       the rows / (folds + 1) that follow those it trains on. */
    int32_t time_ordered_folds;
    int32_t keeps_predictions; /* not 0: the curves have out-of-fold predictions */
    /* Not 0: standard errors are those of the means of the folds; 0: of the errors of the rows, as
       grouped = FALSE of cv.glmnet. */
    int32_t grouped;
    int32_t reserved_too;
    /* Relaxed fits too, judged at each of these shares of the penalised solution, as
       cv.glmnet(relax = TRUE); NULL: none. */
    const double* gammas;
    int64_t gamma_count;
} SvenCvPlan;

/* No folds; one repeat, alpha 1, grids of 100 lambdas, SVEN_MIXING, the deviance, lambda held,
 * grouped, not relaxed. */
SVEN_API int sven_cv_plan_init(SvenCvPlan* plan, size_t size);

/* Numbers from 0 to folds - 1, of nearly equal frequency, shuffled from the seed: repeats x rows.
 */
SVEN_API int sven_make_folds(int64_t rows, int32_t folds, uint64_t seed, int32_t repeats,
                             int64_t* fold_of_row);
/* The same with the classes, or the values of y, spread evenly over the folds. */
SVEN_API int sven_stratified_folds(int64_t rows, const double* y, int32_t folds, uint64_t seed,
                                   int32_t repeats, int64_t* fold_of_row);
/* The same with the rows of a group, of which each has a number of its own, in one fold. */
SVEN_API int sven_grouped_folds(int64_t rows, const int64_t* group_of_row, int32_t folds,
                                uint64_t seed, int32_t repeats, int64_t* fold_of_row);

typedef struct SvenCv SvenCv; /* curves, one for each alpha */

/* Centring and scaling are done anew on the training rows of each fold. SVEN_INTERRUPTED where it
 * was cancelled. */
SVEN_API int sven_cross_validate(SvenSession* session, const SvenCvPlan* plan, SvenCv** cv);

/* Means, standard errors and choices are cv.glmnet's. The arrays belong to the SvenCv. */
typedef struct SvenCvCurve {
    double alpha;
    int64_t count;                /* of lambdas */
    int64_t folds;                /* of all repeats */
    const double* lambda;         /* count, descending */
    const double* mean;           /* count: weighted mean over folds of the measure */
    const double* standard_error; /* count: of that mean */
    const double* fold_error;     /* count x folds, row-major */
    const double* fold_gap;       /* count x folds: of the solutions behind them */
    const int32_t* fold_status;   /* count x folds: SvenStatus */
    int64_t best;                 /* lambda.min: the largest lambda of the best mean */
    int64_t one_standard_error;   /* lambda.1se: the largest within one standard error of it */
    int64_t missed;               /* fold solutions above the tolerance */
    double worst_gap;             /* of the fold solutions */
    /* n each, NULL where they were not kept: the mean of the response by the folds that test a
       row, at both choices; not a number where none does. */
    const double* out_of_fold_best;
    const double* out_of_fold_one_standard_error;
} SvenCvCurve;

SVEN_API int sven_cv_count(const SvenCv* cv, int64_t* curves);
SVEN_API int sven_cv_best(const SvenCv* cv, int64_t* curve); /* the one of the best mean */
SVEN_API int sven_cv_curve(const SvenCv* cv, int64_t k, SvenCvCurve* curve, size_t size);
/* The solutions of curve k on all rows, which belong to the SvenCv. */
SVEN_API int sven_cv_path(const SvenCv* cv, int64_t k, const SvenPath** path);

/* The relaxed fits of a curve: a table of gammas, ascending, and the lambdas of the curve. Where a
 * fold has no refit its penalised solution is judged. The arrays belong to the SvenCv. */
typedef struct SvenCvRelaxed {
    int64_t count;      /* of gammas; 0: not asked for, and the rest is empty */
    int64_t best_gamma; /* of the least mean; of equal ones the largest lambda, then gamma */
    int64_t best_lambda;
    int64_t one_standard_error_gamma; /* the largest lambda within one standard error, then gamma */
    int64_t one_standard_error_lambda;
    const int32_t* fold_refit; /* count of lambdas x folds: SvenRefit */
    const double* out_of_fold_best;
    const double* out_of_fold_one_standard_error;
} SvenCvRelaxed;
/* One line of the table, as the arrays of those names in a SvenCvCurve. */
typedef struct SvenGammaCurve {
    double gamma;
    const double* mean;
    const double* standard_error;
    const double* fold_error;
} SvenGammaCurve;

SVEN_API int sven_cv_relaxed(const SvenCv* cv, int64_t k, SvenCvRelaxed* relaxed, size_t size);
SVEN_API int sven_cv_gamma(const SvenCv* cv, int64_t k, int64_t gamma, SvenGammaCurve* curve,
                           size_t size);
/* The refits of curve k on all rows, which belong to the SvenCv; no solutions where none were asked
 * for. */
SVEN_API int sven_cv_relaxed_path(const SvenCv* cv, int64_t k, const SvenPath** relaxed);
SVEN_API void sven_cv_free(SvenCv* cv);

#ifdef __cplusplus
}
#endif

#endif
