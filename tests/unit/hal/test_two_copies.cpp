// Bytes over a loss of power: cut at every byte of a save, one copy is whole.
#include <cstring>

#include "unity.h"
#include <etl/array.h>

#include "hal/fakes/fake_parameter_store.h"
#include "hal/store_region.h"
#include "hal/two_copies.h"
#include "tests/contract/parameter_store.h"

namespace {

using namespace taut;
using hal::CopyStatus;
using hal::load_copy;
using hal::save_copy;
using Flash = hal::fakes::FakeParameterStore<1024, 256, 8>;
using Eeprom = hal::fakes::FakeParameterStore<256, 1, 1>;
using Content = etl::array<std::uint8_t, 37>;  // no multiple of any unit

Content content_of(std::uint8_t first) {
  Content content;
  for (std::size_t i = 0; i < content.size(); ++i) {
    content[i] = static_cast<std::uint8_t>(first + 3 * i);
  }
  return content;
}

void expect_status(CopyStatus expected, CopyStatus status) {
  TEST_ASSERT_EQUAL_UINT8(static_cast<std::uint8_t>(expected), static_cast<std::uint8_t>(status));
}

template <typename Store>
void expect_content(std::uint8_t first, Store& store) {
  Content loaded{};
  std::size_t size = 0;
  expect_status(CopyStatus::kOk, load_copy(store, loaded, size));
  TEST_ASSERT_EQUAL_UINT32(loaded.size(), size);
  const Content expected = content_of(first);
  TEST_ASSERT_EQUAL_MEMORY(expected.data(), loaded.data(), size);
}

void test_an_empty_store_has_none() {
  Flash store;
  std::uint8_t byte = 7;
  std::size_t size = 99;
  expect_status(CopyStatus::kNone, load_copy(store, {&byte, 1}, size));
  TEST_ASSERT_EQUAL_UINT32(0, size);
  TEST_ASSERT_EQUAL_UINT8(7, byte);
}

void test_the_last_save_counts() {
  Flash store;
  for (std::uint8_t i = 0; i < 9; ++i) {
    expect_status(CopyStatus::kOk, save_copy(store, content_of(i)));
    expect_content(i, store);
  }
}

void test_sizes_are_checked() {
  Flash store;
  etl::array<std::uint8_t, 497> large{};
  TEST_ASSERT_EQUAL_UINT32(496, hal::copy_capacity(store));
  expect_status(CopyStatus::kTooLarge, save_copy(store, large));
  expect_status(CopyStatus::kOk, save_copy(store, {large.data(), 496}));
  std::size_t size = 0;
  expect_status(CopyStatus::kTooLarge, load_copy(store, {large.data(), 495}, size));
  expect_status(CopyStatus::kOk, load_copy(store, large, size));
  TEST_ASSERT_EQUAL_UINT32(496, size);
  expect_status(CopyStatus::kOk, save_copy(store, {}));
  expect_status(CopyStatus::kOk, load_copy(store, large, size));
  TEST_ASSERT_EQUAL_UINT32(0, size);
}

// From a store with `saves` saves behind it: power fails after 0, 1, 2, ... bytes of the next.
template <typename Store>
void cut_at_every_byte(std::uint8_t saves) {
  bool is_done = false;
  std::size_t cut = 0;
  for (; !is_done; ++cut) {
    Store store;
    for (std::uint8_t i = 1; i <= saves; ++i) {
      expect_status(CopyStatus::kOk, save_copy(store, content_of(i)));
    }
    store.lose_power_after(cut);
    const CopyStatus status = save_copy(store, content_of(100));
    store.return_power();
    is_done = status == CopyStatus::kOk;
    expect_content(is_done ? 100 : saves, store);
    // And it goes on from there, also if that fails at the same place again.
    store.lose_power_after(cut);
    static_cast<void>(save_copy(store, content_of(101)));
    store.return_power();
    expect_content(is_done ? 101 : saves, store);
    expect_status(CopyStatus::kOk, save_copy(store, content_of(102)));
    expect_content(102, store);
  }
  TEST_ASSERT_TRUE(cut > 16 + sizeof(Content));  // was cut at all
}

void test_power_fails_at_every_byte() {
  for (std::uint8_t saves = 1; saves <= 3; ++saves) {
    cut_at_every_byte<Flash>(saves);
    cut_at_every_byte<Eeprom>(saves);
  }
}

// Any flipped bit of the newer copy brings the older back.
void test_a_damaged_copy_is_not_loaded() {
  using Bytes = hal::fakes::FakeParameterStore<256, 1, 1>;
  Bytes store;
  expect_status(CopyStatus::kOk, save_copy(store, content_of(1)));
  expect_status(CopyStatus::kOk, save_copy(store, content_of(2)));
  const std::size_t begin = 128;
  for (std::size_t i = 0; i < 16 + sizeof(Content); ++i) {
    for (std::size_t bit = 0; bit < 8; ++bit) {
      Bytes damaged = store;
      std::uint8_t byte = 0;
      contract::expect_status(hal::StoreStatus::kOk, damaged.read(begin + i, {&byte, 1}));
      byte = static_cast<std::uint8_t>(byte ^ 1U << bit);
      contract::expect_status(hal::StoreStatus::kOk, damaged.erase(begin + i, 1));
      if (byte != hal::kErased) {
        contract::expect_status(hal::StoreStatus::kOk, damaged.write(begin + i, {&byte, 1}));
      }
      expect_content(1, damaged);
    }
  }
}

void test_sequences_wrap() {
  Flash store;
  expect_status(CopyStatus::kOk, save_copy(store, content_of(1)));
  // As if after 2^32 - 1 saves: the header of the first copy again, by hand.
  const Content content = content_of(1);
  hal::CopyHeader header{hal::kCopyMagic, 0xFFFFFFFFU, sizeof content, 0};
  hal::two_copies::Crc crc = hal::two_copies::begin_crc(header);
  crc.add(content.begin(), content.end());
  header.crc = crc.value();
  contract::expect_status(hal::StoreStatus::kOk, store.erase(0, 512));
  contract::expect_status(hal::StoreStatus::kOk,
                          store.write(0, {reinterpret_cast<std::uint8_t*>(&header), 16}));
  TEST_ASSERT_TRUE(hal::two_copies::write_padded(store, 16, content));
  expect_content(1, store);
  for (std::uint8_t i = 2; i < 6; ++i) {
    expect_status(CopyStatus::kOk, save_copy(store, content_of(i)));
    expect_content(i, store);
  }
}

// A region passes the suite of a store, and leaves its neighbours alone.
class RegionFixture {
 public:
  auto& store() { return region_; }

 private:
  hal::fakes::FakeParameterStore<2048, 256, 8> whole_;
  hal::StoreRegion<hal::fakes::FakeParameterStore<2048, 256, 8>> region_{whole_, 512, 1024};
};

void test_regions_do_not_touch() {
  hal::fakes::FakeParameterStore<2048, 256, 8> store;
  hal::StoreRegion first(store, 0, 1024);
  hal::StoreRegion second(store, 1024, 1024);
  for (std::uint8_t i = 0; i < 4; ++i) {
    expect_status(CopyStatus::kOk, save_copy(first, content_of(i)));
    expect_status(CopyStatus::kOk,
                  save_copy(second, content_of(static_cast<std::uint8_t>(50 + i))));
    expect_content(i, first);
    expect_content(static_cast<std::uint8_t>(50 + i), second);
  }
}

}  // namespace

int main() {
  UNITY_BEGIN();
  RUN_TEST(test_an_empty_store_has_none);
  RUN_TEST(test_the_last_save_counts);
  RUN_TEST(test_sizes_are_checked);
  RUN_TEST(test_power_fails_at_every_byte);
  RUN_TEST(test_a_damaged_copy_is_not_loaded);
  RUN_TEST(test_sequences_wrap);
  RUN_TEST(test_regions_do_not_touch);
  contract::run_parameter_store<RegionFixture>();
  return UNITY_END();
}
