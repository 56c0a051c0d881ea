# Makes the Debian packages, unpacks each into a folder and checks that the program starts, and that each package has
# what it should and nothing that belongs to the other.
file(REMOVE_RECURSE ${WORK})
file(MAKE_DIRECTORY ${WORK})

function(run)
  execute_process(COMMAND ${ARGN} RESULT_VARIABLE result OUTPUT_VARIABLE output ERROR_VARIABLE errors)
  if(NOT result EQUAL 0)
    list(JOIN ARGN " " command)
    message(FATAL_ERROR "${command}\nfailed with ${result}:\n${output}${errors}")
  endif()
  set(output "${output}" PARENT_SCOPE)
endfunction()

function(require_match text pattern what)
  if(NOT text MATCHES "${pattern}")
    message(FATAL_ERROR "${what}: '${pattern}' is not in\n${text}")
  endif()
endfunction()

run(${CPACK} --config ${BUILD}/CPackConfig.cmake -B ${WORK}/made)

file(GLOB program ${WORK}/made/convoy_${VERSION}_*.deb)
file(GLOB library ${WORK}/made/convoy-dev_${VERSION}_*.deb)
foreach(package program library)
  run(dpkg-deb --extract ${${package}} ${WORK}/${package})
endforeach()

file(GLOB python ${WORK}/made/python3-convoy_${VERSION}_*.deb)
if(PYTHON)
  run(dpkg-deb --extract ${python} ${WORK}/python)
  set(in_package ${CMAKE_COMMAND} -E env PYTHONPATH=${WORK}/python/usr/lib/python3/dist-packages
    PYTHONDONTWRITEBYTECODE=1 XDG_CACHE_HOME=${WORK}/cache ${PYTHON})
  run(${in_package} -c "import convoy\nprint(convoy.__version__, convoy.__file__)")
  require_match("${output}" "^${VERSION} ${WORK}/python/" "the package for Python")
  run(${in_package} ${WORK}/python/usr/share/doc/python3-convoy/examples/train.py)
  require_match("${output}" "accuracy on new images: " "the example of the package for Python")
  foreach(file py.typed _convoy.pyi)
    if(NOT EXISTS ${WORK}/python/usr/lib/python3/dist-packages/convoy/${file})
      message(FATAL_ERROR "not in the package for Python: ${file}")
    endif()
  endforeach()
  run(dpkg-deb --field ${python} Depends)
  require_match("${output}" "libdnnl.*python3-numpy|python3-numpy.*libdnnl" "what the package for Python depends on")
endif()

run(${WORK}/program/usr/bin/convoy --version)
require_match("${output}" "^convoy ${VERSION} " "the version")
run(dpkg-deb --field ${program} Depends)
foreach(needed libdnnl openmpi-bin libcurl)
  require_match("${output}" "${needed}" "what the program depends on")
endforeach()

foreach(file program/usr/share/man/man1/convoy-train.1.gz program/usr/share/bash-completion/completions/convoy
    program/usr/share/doc/convoy/README.md library/usr/include/convoy/convoy.h
    library/usr/share/doc/convoy/examples/train_a_run.cc)
  if(NOT EXISTS ${WORK}/${file})
    message(FATAL_ERROR "not in the package: ${file}")
  endif()
endforeach()
file(GLOB_RECURSE unwanted ${WORK}/program/*.h ${WORK}/program/*.a ${WORK}/library/usr/bin/* ${WORK}/*_test*)
if(unwanted)
  message(FATAL_ERROR "packed by mistake: ${unwanted}")
endif()
