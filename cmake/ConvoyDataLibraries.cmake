# Finds the libraries that read, unpack and fetch data, and lists them in CONVOY_DATA_LIBRARIES. Used by the build and
# by the installed package.
find_package(CURL REQUIRED)
find_package(LibArchive REQUIRED)
find_package(OpenSSL REQUIRED COMPONENTS Crypto)
find_package(PNG REQUIRED)
find_package(PkgConfig REQUIRED)
find_package(Threads REQUIRED)
find_package(ZLIB REQUIRED)
pkg_check_modules(TurboJPEG REQUIRED IMPORTED_TARGET GLOBAL libturbojpeg)
pkg_check_modules(xxHash REQUIRED IMPORTED_TARGET GLOBAL libxxhash)
set(CONVOY_DATA_LIBRARIES PkgConfig::TurboJPEG PkgConfig::xxHash PNG::PNG ZLIB::ZLIB CURL::libcurl LibArchive::LibArchive
  OpenSSL::Crypto Threads::Threads)
