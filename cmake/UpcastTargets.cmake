# The functions that define every target, and the only place for compiler flags.
include_guard()
include(GoogleTest)
include(UpcastUnits)

find_program(CCACHE_PROGRAM ccache)
if(CCACHE_PROGRAM AND NOT DEFINED CMAKE_CXX_COMPILER_LAUNCHER)
  # With relative paths and no folder in the hash, ccache also finds objects that another checkout compiled.
  set(ccache_launcher ${CMAKE_COMMAND} -E env CCACHE_BASEDIR=${PROJECT_SOURCE_DIR} CCACHE_NOHASHDIR=1 ${CCACHE_PROGRAM})
  set(CMAKE_CXX_COMPILER_LAUNCHER ${ccache_launcher})
  set(CMAKE_CUDA_COMPILER_LAUNCHER ${ccache_launcher})
endif()

# Options of nvcc. Device code that calls a host function is an error. Warning 186 is off: it reports comparisons of an
# unsigned T with 0. CMake 3.25 does not know nvcc's C++20, so -std says it.
set(UPCAST_CUDA_OPTIONS -std=c++20 -fmad=false --expt-relaxed-constexpr -diag-suppress=186
  -Werror=cross-execution-space-call)

add_library(upcast_compile_options INTERFACE)
add_library(upcast::compile_options ALIAS upcast_compile_options)
target_compile_features(upcast_compile_options INTERFACE cxx_std_20)
# The ABI of std::string: LibTorch's wheels are compiled with the new one, so our code is too.
target_compile_definitions(upcast_compile_options INTERFACE $<$<COMPILE_LANGUAGE:CXX>:_GLIBCXX_USE_CXX11_ABI=1>)
# Tests compare bits, so there is no contraction into FMA and no fast-math (docs/numerics.md).
target_compile_options(upcast_compile_options INTERFACE
  $<$<COMPILE_LANGUAGE:CXX>:-ffp-contract=off;-fno-fast-math>
  # All code is position-independent, so that every archive links into a module. Our own functions are still inlined.
  $<$<COMPILE_LANGUAGE:CXX>:-fPIC;-fno-semantic-interposition>
  $<$<COMPILE_LANGUAGE:CXX>:-Wall;-Wextra;-Wpedantic;-Wshadow;-Wnon-virtual-dtor>
  $<$<AND:$<BOOL:${UPCAST_WERROR}>,$<COMPILE_LANGUAGE:CXX>>:-Werror>
  "$<$<COMPILE_LANGUAGE:CUDA>:${UPCAST_CUDA_OPTIONS}>"
  $<$<AND:$<BOOL:${UPCAST_WERROR}>,$<COMPILE_LANGUAGE:CUDA>>:-Werror=all-warnings>)

# The linker is GNU ld. lld 14 links faster, but it has a fault: if GCC emits an empty function (the .cold part of a
# std::visit), lld's .eh_frame_hdr names that one in the place of the next function, and an exception through the next
# one ends the process.

# upcast_library(upcast_<part> [SOURCES <file>...] [LINK <target>...] [LINK_PRIVATE <target>...] [UNIT <n>])
#   A static library, or a header-only one where it has no SOURCES; alias upcast::<part>.
#   LINK is what its headers need, LINK_PRIVATE what only its sources need. UNIT: files in a unit of a unity build, else 8.
function(upcast_library name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "UNIT" "SOURCES;LINK;LINK_PRIVATE")
  if(NOT arg_UNIT)
    set(arg_UNIT 8)
  endif()
  if(arg_SOURCES)
    upcast_units(units ${name} ${arg_UNIT} ${arg_SOURCES})
    add_library(${name} STATIC ${units})
    set_target_properties(${name} PROPERTIES LINKER_LANGUAGE CXX)  # CMake cannot tell the language from object files
    target_include_directories(${name} PUBLIC ${PROJECT_SOURCE_DIR})
    target_link_libraries(${name} PUBLIC ${arg_LINK} PRIVATE upcast::compile_options ${arg_LINK_PRIVATE})
    target_compile_features(${name} PUBLIC cxx_std_20)
  else()
    add_library(${name} INTERFACE)
    target_link_libraries(${name} INTERFACE ${arg_LINK} ${arg_LINK_PRIVATE})
    target_compile_features(${name} INTERFACE cxx_std_20)
  endif()
  string(REGEX REPLACE "^upcast_" "upcast::" alias ${name})
  add_library(${alias} ALIAS ${name})
endfunction()

# upcast_objects(<name> <files in a unit> <file>...)
#   Object files that several libraries take.
function(upcast_objects name size)
  upcast_units(units ${name} ${size} ${ARGN})
  add_library(${name} OBJECT ${units})
  target_include_directories(${name} PRIVATE ${PROJECT_SOURCE_DIR} ${PROJECT_BINARY_DIR})
  target_link_libraries(${name} PRIVATE upcast::compile_options)
endfunction()

# upcast_program(<name> SOURCES <file>... [LINK <target>...])
#   A command in <build>/bin. One without SOURCES yet is left out.
function(upcast_program name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "SOURCES;LINK")
  if(arg_SOURCES)
    upcast_units(units ${name} 8 ${arg_SOURCES})
    add_executable(${name} ${units})
    set_target_properties(${name} PROPERTIES LINKER_LANGUAGE CXX)
    target_include_directories(${name} PRIVATE ${PROJECT_SOURCE_DIR})
    target_link_libraries(${name} PRIVATE upcast::compile_options ${arg_LINK})
  endif()
endfunction()

# upcast_test(<layer>.<part> SOURCES <file>... [LINK <target>...] [LABELS <label>...] [TIMEOUT <s>] [WHOLE])
#   One GoogleTest binary; each test in it becomes the ctest entry <layer>.<part>.<Suite>.<Test>.
#   WHOLE: one ctest entry for the whole binary, where starting it costs more than its tests
#   (LibTorch takes most of a second to load).
function(upcast_test name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "WHOLE" "TIMEOUT" "SOURCES;LINK;LABELS")
  if(NOT BUILD_TESTING)
    return()
  endif()
  if(NOT arg_TIMEOUT)
    set(arg_TIMEOUT 60)
  endif()
  upcast_units(units ${name} 8 ${arg_SOURCES})
  add_executable(${name} ${units})
  target_include_directories(${name} PRIVATE ${PROJECT_SOURCE_DIR})
  target_link_libraries(${name} PRIVATE upcast::compile_options ${arg_LINK} GTest::gtest_main)
  # Tests find their data by UPCAST_SOURCE_DIR and the commands by UPCAST_BINARY_DIR.
  target_compile_definitions(${name} PRIVATE
    UPCAST_SOURCE_DIR="${PROJECT_SOURCE_DIR}" UPCAST_BINARY_DIR="${PROJECT_BINARY_DIR}")
  if(arg_WHOLE)
    add_test(NAME ${name} COMMAND ${name} --gtest_brief=1)
    set_tests_properties(${name} PROPERTIES LABELS "${arg_LABELS}" TIMEOUT ${arg_TIMEOUT})
  else()
    gtest_discover_tests(${name} TEST_PREFIX "${name}." DISCOVERY_MODE PRE_TEST
      PROPERTIES LABELS "${arg_LABELS}" TIMEOUT ${arg_TIMEOUT})
  endif()
endfunction()

# upcast_check(<name> COMMAND <word>... PROPERTIES <property> <value>...)
#   A test that is a command, with its properties.
function(upcast_check name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "COMMAND;PROPERTIES")
  add_test(NAME ${name} COMMAND ${arg_COMMAND})
  set_tests_properties(${name} PROPERTIES ${arg_PROPERTIES})
endfunction()

# upcast_embed(<variable> NAMESPACE <namespace> NAME <constant> FILES <file>...)
#   Text files, joined, as a char constant: <variable> is the source file that defines it.
function(upcast_embed variable)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "NAMESPACE;NAME" "FILES")
  set(out ${CMAKE_CURRENT_BINARY_DIR}/${arg_NAME}.cc)
  set(script ${PROJECT_SOURCE_DIR}/cmake/embed.cmake)
  add_custom_command(OUTPUT ${out}
    COMMAND ${CMAKE_COMMAND} "-DIN=${arg_FILES}" -DNAME=${arg_NAME} -DNAMESPACE=${arg_NAMESPACE} -DOUT=${out} -P ${script}
    DEPENDS ${arg_FILES} ${script} VERBATIM)
  upcast_apart(${out})
  set(${variable} ${out} PARENT_SCOPE)
endfunction()
