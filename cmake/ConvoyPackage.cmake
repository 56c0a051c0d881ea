# Debian packages of the components, made by `make deb`: convoy to run, convoy-dev to build on the library,
# python3-convoy.
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME convoy)
set(CPACK_PACKAGE_VENDOR Convoy)
set(CPACK_DEBIAN_PACKAGE_MAINTAINER "The authors of Convoy")
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)
# So that the umask of whoever builds does not matter.
set(CPACK_INSTALL_DEFAULT_DIRECTORY_PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ
  WORLD_EXECUTE)
set(CPACK_STRIP_FILES ON)
set(CPACK_COMPONENTS_ALL runtime dev)
set(CPACK_DEB_COMPONENT_INSTALL ON)

set(CPACK_DEBIAN_RUNTIME_PACKAGE_NAME convoy)
set(CPACK_DEBIAN_RUNTIME_PACKAGE_SECTION science)
# The first line of each description is the project's description.
set(CPACK_DEBIAN_RUNTIME_DESCRIPTION "The program: training on CPUs, from one machine to a cluster, with studies of how
well that scales and reports that say where the time goes.")
# dpkg-shlibdeps finds the libraries that the program is linked with. mpirun is needed to start workers.
set(CPACK_DEBIAN_RUNTIME_PACKAGE_SHLIBDEPS ON)
if(CONVOY_MPI)
  set(CPACK_DEBIAN_RUNTIME_PACKAGE_DEPENDS openmpi-bin)
endif()
# A first data set, and the certificates for fetching others by https.
set(CPACK_DEBIAN_RUNTIME_PACKAGE_RECOMMENDS "dataset-fashion-mnist, ca-certificates")
set(CPACK_DEBIAN_RUNTIME_PACKAGE_SUGGESTS "bash-completion, convoy-dev, openssh-client")

set(CPACK_DEBIAN_DEV_PACKAGE_NAME convoy-dev)
set(CPACK_DEBIAN_DEV_PACKAGE_SECTION libdevel)
set(CPACK_DEBIAN_DEV_DESCRIPTION "The library: static, with headers, a CMake package and examples.")
# The packages that ConvoyConfig.cmake looks for.
set(CPACK_DEBIAN_DEV_PACKAGE_DEPENDS "libarchive-dev, libcurl4-openssl-dev, libdnnl-dev, libfmt-dev, \
libonnx-dev, libpng-dev, libprotobuf-dev, libssl-dev, libturbojpeg0-dev, libxxhash-dev, nlohmann-json3-dev, pkg-config, zlib1g-dev")
if(CONVOY_MPI)
  string(APPEND CPACK_DEBIAN_DEV_PACKAGE_DEPENDS ", libopenmpi-dev")
endif()
set(CPACK_DEBIAN_DEV_PACKAGE_RECOMMENDS "cmake, convoy (= ${PROJECT_VERSION}), g++")

if(TARGET _convoy)
  list(APPEND CPACK_COMPONENTS_ALL python)
  set(CPACK_DEBIAN_PYTHON_PACKAGE_NAME python3-convoy)
  set(CPACK_DEBIAN_PYTHON_PACKAGE_SECTION python)
  set(CPACK_DEBIAN_PYTHON_DESCRIPTION "The package for Python: networks, training, runs and studies.")
  set(CPACK_DEBIAN_PYTHON_PACKAGE_SHLIBDEPS ON)
  # The module is compiled for one minor version of Python.
  math(EXPR next_minor "${Python_VERSION_MINOR} + 1")
  set(CPACK_DEBIAN_PYTHON_PACKAGE_DEPENDS "python3 (>= 3.${Python_VERSION_MINOR}~), python3 (<< 3.${next_minor}), \
python3-numpy")
  set(CPACK_DEBIAN_PYTHON_PACKAGE_RECOMMENDS "convoy (= ${PROJECT_VERSION}), openmpi-bin")
  set(CPACK_DEBIAN_PYTHON_PACKAGE_SUGGESTS "python3-matplotlib, python3-pandas, python3-mpi4py")
endif()
include(CPack)
