// A block that fits is used in place; one that does not is refused, and why.
#include <cstdint>

#include "unity.h"

#include "sim_core/reduced_chain/block.h"

namespace {

using namespace taut::reduced_chain;
using Bytes = etl::span<const std::byte>;

constexpr std::uint64_t kDrive = 0x0123456789abcdefU;
constexpr std::size_t kBits = 8 * sizeof(Block);

Block block;

const std::byte* begin_of(const Block& of) {
  return reinterpret_cast<const std::byte*>(&of);
}

Bytes bytes_of(const Block& of, std::size_t size = sizeof(Block)) {
  return {begin_of(of), size};
}

// Any bytes will do for a model here (Marsaglia, J. Stat. Soft. 8, 2003).
void fill() {
  auto* bytes = reinterpret_cast<std::uint8_t*>(&block);
  std::uint32_t x = 2463534242U;
  for (std::size_t i = 0; i < sizeof(Block); ++i) {
    x ^= x << 13;
    x ^= x >> 17;
    x ^= x << 5;
    bytes[i] = static_cast<std::uint8_t>(x);
  }
  seal(kDrive, block);
}

void flip(std::size_t bit) {
  auto* bytes = reinterpret_cast<std::uint8_t*>(&block);
  bytes[bit / 8] = static_cast<std::uint8_t>(bytes[bit / 8] ^ (1U << (bit % 8)));
}

void assert_status(BlockStatus expected, const BlockRead& read) {
  TEST_ASSERT_EQUAL_STRING(reason(expected), reason(read.status));
  TEST_ASSERT_TRUE((read.model != nullptr) == (expected == BlockStatus::kFits));
}

void test_a_block_that_fits() {
  fill();
  assert_status(BlockStatus::kFits, read_block(bytes_of(block)));
  assert_status(BlockStatus::kFits, read_block(bytes_of(block), kDrive));
  TEST_ASSERT_EQUAL_PTR(&block.model, read_block(bytes_of(block)).model);
}

void test_another_drive() {
  fill();
  assert_status(BlockStatus::kOtherDrive, read_block(bytes_of(block), kDrive + 1));
}

void test_what_is_no_block() {
  fill();
  assert_status(BlockStatus::kTooShort, read_block({}));
  assert_status(BlockStatus::kTooShort, read_block(bytes_of(block, sizeof(BlockHeader) - 1)));
  assert_status(BlockStatus::kTooShort, read_block(bytes_of(block, sizeof(BlockHeader))));
  assert_status(BlockStatus::kTooShort, read_block(bytes_of(block, sizeof(Block) - 1)));
  assert_status(BlockStatus::kMisaligned, read_block({begin_of(block) + 4, sizeof(Block) - 4}));
  assert_status(BlockStatus::kNoBlock, read_block({begin_of(block) + 8, sizeof(Block) - 8}));
}

// Said before the checksum is: that of another format may lie elsewhere.
void test_other_formats() {
  fill();
  block.header.version = kBlockVersion + 1;
  assert_status(BlockStatus::kOtherVersion, read_block(bytes_of(block)));
  fill();
  block.header.size += 4;
  assert_status(BlockStatus::kOtherSize, read_block(bytes_of(block)));
}

// Rubbish of any length: never read beyond its end (the sanitizers look on).
void test_any_length() {
  fill();
  for (std::size_t size = 0; size < sizeof(Block); size += 1 + size / 7) {
    TEST_ASSERT_TRUE(read_block(bytes_of(block, size)).model == nullptr);
  }
}

void assert_flip_refused(std::size_t bit) {
  flip(bit);
  const BlockRead read = read_block(bytes_of(block));
  flip(bit);
  TEST_ASSERT_TRUE(read.status != BlockStatus::kFits && read.model == nullptr);
}

void test_every_flip_in_the_header() {
  fill();
  for (std::size_t bit = 0; bit < 8 * sizeof(BlockHeader); ++bit) {
    assert_flip_refused(bit);
  }
}

// A checksum of CRC's kind is linear: a flipped bit changes it by what depends on the bit's
// distance from the end only. Counted bit by bit from the end, by the polynomial as the standard
// writes it (IEEE 802.3, reflected), for every bit of the model; and held against the reader's own
// sum at some of them, which no common step of bits, bytes or words meets regularly.
void test_every_flip_in_the_model() {
  constexpr std::uint32_t kPolynomial = 0xedb88320U;
  constexpr std::size_t kSample = 4001;
  fill();
  const std::uint32_t crc = block.header.crc;
  std::uint32_t change = kPolynomial;  // by the last bit of all, the highest of its byte
  for (std::size_t bit = kBits; bit-- > 8 * sizeof(BlockHeader);) {
    TEST_ASSERT_TRUE(change != 0);
    if (bit % kSample == 0) {
      assert_flip_refused(bit);
      flip(bit);
      seal(kDrive, block);
      TEST_ASSERT_EQUAL_HEX32(crc ^ change, block.header.crc);
      flip(bit);
      seal(kDrive, block);
    }
    change = (change >> 1) ^ ((change & 1U) != 0 ? kPolynomial : 0U);
  }
}

}  // namespace

int main() {
  UNITY_BEGIN();
  RUN_TEST(test_a_block_that_fits);
  RUN_TEST(test_another_drive);
  RUN_TEST(test_what_is_no_block);
  RUN_TEST(test_other_formats);
  RUN_TEST(test_any_length);
  RUN_TEST(test_every_flip_in_the_header);
  RUN_TEST(test_every_flip_in_the_model);
  return UNITY_END();
}
