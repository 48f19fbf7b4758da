# OpenBLAS for the Python package: that of the scipy-openblas32 wheel, which travels inside ours, so
# that the package needs no BLAS of the system. Its names begin with scipy_, lest they meet another
# OpenBLAS in the same process; a header generated here lets our sources say the usual names. Without
# that wheel the system's OpenBLAS is used, as in any other build.
find_package(Python 3.10 REQUIRED COMPONENTS Interpreter)
execute_process(
    COMMAND "${Python_EXECUTABLE}" -c
            "import importlib.metadata as m, scipy_openblas32 as b; files = m.files('scipy-openblas32'); \
print(b.get_include_dir(), b.get_lib_dir(), *[f.locate() for f in files if 'LICENSE' in f.name], sep=';')"
    OUTPUT_VARIABLE folders OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET RESULT_VARIABLE missing)
if(missing)
    message(STATUS "scipy-openblas32 is not installed: the module will load the system's OpenBLAS")
    return()
endif()
list(GET folders 0 headers)
list(GET folders 1 libraries)
list(GET folders 2 SVEN_WHEEL_OPENBLAS_LICENSE)
find_library(SVEN_WHEEL_OPENBLAS scipy_openblas PATHS ${libraries} NO_DEFAULT_PATH REQUIRED NO_CACHE)

set(renamed "${PROJECT_BINARY_DIR}/blas_names/sven_blas_names.h")
set(lines "")
foreach(header cblas.h lapacke.h)
    file(STRINGS "${headers}/${header}" declarations REGEX "scipy_[A-Za-z0-9_]+ *\\(")
    foreach(declaration IN LISTS declarations)
        if(declaration MATCHES "scipy_((cblas_|openblas_|LAPACKE_)[A-Za-z0-9_]+) *\\(")
            list(APPEND lines "#define ${CMAKE_MATCH_1} scipy_${CMAKE_MATCH_1}")
        endif()
    endforeach()
endforeach()
list(REMOVE_DUPLICATES lines)
list(JOIN lines "\n" text)
file(GENERATE OUTPUT "${renamed}" CONTENT "${text}\n")

foreach(target sven::openblas sven::lapacke)
    add_library(${target} UNKNOWN IMPORTED)
    set_target_properties(${target} PROPERTIES
        IMPORTED_LOCATION "${SVEN_WHEEL_OPENBLAS}"
        INTERFACE_INCLUDE_DIRECTORIES "${headers}"
        INTERFACE_COMPILE_OPTIONS "SHELL:-include ${renamed}")
endforeach()
