#pragma once

#include "cad_arguments.hpp"

#include <CLI/CLI.hpp>
#include <snug/device.hpp>

#include <memory>
#include <string>
#include <vector>

// Options that several commands have, declared once.

namespace snug::cli {

/// The option takes one of these words, and completion offers them.
void one_of(CLI::Option* option, const std::vector<std::string>& words);

/// Adds an option that takes one value; given twice it is an error.
CLI::Option* add_value(CLI::App& app, const std::string& names, std::string& target, const std::string& value,
                       const std::string& text);

/// Refuses an empty value: an unset variable of a script must not pass for a default.
void not_empty(CLI::Option* option);

/// --clearance, --touch-gap and --touch-overlap, as all commands that give verdicts have them.
void add_tolerances(CLI::App& app, std::string& clearance, std::string& touch_gap, std::string& touch_overlap);

/// --devices, beside --device.
void add_chosen_devices(CLI::App& app, std::string& list);
/// The OpenCL devices that a list of numbers chooses, or all if it is empty; they stay. Ends the program unless each of them, or
/// any if all are meant, can be used. Null, and no list may be given, if work is not for them.
const Devices* open_devices(bool for_devices, const std::string& list);
/// On stderr: devices that failed, and what the others did.
void tell_of_devices(const Devices& devices);

struct InputOptions {
  std::vector<std::string> files;
  std::string units, to_units;
  CadArguments cad;
};
void add_inputs(CLI::App& app, InputOptions& options);

struct OutputOptions {
  bool json = false;
  bool quiet = false;
  std::string color = "auto";
};
void add_outputs(CLI::App& app, OutputOptions& options);

}  // namespace snug::cli
