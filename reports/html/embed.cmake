# Writes page_assets.cc:
# cmake -DOUT=<file> -DTEMPLATE=<file> -DSCRIPTS=<files> -DSTYLES=<files> -DPLOT_SCRIPT=<file> -DPLOT_STYLE=<file>
#   -DPLOT_LICENCE=<file> -P embed.cmake
# The plot library becomes a script of its own, with its licence in front. Without its files, script and style are
# empty.

function(read_all variable)
  set(text "")
  foreach(file ${ARGN})
    file(READ ${file} part)
    string(APPEND text "${part}")
  endforeach()
  if(text MATCHES "\\)upcast\"")
    message(FATAL_ERROR "${ARGN}: holds what ends the string literal")
  endif()
  set(${variable} "${text}" PARENT_SCOPE)
endfunction()

read_all(template ${TEMPLATE})
read_all(style ${PLOT_STYLE} ${STYLES})
read_all(script ${SCRIPTS})
read_all(plot_script ${PLOT_SCRIPT})
if(plot_script)
  read_all(licence ${PLOT_LICENCE})
  set(plot_script "/*!\n${licence}*/\n${plot_script}")
endif()
if("${style}${script}${plot_script}" MATCHES "</|<!--|<script")
  message(FATAL_ERROR "${STYLES} ${SCRIPTS}: a style or script holds what may end its element")
endif()
file(WRITE ${OUT} "#include \"reports/html/page_assets.h\"

namespace upcast::reports {

const std::string_view kPageTemplate = R\"upcast(${template})upcast\";
const std::string_view kPageStyle = R\"upcast(${style})upcast\";
const std::string_view kPageScript = R\"upcast(${script})upcast\";
const std::string_view kPlotScript = R\"upcast(${plot_script})upcast\";

}  // namespace upcast::reports
")
