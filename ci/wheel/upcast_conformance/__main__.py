"""python3 -m upcast_conformance: prints the folder to give to CMAKE_PREFIX_PATH; the templates are in its share/upcast."""

from upcast_conformance import FOLDER

print(FOLDER)
