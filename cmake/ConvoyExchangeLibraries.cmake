# Finds the libraries for formats of other tools, and lists them in CONVOY_EXCHANGE_LIBRARIES. Used by the build and by
# the installed package. ONNX's own package is not enough: it does not find protobuf.
find_package(Protobuf REQUIRED)
find_package(ONNX REQUIRED)
set(CONVOY_EXCHANGE_LIBRARIES onnx_proto protobuf::libprotobuf)
