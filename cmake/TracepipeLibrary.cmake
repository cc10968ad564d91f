# libtracepipe: the layers below src/cli as one library, shared and static, with only the functions
# of the public headers visible, and what an outside project finds it by. The program links the
# layers themselves and needs none of this.
include(CMakePackageConfigHelpers)

set(tp_layers base io decode symbols merge stats sink pipeline)
list(TRANSFORM tp_layers REPLACE "(.+)" "$<TARGET_OBJECTS:tp_\\1>" OUTPUT_VARIABLE tp_objects)
add_library(tp_library SHARED ${tp_objects})
add_library(tp_archive STATIC ${tp_objects})
add_library(tracepipe::tracepipe ALIAS tp_library)
foreach(library tp_library tp_archive)
    set_target_properties(${library} PROPERTIES OUTPUT_NAME tracepipe LINKER_LANGUAGE C)
    target_include_directories(${library} INTERFACE
        $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include>
        $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
    target_link_libraries(${library} PRIVATE
        PkgConfig::ZSTD PkgConfig::CK PkgConfig::DW PkgConfig::XXHASH ZLIB::ZLIB Threads::Threads m
        $<$<BOOL:${TP_WITH_URING}>:PkgConfig::URING>)
endforeach()
# The ABI changes with every 0.x, so the name of the library does, too.
set_target_properties(tp_library PROPERTIES EXPORT_NAME tracepipe
    VERSION ${PROJECT_VERSION} SOVERSION ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR})
target_link_options(tp_library PRIVATE $<TARGET_PROPERTY:tp_flags,INTERFACE_LINK_OPTIONS>)
set_target_properties(tp_archive PROPERTIES EXPORT_NAME static)
if(TP_FAT_OBJECTS)
    # Another compiler's linker would take the intermediate code for its own.
    add_custom_command(TARGET tp_archive POST_BUILD VERBATIM COMMAND ${CMAKE_OBJCOPY} --wildcard
        --remove-section=.gnu.lto_* --remove-section=.gnu.debuglto_* --strip-symbol=__gnu_lto_slim
        --strip-debug --enable-deterministic-archives $<TARGET_FILE:tp_archive>)
endif()

# INSTALLATION

set(tp_package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/Tracepipe)
install(TARGETS tracepipe RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
install(TARGETS tp_library tp_archive EXPORT TracepipeTargets
    LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR} ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(DIRECTORY include/tracepipe DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}
    FILES_MATCHING PATTERN "*.h")
install(FILES docs/man/tracepipe.1 DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
install(FILES docs/man/tracepipe.3 DESTINATION ${CMAKE_INSTALL_MANDIR}/man3)
install(FILES docs/man/tracepipe-older.7 docs/man/tracepipe-sinks.7
    docs/man/tracepipe-stats.7 DESTINATION ${CMAKE_INSTALL_MANDIR}/man7)
# Where each shell looks for completions; zsh of Debian has a folder of its own for packages.
install(FILES share/completions/tracepipe.bash RENAME tracepipe
    DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions)
string(REGEX MATCH "^/usr$" tp_zsh "${CMAKE_INSTALL_PREFIX}")
install(FILES share/completions/_tracepipe
    DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/$<IF:$<BOOL:${tp_zsh}>,vendor-completions,site-functions>)
install(FILES share/completions/tracepipe.fish
    DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d)
# The JSON schemas of what the program writes.
file(GLOB tp_schemas CONFIGURE_DEPENDS docs/format/*.schema.json)
install(FILES ${tp_schemas} DESTINATION ${CMAKE_INSTALL_DATADIR}/tracepipe)
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
install(FILES ${PROJECT_BINARY_DIR}/tracepipe.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
configure_package_config_file(cmake/TracepipeConfig.cmake.in TracepipeConfig.cmake
    INSTALL_DESTINATION ${tp_package_dir})
write_basic_package_version_file(TracepipeConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/TracepipeConfig.cmake
    ${PROJECT_BINARY_DIR}/TracepipeConfigVersion.cmake DESTINATION ${tp_package_dir})
