# uPlot, which draws the report's plots; the build can do without. Looked for in UPLOT (variable or environment: a folder
# that holds uPlot.iife.js, or uPlot.iife.min.js, and uPlot.min.css), else in the cache that ci/setup.sh fills.
#   UPlot_SCRIPT, UPlot_STYLE, UPlot_VERSION   the two files, and the version that the script's text states
set(_cache $ENV{XDG_CACHE_HOME})
if(NOT _cache)
  set(_cache $ENV{HOME}/.cache)
endif()
file(STRINGS ${PROJECT_SOURCE_DIR}/ci/uplot.txt _pin REGEX "==")
string(REGEX REPLACE ".*==([^ ]+).*" "\\1" _pin "${_pin}")
set(_hint ${UPLOT})
if(NOT _hint)
  set(_hint $ENV{UPLOT})
endif()
if(NOT _hint)
  set(_hint ${_cache}/upcast/uplot-${_pin}/uplot/static)
endif()

# NO_CACHE: a changed UPLOT must take effect on the next configure.
find_file(UPlot_SCRIPT NAMES uPlot.iife.min.js uPlot.iife.js NO_CACHE NO_DEFAULT_PATH PATHS ${_hint})
find_file(UPlot_STYLE uPlot.min.css NO_CACHE NO_DEFAULT_PATH PATHS ${_hint})
if(UPlot_SCRIPT)
  file(READ ${UPlot_SCRIPT} _head LIMIT 400)
  string(REGEX MATCH "uPlot \\(v([0-9.]+)\\)" _ "${_head}")
  set(UPlot_VERSION "${CMAKE_MATCH_1}")
endif()

include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(UPlot REQUIRED_VARS UPlot_SCRIPT UPlot_STYLE VERSION_VAR UPlot_VERSION
  REASON_FAILURE_MESSAGE "reports will have tables and no plots: run ci/setup.sh, or set UPLOT")
