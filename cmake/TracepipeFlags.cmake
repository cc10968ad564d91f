# Warnings and sanitizers, carried by one interface target. Nothing is set
# globally, so that a library of another project would not inherit it.
add_library(tp_flags INTERFACE)
target_include_directories(tp_flags INTERFACE
    ${PROJECT_SOURCE_DIR}/src ${PROJECT_SOURCE_DIR}/include)
target_compile_options(tp_flags INTERFACE
    -Wall -Wextra -Wconversion -Wshadow -Wstrict-prototypes -Wmissing-prototypes
    -fvisibility=hidden -fno-strict-aliasing
    # Messages of failed checks name files as they stand in the project.
    -fmacro-prefix-map=${PROJECT_SOURCE_DIR}/=)
# A struct of a few cache lines is cleared for every goroutine. GCC would use `rep stos`, which takes
# some 30 cycles to start; vector stores take a few.
include(CheckCCompilerFlag)
set(TP_CLEAR_STRATEGY -mmemset-strategy=vector_loop:256:noalign,libcall:-1:noalign)
check_c_compiler_flag(${TP_CLEAR_STRATEGY} TP_HAS_CLEAR_STRATEGY)
if(TP_HAS_CLEAR_STRATEGY)
    target_compile_options(tp_flags INTERFACE ${TP_CLEAR_STRATEGY})
endif()
# What distributions expect of a program that reads files of strangers, where the compiler has it; and
# no path of the machine that builds, so that each folder gives the same bytes. Debug builds have
# neither: the sanitizers see more, and debuggers find the sources.
set(release_only $<CONFIG:Release,RelWithDebInfo,MinSizeRel>)
set(hardening -ffile-prefix-map=${PROJECT_SOURCE_DIR}/= -ffile-prefix-map=${PROJECT_BINARY_DIR}=build)
foreach(flag -fstack-protector-strong -fstack-clash-protection -fcf-protection -mbranch-protection=standard)
    string(MAKE_C_IDENTIFIER TP_HAS${flag} has)
    check_c_compiler_flag(${flag} ${has})
    if(${has})
        list(APPEND hardening ${flag})
    endif()
endforeach()
target_compile_options(tp_flags INTERFACE
    $<${release_only}:${hardening};-U_FORTIFY_SOURCE;-D_FORTIFY_SOURCE=3>)
# The optimiser of the whole program compiles again when it links.
target_link_options(tp_flags INTERFACE
    $<${release_only}:${hardening};LINKER:-z,relro,-z,now,-z,noexecstack>)
include(CheckPIESupported)
check_pie_supported(LANGUAGES C)
target_compile_definitions(tp_flags INTERFACE _GNU_SOURCE
    $<$<BOOL:${TP_WITH_URING}>:TP_WITH_URING>)
if(TP_WERROR)
    target_compile_options(tp_flags INTERFACE -Werror)
endif()
if(TP_SANITIZE)
    target_compile_options(tp_flags INTERFACE -fsanitize=${TP_SANITIZE}
        -fno-sanitize-recover=all -fno-omit-frame-pointer)
    target_link_options(tp_flags INTERFACE -fsanitize=${TP_SANITIZE})
endif()
if(TP_FUZZ)
    # Coverage of all code; the targets themselves link to libFuzzer's main.
    target_compile_options(tp_flags INTERFACE -fsanitize=fuzzer-no-link)
    target_link_options(tp_flags INTERFACE -fsanitize=fuzzer-no-link)
endif()

# The static library is for compilers and flags that are not ours, and optimising each of a hundred
# tests as a whole takes ten times as long as all else. Both get what is compiled already
# (tests/CMakeLists.txt), which has to be there beside the intermediate code.
if(CMAKE_INTERPROCEDURAL_OPTIMIZATION AND CMAKE_C_COMPILER_ID STREQUAL GNU)
    set(TP_FAT_OBJECTS ON)
endif()

# tp_layer(NAME SOURCES ... LINK ...): the static library tp_NAME.
function(tp_layer name)
    cmake_parse_arguments(ARG "" "" "SOURCES;LINK" ${ARGN})
    add_library(tp_${name} STATIC ${ARG_SOURCES})
    set_target_properties(tp_${name} PROPERTIES POSITION_INDEPENDENT_CODE ON)
    if(TP_FAT_OBJECTS)
        target_compile_options(tp_${name} PRIVATE -ffat-lto-objects)
    endif()
    target_link_libraries(tp_${name} PUBLIC tp_flags ${ARG_LINK})
endfunction()
