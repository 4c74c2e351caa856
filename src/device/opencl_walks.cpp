#include "device/opencl_set.hpp"
#include "support/assert.hpp"

#include <algorithm>
#include <tuple>

namespace snug::device {

DeviceOutcome OpenClSet::walk_some(Member& member, std::span<const DopPair> pairs, const DopSearch& search,
                                   DopPart& part, std::span<DopWalked> walked) const {
  SNUG_ASSERT(pairs.size() == walked.size());
  const DeviceOutcome outcome =
      member.with_room([&] { return walk_on_device(*member.worker, member.trees, pairs, search, part, walked, room); });
  if (outcome != DeviceOutcome::does_not_fit || pairs.size() < 2 || !part.from_roots) return outcome;
  const auto half = static_cast<std::uint32_t>(pairs.size() / 2);
  DopPart first{true, {}, part.enough}, second = first;
  for (const auto& [begin, size, some] :
       {std::tuple{std::uint32_t{0}, std::size_t{half}, &first}, std::tuple{half, pairs.size() - half, &second}}) {
    const DeviceOutcome of_half =
        walk_some(member, pairs.subspan(begin, size), search, *some, walked.subspan(begin, size));
    if (of_half != DeviceOutcome::done) return of_half;
    for (SnugDopPair pair : some->level) {
      pair.job += begin;
      part.level.push_back(pair);
    }
  }
  return DeviceOutcome::done;
}

bool OpenClSet::walk(std::span<const DopPair> pairs, const DopSearch& search, std::vector<DopWalked>& walked) {
  walked.resize(pairs.size());
  if (pairs.empty()) return true;
  // Blocks of about as many nodes each as there are devices, within what a device should hold at once.
  const std::size_t devices = std::max<std::size_t>(working().size(), 1);
  const auto nodes_of = [](const DopPair& pair) { return pair.tree_a.links.size() + pair.tree_b.links.size(); };
  std::size_t nodes = 0;
  for (const DopPair& pair : pairs) nodes += nodes_of(pair);
  const std::size_t enough = std::min<std::size_t>(nodes / devices + 1, std::size_t{1} << 22);
  std::vector<std::size_t> begin{0};
  std::size_t held = 0;
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    if (held > 0 && (held + nodes_of(pairs[i]) > enough || i - begin.back() >= (std::size_t{1} << 16)))
      begin.push_back(i), held = 0;
    held += nodes_of(pairs[i]);
  }
  begin.push_back(pairs.size());
  SNUG_ASSERT(begin.size() >= 2 && std::ranges::is_sorted(begin));
  // Where there are fewer than devices, each goes as far as there is something to do for all of them.
  const std::size_t blocks = begin.size() - 1;
  std::vector<DopPart> parts(blocks);
  if (blocks < devices)
    for (DopPart& part : parts) part.enough = worth_sharing * devices;
  const bool done = share(blocks, any_first(blocks), [&](Member& member, std::size_t block) {
    const std::size_t first = begin[block], size = begin[block + 1] - first;
    DopPart part{true, {}, parts[block].enough};
    const DeviceOutcome outcome =
        walk_some(member, pairs.subspan(first, size), search, part, std::span(walked).subspan(first, size));
    if (outcome == DeviceOutcome::done) parts[block] = std::move(part);
    return outcome;
  });
  if (!done || !walk_on(pairs, search, parts, begin, walked)) return false;
  tree_pairs_ += pairs.size();
  return true;
}

bool OpenClSet::walk_on(std::span<const DopPair> pairs, const DopSearch& search, const std::vector<DopPart>& parts,
                        const std::vector<std::size_t>& begin, std::vector<DopWalked>& walked) {
  SNUG_ASSERT(begin.size() == parts.size() + 1 && walked.size() == begin.back());
  struct Piece {
    std::size_t block;
    std::vector<SnugDopPair> level;
    std::vector<DopWalked> walked;
  };
  const std::size_t devices = std::max<std::size_t>(working().size(), 1);
  std::vector<Piece> pieces;
  for (std::size_t block = 0; block < parts.size(); ++block) {
    const auto& level = parts[block].level;
    const std::size_t count = std::min(devices, level.size());
    // Neighbours in a level tend to have as much below them.
    for (std::size_t i = 0; i < count; ++i) {
      Piece& piece = pieces.emplace_back(Piece{block, {}, std::vector<DopWalked>(begin[block + 1] - begin[block])});
      for (std::size_t k = i; k < level.size(); k += count) piece.level.push_back(level[k]);
    }
  }
  if (pieces.empty()) return true;
  const bool done = share(pieces.size(), any_first(pieces.size()), [&](Member& member, std::size_t i) {
    Piece& piece = pieces[i];
    DopPart part{false, piece.level, SIZE_MAX};
    return walk_some(member, pairs.subspan(begin[piece.block], piece.walked.size()), search, part, piece.walked);
  });
  if (!done) return false;
  for (const Piece& piece : pieces)
    for (std::size_t i = 0; i < piece.walked.size(); ++i) {
      DopWalked& all = walked[begin[piece.block] + i];
      const DopWalked& some = piece.walked[i];
      all.node_pairs += some.node_pairs, all.axis_tests += some.axis_tests;
      all.leaves.insert(all.leaves.end(), some.leaves.begin(), some.leaves.end());
    }
  for (DopWalked& all : walked)
    std::ranges::sort(all.leaves, {}, [](const DopNodePair& p) { return std::uint64_t{p.a} << 32 | p.b; });
  return true;
}

}  // namespace snug::device
