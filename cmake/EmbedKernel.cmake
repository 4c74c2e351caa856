# cmake -DNAME=dop_walk -DFOLDER=<kernels> -DOUTPUT=<file>.cpp -P EmbedKernel.cmake
# A kernel and the layouts it includes become one string of the library.
file(READ "${FOLDER}/layout.h" layout)
file(READ "${FOLDER}/${NAME}.cl" kernel)
string(REPLACE "#include \"layout.h\"\n" "" kernel "${kernel}")
file(WRITE "${OUTPUT}" "#include \"device/kernel_source.hpp\"\n\nnamespace snug::detail {\n\nconst KernelSource k_${NAME}_source{\"${NAME}\", R\"snug-kernel(${layout}${kernel})snug-kernel\"};\n\n}  // namespace snug::detail\n")
