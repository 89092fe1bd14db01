# cmake -DBUILD=<build> -DSOURCE=<this folder> -DCXX=<compiler> -DPYTHON=<python> -P run.cmake
# Installs <build>, then configures, builds and runs the consumer against the installed files. Also builds the template
# of a plug-in. The installed programs check and run that plug-in, and run the template of a process.
set(work ${BUILD}/consumer_test)
file(REMOVE_RECURSE ${work})
function(step)
  execute_process(COMMAND ${ARGV} COMMAND_ERROR_IS_FATAL ANY OUTPUT_QUIET)
endfunction()
step(${CMAKE_COMMAND} --install ${BUILD} --prefix ${work}/prefix)
step(${CMAKE_COMMAND} -G Ninja -S ${SOURCE} -B ${work}/build -DCMAKE_PREFIX_PATH=${work}/prefix
  -DCMAKE_CXX_COMPILER=${CXX})
step(${CMAKE_COMMAND} --build ${work}/build)
step(${work}/build/consumer)

set(upcast ${work}/prefix/bin/upcast)
set(share ${work}/prefix/share/upcast)
step(${CMAKE_COMMAND} -G Ninja -S ${share}/template -B ${work}/template -DCMAKE_PREFIX_PATH=${work}/prefix
  -DCMAKE_CXX_COMPILER=${CXX})
step(${CMAKE_COMMAND} --build ${work}/template)
step(${upcast} check-plugin ${work}/template/libmine.so)
step(${upcast} run "add(float32[3]{1,2,3}, float32[3]) -> float32[3]" --subject plugin:${work}/template/libmine.so --oracle impl:cpu)
step(${CMAKE_COMMAND} -E env PYTHONPATH=${share}/python ${upcast} check-plugin "${PYTHON} ${share}/python/template/backend.py")
