# The libraries under sven, as imported targets. The build includes this file, and so does the
# installed package of a static sven, whose users must link the same libraries.

find_package(OpenMP REQUIRED COMPONENTS CXX)
find_package(PkgConfig REQUIRED)
pkg_check_modules(OPENBLAS REQUIRED IMPORTED_TARGET openblas)
pkg_check_modules(LAPACKE REQUIRED IMPORTED_TARGET lapacke)

# LIBLINEAR has neither a pkg-config file nor a CMake package.
if(SVEN_LIBLINEAR AND NOT TARGET sven::liblinear)
    find_path(LIBLINEAR_INCLUDE_DIR linear.h PATH_SUFFIXES liblinear)
    find_library(LIBLINEAR_LIBRARY linear)
    mark_as_advanced(LIBLINEAR_INCLUDE_DIR LIBLINEAR_LIBRARY)
    if(LIBLINEAR_INCLUDE_DIR AND LIBLINEAR_LIBRARY)
        add_library(sven::liblinear UNKNOWN IMPORTED)
        set_target_properties(sven::liblinear PROPERTIES
            IMPORTED_LOCATION "${LIBLINEAR_LIBRARY}"
            INTERFACE_INCLUDE_DIRECTORIES "${LIBLINEAR_INCLUDE_DIR}")
    endif()
endif()
