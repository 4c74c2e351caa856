// Feeds a fuzz target without libFuzzer: every file of a corpus as it is, then seeded mutations of those files. The
// sequence is the same on every machine, so a failure found by one test run is found by all.
#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <bit>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <limits>
#include <random>
#include <string>
#include <vector>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

namespace {

using Bytes = std::vector<std::uint8_t>;

Bytes g_current;  // what the target is looking at, for the signal handler

// Only calls that are safe inside a signal handler.
void save_current(int signal_number) {
  const int file = ::open("crash-replay", O_CREAT | O_WRONLY | O_TRUNC, 0644);
  if (file >= 0) {
    [[maybe_unused]] const auto written = ::write(file, g_current.data(), g_current.size());
    ::close(file);
  }
  constexpr char k_words[] = "the input that failed is in ./crash-replay\n";
  [[maybe_unused]] const auto written = ::write(STDERR_FILENO, k_words, sizeof k_words - 1);
  std::signal(signal_number, SIG_DFL);
  std::raise(signal_number);
}

std::vector<Bytes> read_corpus(const std::filesystem::path& folder) {
  std::vector<std::filesystem::path> files;
  if (std::filesystem::is_directory(folder)) {
    for (const auto& entry : std::filesystem::directory_iterator(folder)) files.push_back(entry.path());
  }
  std::ranges::sort(files);  // the order of a directory is the file system's whim

  std::vector<Bytes> corpus;
  for (const auto& file : files) {
    std::ifstream stream(file, std::ios::binary);
    corpus.emplace_back(std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>());
  }
  return corpus;
}

// Numbers at which geometry code breaks: zeros, neighbours of one, the smallest, the largest, none at all.
constexpr std::array k_awkward{
    0.0,
    -0.0,
    1.0,
    -1.0,
    0.5,
    1 + 0x1p-52,
    1 - 0x1p-53,
    0x1p-1074,
    -0x1p-1022,
    0x1p996,
    -0x1p1023,
    0x1p53,
    std::numeric_limits<double>::infinity(),
    std::numeric_limits<double>::quiet_NaN(),
};

class Mutator {
 public:
  void mutate(Bytes& bytes) {
    for (std::size_t i = 0, times = 1 + below(4); i < times; ++i) mutate_once(bytes);
  }
  // Not std::uniform_int_distribution, whose result depends on the library; the small bias does not matter here.
  std::size_t below(std::size_t bound) { return engine_() % bound; }
  Bytes random_bytes() {
    Bytes bytes(below(512));
    for (auto& byte : bytes) byte = static_cast<std::uint8_t>(below(256));
    return bytes;
  }

 private:
  void mutate_once(Bytes& bytes) {
    const std::size_t at = below(bytes.size() + 1);
    switch (below(6)) {
      case 0:  // flip a bit
        if (at < bytes.size()) bytes[at] ^= static_cast<std::uint8_t>(1U << below(8));
        break;
      case 1:  // put in an awkward number where a double would start
        overwrite(bytes, at & ~std::size_t{7}, std::bit_cast<Word>(k_awkward[below(k_awkward.size())]));
        break;
      case 2:  // repeat an earlier number: equal coordinates are the interesting ones
        if (bytes.size() >= sizeof(Word)) {
          Word word;
          std::copy_n(bytes.begin() + static_cast<std::ptrdiff_t>(below(bytes.size() / 8) * 8), word.size(),
                      word.begin());
          overwrite(bytes, at & ~std::size_t{7}, word);
        }
        break;
      case 3:
        bytes.insert(bytes.begin() + static_cast<std::ptrdiff_t>(at), 1 + below(16),
                     static_cast<std::uint8_t>(below(256)));
        break;
      case 4:
        bytes.resize(at);
        break;
      default:  // one step up or down in the last place
        if (at < bytes.size()) bytes[at & ~std::size_t{7}] += below(2) == 0 ? std::uint8_t{1} : std::uint8_t{255};
        break;
    }
  }

  using Word = std::array<std::uint8_t, sizeof(double)>;
  static void overwrite(Bytes& bytes, std::size_t at, const Word& word) {
    for (std::size_t i = 0; i < word.size() && at + i < bytes.size(); ++i) bytes[at + i] = word[i];
  }

  std::mt19937_64 engine_{20'011};
};

void feed(const Bytes& bytes) {
  g_current = bytes;
  // A copy of exact size, so that the address sanitizer sees a read past the end.
  const Bytes exact(bytes);
  LLVMFuzzerTestOneInput(exact.data(), exact.size());
}

std::size_t mutation_count() {
  const char* scale = std::getenv("SNUG_TEST_SCALE");
  return 20'000 * static_cast<std::size_t>(scale != nullptr ? std::max(1, std::atoi(scale)) : 100) / 100;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) {
    std::fprintf(stderr, "usage: %s <corpus folder>\n", argv[0]);
    return 2;
  }
  std::signal(SIGABRT, save_current);
  std::signal(SIGFPE, save_current);

  const std::vector<Bytes> corpus = read_corpus(argv[1]);
  feed({});
  for (const auto& bytes : corpus) feed(bytes);

  Mutator mutator;
  const std::size_t mutations = mutation_count();
  for (std::size_t i = 0; i < mutations; ++i) {
    Bytes bytes = corpus.empty() ? mutator.random_bytes() : corpus[mutator.below(corpus.size())];
    mutator.mutate(bytes);
    feed(bytes);
  }
  std::printf("%zu files and %zu mutations replayed\n", corpus.size(), mutations);
}
