# The page's own files: its scripts in the order in which they are joined, and its styles in the order of their rules.
# Between data.js and app.js no script may use a constant of another before the page starts.
if(NOT CMAKE_SCRIPT_MODE_FILE)
  set(glob_again CONFIGURE_DEPENDS)
endif()
file(GLOB page_scripts RELATIVE ${CMAKE_CURRENT_LIST_DIR} ${glob_again} ${CMAKE_CURRENT_LIST_DIR}/*.js)
list(REMOVE_ITEM page_scripts data.js app.js)
set(page_scripts data.js ${page_scripts} app.js)
set(page_styles style.css components.css views.css)
