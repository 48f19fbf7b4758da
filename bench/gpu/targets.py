"""The times with X resident that the project asked for: bench/gpu/run --targets."""

# Set, alpha, folds (0: a path of 40 settings; else 100 settings down to a thousandth), seconds asked for with X resident.
TARGETS = [("440x138672", 0.5, 0, 0.040), ("3308x150360s", 0.5, 0, 0.20), ("mice_bmi", 0.5, 0, 0.15),
           ("mitfaces", 0.5, 0, 0.009), ("caco_fp", 0.5, 0, 0.08), ("dorothea", 0.5, 0, 0.05),
           ("blogfeedback", 0.5, 0, 0.005), ("mice_bmi", 1.0, 0, 0.7), ("we8there", 1.0, 0, 0.6),
           ("200x200000", 1.0, 5, 0.15), ("2000x50000", 1.0, 5, 1.0), ("200000x1000", 1.0, 5, 0.12)]


def report(prepare, times_of):
    """prepare(name, alpha, folds): the call, or None where the set is not at hand; times_of(call): seconds of several,
    without the one that warms up."""
    print("| X resident | seconds, median of nine | least | asked | |\n|---|---|---|---|---|")
    for name, alpha, folds, asked in TARGETS:
        call = prepare(name, alpha, folds)
        if call is None:
            print(f"| {name} | needs --data | | {asked} | |")
            continue
        times = sorted(times_of(call))
        median = times[len(times) // 2]
        what = f"LassoCV, {folds} folds," if folds else "Lasso, path" if alpha == 1 else "path"
        print(f"| {what} {name} | {median:.4f} | {times[0]:.4f} | {asked} | {'reached' if median <= asked else 'missed'} |",
              flush=True)
        del call  # and with it the X on the GPU
