"""What --distributed columns refuses of its files (test_distributed.py); every text is in a table (test_file_errors.py)."""

# name: (files, arguments of fit, what follows "sven: ")
COLUMN_ERRORS = {
    "statistics": ({}, "s.npz --lambda 1", "s.npz holds statistics, which have no columns"),
    "genotypes of a list": ({}, "g-{rank}.bed --lambda 1", "g-0.bed: .bed files of a list are not read by columns"),
    "gaps of a list": ({"p-0.csv": "a,y\n1,2\n,4\n3,5\n", "p-1.csv": "b\n1\n2\n4\n"}, "p-{rank}.csv --lambda 1 --impute mean",
                       "p-0.csv: texts and missing values of a list of files are not filled in"),
}
