# chip/configs.yaml as a table for the library, which has to build without Python. chip/tools/configs.py reads the same file, checks it
# and refuses what is wrong with it; here a line is either of the one form there is or an error.
function(snug_chip_configurations source target)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${source}")
  file(STRINGS "${source}" lines)
  set(rows "")
  foreach(line IN LISTS lines)
    if(line MATCHES "^#" OR line STREQUAL "" OR line STREQUAL "configurations:")
      continue()
    endif()
    if(NOT line MATCHES "^  ([a-z][a-z0-9_]*): {(.*)}$")
      message(FATAL_ERROR "${source}: expected '  name: {key: value, ...}', not '${line}'")
    endif()
    set(name "${CMAKE_MATCH_1}")
    set(items "${CMAKE_MATCH_2}")
    foreach(key width axes multiplier_stages)
      if(NOT items MATCHES "${key}: ([0-9]+)")
        message(FATAL_ERROR "${source}: '${name}' has no ${key}")
      endif()
      set(${key} "${CMAKE_MATCH_1}")
    endforeach()
    string(APPEND rows "    {\"${name}\", ${width}, ${axes}, ${multiplier_stages}},\n")
  endforeach()
  file(CONFIGURE OUTPUT "${target}" CONTENT "// From chip/configs.yaml.
#include \"chip/configuration.hpp\"

namespace snug::chip {

namespace {
constexpr Configuration k_configurations[] = {
@rows@};
}  // namespace

std::span<const Configuration> configurations() noexcept { return k_configurations; }

}  // namespace snug::chip
" @ONLY)
endfunction()
