// What makes a board the twin of a drive, in its stores: a block whole and of the board's drive, or
// refused and the old one kept; calibrations beside it.
#include <cstdint>

#include "unity.h"

#include "firmware/board_store.h"
#include "hal/fakes/fake_parameter_store.h"

namespace {

using namespace taut;
using firmware::TwinBlock;
using reduced_chain::BlockStatus;

constexpr std::uint64_t kDrive = 0x0123456789ABCDEFU;
constexpr std::size_t kEraseUnit = 4096;
constexpr std::size_t kCopy =
    (sizeof(TwinBlock) + kEraseUnit) / kEraseUnit * kEraseUnit + kEraseUnit;
using Store = hal::fakes::FakeParameterStore<2 * kCopy, kEraseUnit, 32>;

Store store;
TwinBlock block;

// Any bytes will do for a model here.
void fill(std::uint8_t seed) {
  auto* bytes = reinterpret_cast<std::uint8_t*>(&block);
  for (std::size_t i = 0; i < sizeof block; ++i) {
    bytes[i] = static_cast<std::uint8_t>(seed + i * 7 + i / 256);
  }
  firmware::seal(kDrive, block);
}

etl::span<const std::byte> bytes_of_block() {
  return {reinterpret_cast<const std::byte*>(&block), sizeof block};
}

void expect_saved(BlockStatus expected, std::uint64_t drive = kDrive) {
  const firmware::BlockSave save = firmware::save_block(store, bytes_of_block(), drive);
  TEST_ASSERT_EQUAL_UINT8(static_cast<std::uint8_t>(expected),
                          static_cast<std::uint8_t>(save.block));
  TEST_ASSERT_EQUAL(expected == BlockStatus::kFits, save.copy == hal::CopyStatus::kOk);
}

void expect_found(std::uint8_t seed) {
  const auto read = firmware::find_block(store, store.memory(), kDrive);
  TEST_ASSERT_TRUE(read.status == BlockStatus::kFits);
  fill(seed);
  TEST_ASSERT_EQUAL_MEMORY(&block, read.block, sizeof block);
}

void test_an_empty_store_has_no_block() {
  const auto read = firmware::find_block(store, store.memory(), kDrive);
  TEST_ASSERT_TRUE(read.status == BlockStatus::kNoBlock);
  TEST_ASSERT_NULL(read.block);
}

void test_what_is_not_whole_or_of_another_drive_is_not_taken() {
  fill(1);
  expect_saved(BlockStatus::kFits);
  expect_found(1);
  fill(2);
  expect_saved(BlockStatus::kOtherDrive, kDrive + 1);
  reinterpret_cast<std::uint8_t*>(&block)[sizeof block / 2] ^= 1U;
  expect_saved(BlockStatus::kDamaged);
  const auto save = firmware::save_block(store, bytes_of_block().first(sizeof block - 1), kDrive);
  TEST_ASSERT_TRUE(save.block == BlockStatus::kTooShort && save.copy == hal::CopyStatus::kNone);
  expect_found(1);
}

void test_a_block_of_another_drive_is_not_found() {
  fill(3);
  expect_saved(BlockStatus::kFits);
  TEST_ASSERT_TRUE(firmware::find_block(store, store.memory(), kDrive + 1).status ==
                   BlockStatus::kOtherDrive);
  TEST_ASSERT_TRUE(firmware::find_block(store, store.memory(), etl::nullopt).status ==
                   BlockStatus::kFits);
  expect_found(3);
}

// A few places; test_two_copies.cpp has every byte.
void test_power_fails_while_a_block_is_saved() {
  fill(4);
  expect_saved(BlockStatus::kFits);
  for (const std::size_t cut : {std::size_t{0}, kCopy / 2, kCopy, kCopy + 1,
                                kCopy + sizeof(TwinBlock) - 1, kCopy + sizeof(TwinBlock) + 15}) {
    fill(5);
    store.lose_power_after(cut);
    TEST_ASSERT_TRUE(firmware::save_block(store, bytes_of_block(), kDrive).copy ==
                     hal::CopyStatus::kDeviceFailed);
    store.return_power();
    expect_found(4);
  }
}

void test_what_is_kept_comes_back() {
  hal::fakes::FakeParameterStore<1024, 256, 8> kept_store;
  TEST_ASSERT_FALSE(firmware::load_kept(kept_store).has_value());
  const firmware::KeptParameters kept{kDrive, {17, 1, 3, 0.01F}};
  TEST_ASSERT_TRUE(firmware::save_kept(kept_store, kept) == hal::CopyStatus::kOk);
  const auto loaded = firmware::load_kept(kept_store);
  TEST_ASSERT_TRUE(loaded.has_value());
  TEST_ASSERT_EQUAL_MEMORY(&kept, &*loaded, sizeof kept);
  // What has another size is of another version.
  const std::uint8_t other[sizeof kept - 4] = {};
  TEST_ASSERT_TRUE(hal::save_copy(kept_store, other) == hal::CopyStatus::kOk);
  TEST_ASSERT_FALSE(firmware::load_kept(kept_store).has_value());
}

}  // namespace

int main() {
  UNITY_BEGIN();
  RUN_TEST(test_an_empty_store_has_no_block);
  RUN_TEST(test_what_is_not_whole_or_of_another_drive_is_not_taken);
  RUN_TEST(test_a_block_of_another_drive_is_not_found);
  RUN_TEST(test_power_fails_while_a_block_is_saved);
  RUN_TEST(test_what_is_kept_comes_back);
  return UNITY_END();
}
