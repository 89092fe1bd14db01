# Writes page_assets.cc: cmake -DOUT=<file> -DPAGE=<folder> -P embed.cmake
# The scripts are joined in the order below; each may use what those before it define.
set(scripts data fold cells atlas grid map matrix case compare accuracy query find search app)

function(read_all variable)
  set(text "")
  foreach(file ${ARGN})
    file(READ ${PAGE}/${file} part)
    string(APPEND text "${part}")
  endforeach()
  if(text MATCHES "\\)upcast\"")
    message(FATAL_ERROR "${ARGN}: holds what ends the string literal")
  endif()
  set(${variable} "${text}" PARENT_SCOPE)
endfunction()

set(script_files "")
foreach(script ${scripts})
  list(APPEND script_files ${script}.js)
endforeach()
read_all(template template.html)
read_all(style style.css components.css views.css)
read_all(script ${script_files})
if("${style}${script}" MATCHES "</|<!--")
  message(FATAL_ERROR "${PAGE}: a style or script holds what may end its element")
endif()
file(WRITE ${OUT} "#include \"reports/html/page_assets.h\"

namespace upcast::reports {

const std::string_view kPageTemplate = R\"upcast(${template})upcast\";
const std::string_view kPageStyle = R\"upcast(${style})upcast\";
const std::string_view kPageScript = R\"upcast(${script})upcast\";

}  // namespace upcast::reports
")
