# cmake -DNAME=dop_walk -DFOLDER=<kernels> -DOUTPUT=<file>.cpp -P EmbedKernel.cmake
# A kernel and the headers it includes become one string of the library. Those that include others come first here.
file(READ "${FOLDER}/${NAME}.cl" kernel)
foreach(header ray_item.h exact_line.h ray_line.h group.h layout.h)
  file(READ "${FOLDER}/${header}" text)
  string(REPLACE "#include \"${header}\"\n" "${text}" kernel "${kernel}")
endforeach()
file(WRITE "${OUTPUT}" "#include \"device/kernel_source.hpp\"\n\nnamespace snug::device {\n\nconst KernelSource k_${NAME}_source{\"${NAME}\", R\"snug-kernel(${kernel})snug-kernel\"};\n\n}  // namespace snug::device\n")
