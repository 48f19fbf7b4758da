# What `cmake --install` puts under the prefix: the library, its headers, the program, a package for
# CMake (find_package(sven) gives sven::sven) and one for pkg-config. Both can be moved as a whole.
include(CMakePackageConfigHelpers)

set(package_folder ${CMAKE_INSTALL_LIBDIR}/cmake/sven)
set(pkgconfig_folder ${CMAKE_INSTALL_LIBDIR}/pkgconfig)

install(TARGETS sven EXPORT svenTargets)
install(DIRECTORY include/sven ${PROJECT_BINARY_DIR}/include/sven
        DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} FILES_MATCHING PATTERN "*.hpp" PATTERN "*.h")
if(TARGET sven_mpi)
    install(TARGETS sven_mpi EXPORT svenTargets)
endif()
if(TARGET sven_cli)
    if(BUILD_SHARED_LIBS)  # the program finds libsven from where it stands
        file(RELATIVE_PATH libraries_from_program
             ${CMAKE_INSTALL_FULL_BINDIR} ${CMAKE_INSTALL_FULL_LIBDIR})
        set_target_properties(sven_cli PROPERTIES INSTALL_RPATH "$ORIGIN/${libraries_from_program}")
    endif()
    install(TARGETS sven_cli)
    install(FILES ${PROJECT_SOURCE_DIR}/cli/sven.bash RENAME sven
            DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions)
    # The program writes its own manual page.
    install(CODE "execute_process(COMMAND \"${PROJECT_BINARY_DIR}/sven\" help man
                                  OUTPUT_FILE \"${PROJECT_BINARY_DIR}/sven.1\" COMMAND_ERROR_IS_FATAL ANY)")
    install(FILES ${PROJECT_BINARY_DIR}/sven.1 DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
endif()

# CMake
if(NOT DEFINED BUILD_SHARED_LIBS)
    set(BUILD_SHARED_LIBS OFF)
endif()
install(EXPORT svenTargets NAMESPACE sven:: DESTINATION ${package_folder})
configure_package_config_file(${PROJECT_SOURCE_DIR}/cmake/svenConfig.cmake.in
                              ${PROJECT_BINARY_DIR}/svenConfig.cmake
                              INSTALL_DESTINATION ${package_folder})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/svenConfigVersion.cmake
                                 COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/svenConfig.cmake ${PROJECT_BINARY_DIR}/svenConfigVersion.cmake
              ${PROJECT_SOURCE_DIR}/cmake/SvenDependencies.cmake
        DESTINATION ${package_folder})

# pkg-config. The libraries under a static sven are part of plain `--libs`: nothing else is
# installed that could do without them.
if(BUILD_SHARED_LIBS)
    set(SVEN_PC_SUFFIX .private)
else()
    set(SVEN_PC_STATIC_LIBRARIES " -pthread")
    foreach(library stdc++ c++ m)  # what a C compiler does not link by itself
        if(library IN_LIST CMAKE_CXX_IMPLICIT_LINK_LIBRARIES)
            string(APPEND SVEN_PC_STATIC_LIBRARIES " -l${library}")
        endif()
    endforeach()
    foreach(library IN LISTS CMAKE_DL_LIBS)
        string(APPEND SVEN_PC_STATIC_LIBRARIES " -l${library}")
    endforeach()
    if(SVEN_SANITIZE)
        string(APPEND SVEN_PC_STATIC_LIBRARIES " -fsanitize=${SVEN_SANITIZE}")
    endif()
endif()
file(RELATIVE_PATH SVEN_PREFIX_FROM_PKGCONFIG
     ${CMAKE_INSTALL_PREFIX}/${pkgconfig_folder} ${CMAKE_INSTALL_PREFIX})
configure_file(${PROJECT_SOURCE_DIR}/cmake/sven.pc.in ${PROJECT_BINARY_DIR}/sven.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/sven.pc DESTINATION ${pkgconfig_folder})
