# Unity builds (presets release and ci) compile several files as one, because most of a file's compile time is for what
# it includes (docs/decisions/0011-unity-builds.md). CMake's own unity builds name files by absolute paths, so that
# ccache finds nothing in another folder.
include_guard()

option(UPCAST_UNITY "Compile several files as one" OFF)

# upcast_apart(<file>...)
#   Files that are compiled alone: they have a name in common with another one, or options of their own. Must come
#   before the target that has them.
function(upcast_apart)
  set_source_files_properties(${ARGN} PROPERTIES UPCAST_APART ON)
endfunction()

# upcast_units(<variable> <target> <size> <file>...)
#   Sets <variable> to the files as they are. In a unity build it is a list of units instead, each a file that includes
#   <size> of them.
function(upcast_units variable target size)
  set(units "")
  set(names "")
  set(count_cc 0)
  set(count_cu 0)
  foreach(source IN LISTS ARGN)
    get_source_file_property(apart ${source} UPCAST_APART)
    if(NOT UPCAST_UNITY OR apart OR NOT source MATCHES "[.](cc|cu)$")
      list(APPEND units ${source})
      continue()
    endif()
    set(kind ${CMAKE_MATCH_1})
    cmake_path(ABSOLUTE_PATH source NORMALIZE)
    set(root ${PROJECT_SOURCE_DIR})
    cmake_path(IS_PREFIX PROJECT_BINARY_DIR ${source} is_generated)
    if(is_generated)
      set(root ${PROJECT_BINARY_DIR})
    endif()
    cmake_path(RELATIVE_PATH source BASE_DIRECTORY ${root})
    math(EXPR number "${count_${kind}} / ${size}")
    math(EXPR count_${kind} "${count_${kind}} + 1")
    set(name ${target}_${number}.${kind})
    list(APPEND names ${name})
    string(APPEND "unit_${name}" "#include \"${source}\"\n")
  endforeach()
  list(REMOVE_DUPLICATES names)
  foreach(name IN LISTS names)
    set(file ${CMAKE_CURRENT_BINARY_DIR}/units/${name})
    file(CONFIGURE OUTPUT ${file} CONTENT "${unit_${name}}")
    list(APPEND units ${file})
  endforeach()
  set(${variable} ${units} PARENT_SCOPE)
endfunction()
