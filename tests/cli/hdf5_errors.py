"""What is said of HDF5 files: the words, and the beginning of the sentence. test_hdf5 makes the files."""

HDF5_ERRORS = {
    "no file": ("fit gone.h5:X --target y", "gone.h5: no such file"),
    "a table": ("fit text.h5:X --target y", "text.h5: this is not an HDF5 file that can be read: "),
    "cut": ("fit cut.h5:X --target y", "cut.h5: this is not an HDF5 file that can be read: "),
    "no array": ("fit d.h5:Z --target y", 'd.h5: there is no array "Z"; it has X, cube, lzf, names, nan, nothing, one, other, '
                                          "short, y"),
    "no name": ("fit d.h5 --target y", "d.h5: name the array that holds the matrix, as d.h5:/X: it has X, cube"),
    "nothing there": ("fit empty.h5 --target y",
                      "empty.h5: name the array that holds the matrix, as empty.h5:/NAME: it has no arrays"),
    "no target": ("fit d.h5:X", "d.h5:X holds no target; give it with --y FILE"),
    "texts": ("fit d.h5:names --target y", 'd.h5: the array "names" is not of numbers'),
    "cube": ("fit d.h5:cube --target y", 'd.h5: the array "cube" is a 2 x 3 x 4 array, where a matrix is needed'),
    "no vector": ("fit d.h5:X --target other", 'd.h5: the array "other" is a 60 x 400 array, where a vector is needed'),
    "single": ("fit d.h5:X --target one", 'd.h5: the array "one" is a single number array, where a vector is needed'),
    "empty": ("fit d.h5:nothing --target y", 'd.h5: the array "nothing" is empty (0 x 3)'),
    "short": ("fit d.h5:X --target short", 'd.h5: the array "short" has 59 numbers, but the matrix has 60 rows'),
    "nan": ("fit d.h5:X --target nan", 'd.h5: the array "nan" has a value in row 7 that is not finite'),
    "filter": ("fit d.h5:lzf --target y", 'd.h5: the array "lzf" cannot be read: '),
    "y without a name": ("fit d.h5:X --y d.h5", "d.h5: name the array that holds the numbers, as d.h5:/NAME"),
    "missing values": ("fit d.h5:X --target y --impute mean", "d.h5: missing values are not read from an HDF5 file"),
    "one-hot": ("fit d.h5:X --target y --one-hot", "d.h5: texts and dates are not read from an HDF5 file"),
    "drop": ("fit d.h5:X --target y --drop a", "d.h5: columns to drop are not read from an HDF5 file"),
    "id": ("fit d.h5:X --target y --id a", "d.h5: row names are not read from an HDF5 file"),
    "written": ("convert d.h5:X out.h5 --target y", "the ending of out.h5 names no format; .csv .tsv .svm .mtx .npy and .npz do"),
    # what other files and builds say
    "shorter": ("", "the file has become shorter while it was read"),
    "beyond the end": ("", "goes beyond the end of the file"),
    "without the library": ("", "this is an HDF5 file, and sven was built without libhdf5; save it as .npy "
                                "the library for HDF5 files cannot be loaded: the library for HDF5 files lacks"),
}
