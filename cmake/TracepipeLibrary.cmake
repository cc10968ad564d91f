# libtracepipe: the layers below src/cli as one library, with only the functions of the
# public headers visible, and what an outside project finds it by. Shared unless
# BUILD_SHARED_LIBS=OFF. The program links the layers themselves and needs none of this.
include(CMakePackageConfigHelpers)

set(tp_layers base io decode symbols merge stats sink pipeline)
list(TRANSFORM tp_layers REPLACE "(.+)" "$<TARGET_OBJECTS:tp_\\1>" OUTPUT_VARIABLE tp_objects)
add_library(tp_library ${tp_objects})
add_library(tracepipe::tracepipe ALIAS tp_library)
# The ABI changes with every 0.x, so the name of the library does, too.
set_target_properties(tp_library PROPERTIES
    OUTPUT_NAME tracepipe EXPORT_NAME tracepipe LINKER_LANGUAGE C
    VERSION ${PROJECT_VERSION} SOVERSION ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR})
target_include_directories(tp_library INTERFACE
    $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include>
    $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
target_link_options(tp_library PRIVATE $<TARGET_PROPERTY:tp_flags,INTERFACE_LINK_OPTIONS>)
target_link_libraries(tp_library PRIVATE
    PkgConfig::ZSTD PkgConfig::CK PkgConfig::DW PkgConfig::XXHASH ZLIB::ZLIB Threads::Threads m
    $<$<BOOL:${TP_WITH_URING}>:PkgConfig::URING>)

# INSTALLATION

set(tp_package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/Tracepipe)
install(TARGETS tracepipe RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
install(TARGETS tp_library EXPORT TracepipeTargets
    LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR} ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(DIRECTORY include/tracepipe DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}
    FILES_MATCHING PATTERN "*.h")
install(FILES docs/man/tracepipe.1 DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
install(FILES docs/man/tracepipe.3 DESTINATION ${CMAKE_INSTALL_MANDIR}/man3)
install(FILES docs/man/tracepipe-older.7 docs/man/tracepipe-sinks.7
    docs/man/tracepipe-stats.7 DESTINATION ${CMAKE_INSTALL_MANDIR}/man7)
# Where the completions of bash look for them.
install(FILES src/cli/tracepipe.bash RENAME tracepipe
    DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions)
# The JSON schemas of what the program writes.
file(GLOB tp_schemas CONFIGURE_DEPENDS docs/format/*.schema.json)
install(FILES ${tp_schemas} DESTINATION ${CMAKE_INSTALL_DATADIR}/tracepipe)
install(EXPORT TracepipeTargets NAMESPACE tracepipe:: DESTINATION ${tp_package_dir})

# A static library needs those of others from whoever links it.
set(tp_modules libzstd ck libdw libelf libxxhash zlib)
if(TP_WITH_URING)
    list(APPEND tp_modules liburing)
endif()
set(TP_PC_REQUIRES "")
set(TP_PC_LIBS "")
if(NOT BUILD_SHARED_LIBS)
    list(JOIN tp_modules " " TP_PC_REQUIRES)
    set(TP_PC_LIBS "-pthread -lm")
endif()

# Both find the prefix from where they are, so that an installation can be moved.
file(RELATIVE_PATH TP_PC_TO_PREFIX
    ${CMAKE_INSTALL_FULL_LIBDIR}/pkgconfig ${CMAKE_INSTALL_PREFIX})
configure_file(cmake/tracepipe.pc.in tracepipe.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/tracepipe.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
configure_package_config_file(cmake/TracepipeConfig.cmake.in TracepipeConfig.cmake
    INSTALL_DESTINATION ${tp_package_dir})
write_basic_package_version_file(TracepipeConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/TracepipeConfig.cmake
    ${PROJECT_BINARY_DIR}/TracepipeConfigVersion.cmake DESTINATION ${tp_package_dir})
