#include "channels.hpp"

#include <Message.hxx>
#include <Message_Messenger.hxx>
#include <Message_Printer.hxx>

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>

namespace snug::importer {

namespace {

void tell_line(std::string line) {
  std::ranges::replace_if(line, [](char c) { return static_cast<unsigned char>(c) < ' '; }, ' ');
  (void)write_all(STDERR_FILENO, line + "\n");
}

}  // namespace

int claim_output() {
  Message::DefaultMessenger()->RemovePrinters(STANDARD_TYPE(Message_Printer));
  const int output = ::fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3);
  const int nowhere = ::open("/dev/null", O_WRONLY | O_CLOEXEC);
  if (output < 0 || nowhere < 0 || ::dup2(nowhere, STDOUT_FILENO) < 0) return -1;
  ::close(nowhere);
  return output;
}

bool write_all(int descriptor, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t written = ::write(descriptor, bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return false;
    bytes.remove_prefix(static_cast<std::size_t>(written));
  }
  return true;
}

void tell_progress(double fraction) {
  static int told = -1;
  const int percent = static_cast<int>(100 * std::clamp(fraction, 0.0, 1.0));
  if (percent <= told) return;
  told = percent;
  char line[32];
  const int length = std::snprintf(line, sizeof line, "progress %d.%02d\n", percent / 100, percent % 100);
  (void)write_all(STDERR_FILENO, {line, static_cast<std::size_t>(length)});
}

void tell_loss(std::string_view words) { tell_line("loss: " + std::string(words)); }

void tell_error(std::string_view words) { tell_line("error: " + std::string(words)); }

void Progress::Show(const Message_ProgressScope& scope, Standard_Boolean force) {
  (void)scope, (void)force;
  tell_progress(from_ + (to_ - from_) * GetPosition());
}

}  // namespace snug::importer
