# The page's own files, in the order in which they are joined: each script may use what those before it define.
set(page_scripts data fold cells atlas books grid blame map matrix case plot compare accuracy_plots accuracy campaigns query find search history app)
set(page_styles style components views)
list(TRANSFORM page_scripts APPEND .js)
list(TRANSFORM page_styles APPEND .css)
