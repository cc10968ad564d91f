# What is installed, and the Debian packages of it: program, library and development are components of
# CPack, one package each. `cmake --install` takes them all.
include(CMakePackageConfigHelpers)

set(tp_doc ${CMAKE_INSTALL_DATADIR}/doc)
set(tp_runtime_package libtracepipe${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR})
set(tp_package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/Tracepipe)

# Compressed as Debian wants it; without the time, so that each build gives the same bytes.
set(tp_compressed "")
function(tp_compress from to)
    set(out ${PROJECT_BINARY_DIR}/compressed/${to})
    add_custom_command(OUTPUT ${out} DEPENDS ${from} VERBATIM
        COMMAND gzip -9nc ${PROJECT_SOURCE_DIR}/${from} > ${out})
    set(tp_compressed ${tp_compressed} ${out} PARENT_SCOPE)
endfunction()
file(MAKE_DIRECTORY ${PROJECT_BINARY_DIR}/compressed)
foreach(page tracepipe.1 tracepipe.3 tracepipe-older.7 tracepipe-sinks.7 tracepipe-stats.7
        tracepipe-tutorial.7)
    tp_compress(docs/man/${page} ${page}.gz)
endforeach()
tp_compress(CHANGELOG.md changelog.gz)
add_custom_target(tp_compressed ALL DEPENDS ${tp_compressed})

# PROGRAM

set(CMAKE_INSTALL_DEFAULT_COMPONENT_NAME program)
install(TARGETS tracepipe RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
set(pages ${PROJECT_BINARY_DIR}/compressed)
install(FILES ${pages}/tracepipe.1.gz DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
install(FILES ${pages}/tracepipe-older.7.gz ${pages}/tracepipe-sinks.7.gz
    ${pages}/tracepipe-stats.7.gz ${pages}/tracepipe-tutorial.7.gz DESTINATION ${CMAKE_INSTALL_MANDIR}/man7)
# Where each shell looks for completions; zsh of Debian has a folder of its own for packages.
install(FILES share/completions/tracepipe.bash RENAME tracepipe
    DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions)
string(REGEX MATCH "^/usr$" is_debian "${CMAKE_INSTALL_PREFIX}")
install(FILES share/completions/_tracepipe
    DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/$<IF:$<BOOL:${is_debian}>,vendor-completions,site-functions>)
install(FILES share/completions/tracepipe.fish
    DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d)
# The JSON schemas of what the program writes.
file(GLOB schemas CONFIGURE_DEPENDS docs/format/*.schema.json)
install(FILES ${schemas} DESTINATION ${CMAKE_INSTALL_DATADIR}/tracepipe)
install(FILES README.md docs/reliability.md docs/speed.md docs/glossary.md
    DESTINATION ${tp_doc}/tracepipe)

# LIBRARY AND DEVELOPMENT

set(CMAKE_INSTALL_DEFAULT_COMPONENT_NAME development)
install(TARGETS tp_library tp_archive EXPORT TracepipeTargets
    LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT library NAMELINK_COMPONENT development
    ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(DIRECTORY include/tracepipe DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}
    FILES_MATCHING PATTERN "*.h")
install(FILES ${pages}/tracepipe.3.gz DESTINATION ${CMAKE_INSTALL_MANDIR}/man3)
file(GLOB examples CONFIGURE_DEPENDS examples/*.c)
install(FILES ${examples} DESTINATION ${tp_doc}/libtracepipe-dev/examples)
install(EXPORT TracepipeTargets NAMESPACE tracepipe:: DESTINATION ${tp_package_dir})

# Who links the static library needs those of others.
set(TP_PC_REQUIRES "libzstd ck libdw libelf libxxhash zlib")
if(TP_WITH_URING)
    string(APPEND TP_PC_REQUIRES " liburing")
endif()
# Both find the prefix from where they are, so that an installation can be moved.
file(RELATIVE_PATH TP_PC_TO_PREFIX
    ${CMAKE_INSTALL_FULL_LIBDIR}/pkgconfig ${CMAKE_INSTALL_PREFIX})
configure_file(cmake/tracepipe.pc.in tracepipe.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/tracepipe.pc
    DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
configure_package_config_file(cmake/TracepipeConfig.cmake.in TracepipeConfig.cmake
    INSTALL_DESTINATION ${tp_package_dir})
write_basic_package_version_file(TracepipeConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/TracepipeConfig.cmake
    ${PROJECT_BINARY_DIR}/TracepipeConfigVersion.cmake DESTINATION ${tp_package_dir})

# PACKAGES

set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_CONTACT "tracepipe authors <tracepipe@localhost>" CACHE STRING "Maintainer of the packages")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_RELEASE 1)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_GENERATE_SHLIBS ON)
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)

# tp_package(COMPONENT NAME SECTION TEXT): a package, with the files that Debian asks of each.
macro(tp_package component name section text)
    string(TOUPPER ${component} upper)
    set(CPACK_DEBIAN_${upper}_PACKAGE_NAME ${name})
    set(CPACK_DEBIAN_${upper}_PACKAGE_SECTION ${section})
    set(CPACK_COMPONENT_${upper}_DESCRIPTION "${text}")
    install(FILES LICENSE RENAME copyright DESTINATION ${tp_doc}/${name} COMPONENT ${component})
    install(FILES ${pages}/changelog.gz DESTINATION ${tp_doc}/${name} COMPONENT ${component})
endmacro()
tp_package(program tracepipe devel "analyses Go execution traces in bulk
Names the lock, the GC pressure, the system call or the goroutine leak that makes a Go service slow,
over one trace or thousands, and writes events, spans, profiles, pictures and reports of them.")
tp_package(library ${tp_runtime_package} libs "reads Go execution traces in bulk (library)
What the program tracepipe does, for programs in C.")
tp_package(development libtracepipe-dev libdevel "reads Go execution traces in bulk (development)
Headers, the static library, the manual and examples.")
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_DEPENDS "${tp_runtime_package} (= ${PROJECT_VERSION}-${CPACK_DEBIAN_PACKAGE_RELEASE}), \
libzstd-dev, zlib1g-dev, libck-dev, libdw-dev, libelf-dev, libbz2-dev, libxxhash-dev")
if(TP_WITH_URING)
    string(APPEND CPACK_DEBIAN_DEVELOPMENT_PACKAGE_DEPENDS ", liburing-dev")
endif()
include(CPack)
