/* A first fit, in C: eight patients, three measures, and an elastic net that carries its own
 * proof. */

#include <stdio.h>

#include "sven/sven.h"

/* One column after the other: the session reads them where they are. */
static const double X_values[] = {
    -0.58, -0.99, -0.51, -1.20, 0.75, -1.05, 0.74, 0.69, /* lcavol */
    2.77,  3.32,  2.69,  3.28,  3.43, 3.23,  3.47, 3.54, /* lweight */
    50,    58,    74,    58,    62,   50,    64,   58,   /* age */
};
static const double y[] = {-0.43, -0.16, -0.16, -0.16, 0.37, 0.77, 0.77, 0.85};

static int complain(void) {
    fprintf(stderr, "%s\n", sven_last_error());
    return 1;
}

static int tell(const SvenPath* path) {
    SvenSolution solution;
    int64_t k;
    if (sven_path_solution(path, 0, &solution, sizeof solution) != SVEN_OK) return complain();
    printf("sven %s: %s, l1 = %.6f, gap = %.1e\n", sven_version(),
           sven_status_name(solution.status), solution.l1, solution.gap);
    printf("intercept  % .6f\n", solution.intercept);
    for (k = 0; k < solution.nonzeros; ++k)
        printf("feature %d  % .6f\n", (int)solution.features[k], solution.values[k]);
    return solution.status == SVEN_OPTIMAL && solution.gap <= 1e-10 ? 0 : 1;
}

int main(void) {
    SvenMatrix X;
    SvenProblem problem;
    SvenSession* session = NULL;
    SvenPath* path = NULL;
    int outcome;

    sven_matrix_init(&X, sizeof X);
    X.rows = 8;
    X.cols = 3;
    X.values = X_values;
    sven_problem_init(&problem, sizeof problem);
    problem.X = &X;
    problem.y = y;
    if (sven_session_create(&problem, NULL, &session) != SVEN_OK) return complain();

    /* min ||Xb - y||^2 + l2 ||b||^2 subject to ||b||_1 <= t, on standardised columns. */
    if (sven_fit(session, SVEN_BUDGET, 0.25, 0.1, &path) != SVEN_OK)
        outcome = complain();
    else
        outcome = tell(path);
    sven_path_free(path);
    sven_session_free(session);
    return outcome;
}
