#pragma once

#include "support/sha256.hpp"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

namespace snug::support {

/// Bytes by the content they were made from, such as imported files: one file per entry in a folder that any number of processes share.
/// The folder, or anything in it, may be deleted or damaged at any time, and writers may be killed at any instant: an
/// entry is whole or not there, what a killed writer leaves is removed by the next one that comes, and the entries
/// together never exceed the bound. Nothing here can fail; at worst nothing is found and nothing is kept.
class DiskCache {
 public:
  /// A folder that is missing is made, for this user only. One that others may write to is not used, since what lies in
  /// it could be anybody's: usable() tells. An empty path is no cache.
  DiskCache(std::filesystem::path folder, std::uint64_t max_bytes, std::string_view suffix = ".cad");

  [[nodiscard]] bool usable() const noexcept { return usable_; }

  /// The bytes kept under the key, which are those that were stored: their checksum is right. Marks the entry as used; a
  /// damaged one is removed.
  [[nodiscard]] std::optional<std::string> find(const support::Digest& key) const;
  /// Keeps the bytes, in place of those used least recently where room is needed.
  void store(const support::Digest& key, std::string_view bytes) const;
  /// Removes an entry that turned out to be of no use.
  void drop(const support::Digest& key) const;

 private:
  [[nodiscard]] std::filesystem::path entry(const support::Digest& key) const;
  void remove_leftovers() const;
  /// Removes entries until `bytes` more have room; false if that can not be.
  [[nodiscard]] bool make_room(std::uint64_t bytes) const;

  std::filesystem::path folder_;
  std::uint64_t max_bytes_;
  std::string suffix_;  ///< of its entries' names
  bool usable_ = false;
};

}  // namespace snug::support
