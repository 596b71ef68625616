// A model block in a store: whole and of the board's drive, or refused and the old one kept.
#include <cstdint>

#include "unity.h"

#include "firmware/block_store.h"
#include "hal/fakes/fake_parameter_store.h"

namespace {

using namespace taut;
using reduced_chain::Block;
using reduced_chain::BlockStatus;

constexpr std::uint64_t kDrive = 0x0123456789ABCDEFU;
constexpr std::size_t kEraseUnit = 4096;
constexpr std::size_t kCopy = (sizeof(Block) + kEraseUnit) / kEraseUnit * kEraseUnit + kEraseUnit;
using Store = hal::fakes::FakeParameterStore<2 * kCopy, kEraseUnit, 32>;

Store store;
Block block;
Block loaded;

// Any bytes will do for a model here.
void fill(std::uint8_t seed) {
  auto* bytes = reinterpret_cast<std::uint8_t*>(&block);
  for (std::size_t i = 0; i < sizeof block; ++i) {
    bytes[i] = static_cast<std::uint8_t>(seed + i * 7 + i / 256);
  }
  reduced_chain::seal(kDrive, block);
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

void expect_loaded(std::uint8_t seed) {
  const auto read = firmware::load_block(store, kDrive, loaded);
  TEST_ASSERT_TRUE(read.status == BlockStatus::kFits);
  TEST_ASSERT_TRUE(read.model == &loaded.model);
  fill(seed);
  TEST_ASSERT_EQUAL_MEMORY(&block, &loaded, sizeof block);
}

void test_an_empty_store_has_no_block() {
  const auto read = firmware::load_block(store, kDrive, loaded);
  TEST_ASSERT_TRUE(read.status == BlockStatus::kTooShort);
  TEST_ASSERT_NULL(read.model);
}

void test_what_is_not_whole_or_of_another_drive_is_not_taken() {
  fill(1);
  expect_saved(BlockStatus::kFits);
  expect_loaded(1);
  fill(2);
  expect_saved(BlockStatus::kOtherDrive, kDrive + 1);
  reinterpret_cast<std::uint8_t*>(&block)[sizeof block / 2] ^= 1U;
  expect_saved(BlockStatus::kDamaged);
  const auto save = firmware::save_block(store, bytes_of_block().first(sizeof block - 1), kDrive);
  TEST_ASSERT_TRUE(save.block == BlockStatus::kTooShort && save.copy == hal::CopyStatus::kNone);
  expect_loaded(1);
}

void test_a_block_of_another_drive_is_not_loaded() {
  fill(3);
  expect_saved(BlockStatus::kFits);
  TEST_ASSERT_TRUE(firmware::load_block(store, kDrive + 1, loaded).status ==
                   BlockStatus::kOtherDrive);
  expect_loaded(3);
}

// A few places; test_two_copies.cpp has every byte.
void test_power_fails_while_a_block_is_saved() {
  fill(4);
  expect_saved(BlockStatus::kFits);
  for (const std::size_t cut : {std::size_t{0}, kCopy / 2, kCopy, kCopy + 1,
                                kCopy + sizeof(Block) - 1, kCopy + sizeof(Block) + 15}) {
    fill(5);
    store.lose_power_after(cut);
    TEST_ASSERT_TRUE(firmware::save_block(store, bytes_of_block(), kDrive).copy ==
                     hal::CopyStatus::kDeviceFailed);
    store.return_power();
    expect_loaded(4);
  }
}

}  // namespace

int main() {
  UNITY_BEGIN();
  RUN_TEST(test_an_empty_store_has_no_block);
  RUN_TEST(test_what_is_not_whole_or_of_another_drive_is_not_taken);
  RUN_TEST(test_a_block_of_another_drive_is_not_loaded);
  RUN_TEST(test_power_fails_while_a_block_is_saved);
  return UNITY_END();
}
