# The libraries under sven, as imported targets. The build includes this file, and so does the
# installed package of a static sven, whose users must link the same libraries.

find_package(Threads REQUIRED)

# sven_import(<target> <header> <library>): an imported target, where both are found.
#
# Found by name in the system's own folders, not through pkg-config, which names the folder of one
# build of OpenBLAS (bench/ measures it) and so writes it into the program: by name, Debian's
# alternatives are followed.
function(sven_import target header library)
    string(MAKE_C_IDENTIFIER ${target} prefix)
    find_path(${prefix}_INCLUDE_DIR ${header} PATH_SUFFIXES openblas)
    find_library(${prefix}_LIBRARY ${library})
    mark_as_advanced(${prefix}_INCLUDE_DIR ${prefix}_LIBRARY)
    if(${prefix}_INCLUDE_DIR AND ${prefix}_LIBRARY AND NOT TARGET ${target})
        add_library(${target} UNKNOWN IMPORTED)
        set_target_properties(${target} PROPERTIES
            IMPORTED_LOCATION "${${prefix}_LIBRARY}"
            INTERFACE_INCLUDE_DIRECTORIES "${${prefix}_INCLUDE_DIR}")
    endif()
endfunction()

sven_import(sven::zlib zlib.h z)
if(NOT TARGET sven::zlib)
    message(FATAL_ERROR "zlib is missing (Debian: zlib1g-dev)")
endif()
