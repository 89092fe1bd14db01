# cmake -DBUILD=<build> -DSOURCE=<this folder> -DCXX=<compiler> -P run.cmake
# Installs <build>, then configures, builds and runs the consumer against the installed files.
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
