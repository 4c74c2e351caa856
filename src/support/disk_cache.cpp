#include "support/disk_cache.hpp"

#include "support/assert.hpp"
#include "support/descriptor.hpp"
#include "support/sha256.hpp"

#include <sys/file.h>
#include <sys/random.h>
#include <sys/stat.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <ctime>
#include <span>
#include <thread>
#include <tuple>
#include <vector>

namespace snug::support {

namespace {

namespace fs = std::filesystem;
using support::Descriptor;
using namespace std::chrono_literals;

// An entry: magic, key, count of bytes (64 bits, little-endian), their SHA-256, the bytes. The key is in it so that an
// entry under another's name is noticed.
constexpr std::string_view k_entry_magic = "snug-cad-cache 1";
constexpr std::size_t k_header = k_entry_magic.size() + 32 + 8 + 32;
constexpr std::string_view k_temporary = ".writing-";
constexpr auto k_patience_for_lock = 1s, k_stale = 3600s;

std::string header_of(const support::Digest& key, std::string_view bytes) {
  std::string out(k_entry_magic);
  const auto append = [&](const support::Digest& hash) { out.append(reinterpret_cast<const char*>(hash.data()), 32); };
  append(key);
  for (unsigned shift = 0; shift < 64; shift += 8)
    out += static_cast<char>(static_cast<std::uint64_t>(bytes.size()) >> shift & 0xff);
  support::Sha256 hash;
  hash.update(std::as_bytes(std::span(bytes)));
  append(hash.finish());
  SNUG_ASSERT(out.size() == k_header);
  return out;
}

bool write_all(int file, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t done = ::write(file, bytes.data(), std::min<std::size_t>(bytes.size(), 1U << 30));
    if (done < 0 && errno == EINTR) continue;
    if (done <= 0) return false;
    bytes.remove_prefix(static_cast<std::size_t>(done));
  }
  return true;
}

std::optional<std::string> read_all(int file, std::uint64_t size) {
  std::string out(static_cast<std::size_t>(size), '\0');
  for (std::size_t at = 0; at < out.size();) {
    const ssize_t got =
        ::pread(file, out.data() + at, std::min<std::size_t>(out.size() - at, 1U << 30), static_cast<off_t>(at));
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return std::nullopt;
    at += static_cast<std::size_t>(got);
  }
  return out;
}

std::string temporary_name() {
  std::array<std::uint8_t, 16> chance{};
  [[maybe_unused]] const auto got = ::getrandom(chance.data(), chance.size(), 0);
  support::Digest padded{};
  std::ranges::copy(chance, padded.begin());
  return std::string(k_temporary) + std::to_string(::getpid()) + '-' + support::to_hex(padded).substr(0, 32);
}

/// Whoever holds it may remove and add entries. Given up after a while: a process that was stopped while it held it must
/// not stop the others.
Descriptor lock_folder(const fs::path& folder) {
  Descriptor lock(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  const auto deadline = std::chrono::steady_clock::now() + k_patience_for_lock;
  while (lock && ::flock(lock.get(), LOCK_EX | LOCK_NB) != 0) {
    if (errno != EWOULDBLOCK && errno != EINTR) return {};
    if (std::chrono::steady_clock::now() > deadline) return {};
    std::this_thread::sleep_for(2ms);
  }
  return lock;
}

/// Ours, and nobody else's to write to.
bool is_private(const fs::path& folder) {
  struct stat status = {};
  return ::stat(folder.c_str(), &status) == 0 && S_ISDIR(status.st_mode) && status.st_uid == ::geteuid() &&
         (status.st_mode & (S_IWGRP | S_IWOTH)) == 0;
}

bool make_folder(const fs::path& folder) {
  std::error_code failed;
  if (folder.has_parent_path()) fs::create_directories(folder.parent_path(), failed);
  return (::mkdir(folder.c_str(), 0700) == 0 || errno == EEXIST) && is_private(folder);
}

/// Calls f with the name of everything in the folder; what disappears meanwhile is passed over.
template <class F>
void for_each_name(const fs::path& folder, F&& f) {
  std::error_code failed;
  for (fs::directory_iterator at(folder, failed), end; !failed && at != end; at.increment(failed))
    f(at->path().filename().string());
}

}  // namespace

DiskCache::DiskCache(fs::path folder, std::uint64_t max_bytes, std::string_view suffix)
    : folder_(std::move(folder)),
      max_bytes_(max_bytes),
      suffix_(suffix),
      usable_(!folder_.empty() && make_folder(folder_)) {
  if (usable_) remove_leftovers();
}

fs::path DiskCache::entry(const support::Digest& key) const { return folder_ / (support::to_hex(key) + suffix_); }

void DiskCache::remove_leftovers() const {
  for_each_name(folder_, [&](const std::string& name) {
    if (!name.starts_with(k_temporary)) return;
    const fs::path path = folder_ / name;
    const Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK));
    struct stat status = {};
    if (!file || ::fstat(file.get(), &status) != 0) return;
    // A writer holds a lock on its file, and a lock dies with its process. Where there are no locks, age must do. A writer
    // whose file is taken between making and locking it merely fails to keep its entry.
    const bool abandoned = ::flock(file.get(), LOCK_EX | LOCK_NB) == 0 ||
                           (errno != EWOULDBLOCK && std::time(nullptr) - status.st_mtim.tv_sec > k_stale.count());
    if (abandoned) ::unlink(path.c_str());
  });
}

std::optional<std::string> DiskCache::find(const support::Digest& key) const {
  if (!usable_) return std::nullopt;
  const fs::path path = entry(key);
  const Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK));
  struct stat status = {};
  if (!file || ::fstat(file.get(), &status) != 0 || !S_ISREG(status.st_mode)) return std::nullopt;
  const auto size = static_cast<std::uint64_t>(status.st_size);
  std::optional<std::string> all;
  if (size >= k_header && size <= max_bytes_) all = read_all(file.get(), size);
  if (!all || std::string_view(*all).substr(0, k_header) != header_of(key, std::string_view(*all).substr(k_header))) {
    ::unlink(path.c_str());
    return std::nullopt;
  }
  ::futimens(file.get(), nullptr);
  all->erase(0, k_header);
  return all;
}

void DiskCache::drop(const support::Digest& key) const {
  if (usable_) ::unlink(entry(key).c_str());
}

bool DiskCache::make_room(std::uint64_t bytes) const {
  struct Entry {
    std::int64_t seconds, nanoseconds;
    std::string name;
    std::uint64_t bytes;
  };
  std::vector<Entry> entries;
  std::uint64_t total = bytes;
  for_each_name(folder_, [&](const std::string& name) {
    struct stat status = {};
    if (!name.ends_with(suffix_) || ::lstat((folder_ / name).c_str(), &status) != 0) return;
    entries.push_back(
        {status.st_mtim.tv_sec, status.st_mtim.tv_nsec, name, static_cast<std::uint64_t>(status.st_size)});
    total += entries.back().bytes;
  });
  std::ranges::sort(entries, {}, [](const Entry& e) { return std::tie(e.seconds, e.nanoseconds, e.name); });
  for (const Entry& oldest : entries) {
    if (total <= max_bytes_) break;
    if (::unlink((folder_ / oldest.name).c_str()) != 0 && errno != ENOENT) continue;
    total -= oldest.bytes;
  }
  return total <= max_bytes_;
}

void DiskCache::store(const support::Digest& key, std::string_view bytes) const {
  const std::uint64_t size = k_header + bytes.size();
  if (size > max_bytes_ || folder_.empty() || !make_folder(folder_)) return;
  const fs::path temporary = folder_ / temporary_name();
  const Descriptor file(::open(temporary.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0600));
  if (!file) return;
  const bool written = (::flock(file.get(), LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK) &&
                       write_all(file.get(), header_of(key, bytes)) && write_all(file.get(), bytes) &&
                       ::fsync(file.get()) == 0;
  // Under the lock, room is made first and the entry put in its place then: killed in between, we leave too little, never
  // too much.
  const Descriptor lock = written ? lock_folder(folder_) : Descriptor();
  if (!lock || !make_room(size) || ::rename(temporary.c_str(), entry(key).c_str()) != 0) ::unlink(temporary.c_str());
}

}  // namespace snug::support
