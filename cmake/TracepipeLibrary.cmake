# libtracepipe: the layers below src/cli as one library, shared and static, with only the functions
# of the public headers visible, and what an outside project finds it by. The program links the
# layers themselves and needs none of this.
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
