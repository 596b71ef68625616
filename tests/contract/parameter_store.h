// What every hal::ParameterStore must do. A Fixture makes one whose content is of no worth and has
//   store()  the store under test
#pragma once

#include <cstddef>
#include <cstdint>

#include "unity.h"
#include <etl/array.h>
#include <etl/span.h>

#include "hal/parameter_store.h"

namespace taut::contract {

// More than any store's write unit.
inline constexpr std::size_t kLongestUnit = 256;
using Unit = etl::array<std::uint8_t, kLongestUnit>;

inline void expect_status(hal::StoreStatus expected, hal::StoreStatus status) {
  TEST_ASSERT_EQUAL_UINT8(static_cast<std::uint8_t>(expected), static_cast<std::uint8_t>(status));
}

template <typename Store>
void expect_bytes(std::uint8_t expected, Store& store, std::size_t offset, std::size_t size) {
  for (std::size_t i = 0; i < size; ++i) {
    std::uint8_t byte = 0;
    expect_status(hal::StoreStatus::kOk, store.read(offset + i, {&byte, 1}));
    TEST_ASSERT_EQUAL_HEX8(expected, byte);
  }
}

template <typename Store>
void erase_all(Store& store) {
  expect_status(hal::StoreStatus::kOk, store.erase(0, store.size()));
}

template <typename Fixture>
void store_has_sizes_that_fit_each_other() {
  Fixture fixture;
  auto& store = fixture.store();
  TEST_ASSERT_TRUE(store.write_unit() >= 1 && store.write_unit() <= kLongestUnit);
  TEST_ASSERT_EQUAL_UINT32(0, store.erase_unit() % store.write_unit());
  TEST_ASSERT_EQUAL_UINT32(0, store.size() % store.erase_unit());
  TEST_ASSERT_TRUE(store.size() >= 3 * store.erase_unit());  // two copies, and one for these tests
}

template <typename Fixture>
void store_reads_what_was_written() {
  Fixture fixture;
  auto& store = fixture.store();
  const std::size_t unit = store.write_unit();
  erase_all(store);
  Unit from{};
  for (std::size_t place = 0; place < 3; ++place) {
    from.fill(static_cast<std::uint8_t>(17 + place));
    expect_status(hal::StoreStatus::kOk, store.write(place * unit, {from.data(), unit}));
  }
  for (std::size_t place = 0; place < 3; ++place) {
    expect_bytes(static_cast<std::uint8_t>(17 + place), store, place * unit, unit);
  }
  expect_bytes(hal::kErased, store, 3 * unit, unit);
}

// One unit erased, its neighbours kept.
template <typename Fixture>
void store_erases_what_it_is_told_to() {
  Fixture fixture;
  auto& store = fixture.store();
  const std::size_t unit = store.write_unit();
  const std::size_t second = store.erase_unit();
  erase_all(store);
  Unit from{};
  from.fill(0x5A);
  const etl::span<const std::uint8_t> bytes(from.data(), unit);
  expect_status(hal::StoreStatus::kOk, store.write(second - unit, bytes));
  expect_status(hal::StoreStatus::kOk, store.write(second, bytes));
  expect_status(hal::StoreStatus::kOk, store.write(store.size() - unit, bytes));
  expect_status(hal::StoreStatus::kOk, store.erase(0, second));
  expect_bytes(hal::kErased, store, second - unit, unit);
  expect_bytes(0x5A, store, second, unit);
  expect_bytes(0x5A, store, store.size() - unit, unit);
  expect_status(hal::StoreStatus::kOk, store.erase(store.size() - second, second));
  expect_bytes(hal::kErased, store, store.size() - unit, unit);
  expect_bytes(0x5A, store, second, unit);
}

template <typename Fixture>
void store_writes_over_nothing() {
  Fixture fixture;
  auto& store = fixture.store();
  const std::size_t unit = store.write_unit();
  erase_all(store);
  Unit from{};
  from.fill(0x5A);
  expect_status(hal::StoreStatus::kOk, store.write(unit, {from.data(), unit}));
  from.fill(0x50);  // only clears bits, which flash could do
  expect_status(hal::StoreStatus::kNotErased, store.write(unit, {from.data(), unit}));
  expect_bytes(0x5A, store, unit, unit);
  if (2 * unit <= kLongestUnit) {
    expect_status(hal::StoreStatus::kNotErased, store.write(0, {from.data(), 2 * unit}));
    expect_bytes(hal::kErased, store, 0, unit);  // nothing was done
  }
}

// Offsets of which the sum with a size would wrap, too.
template <typename Fixture>
void store_refuses_what_is_outside() {
  Fixture fixture;
  auto& store = fixture.store();
  const std::size_t unit = store.write_unit();
  Unit bytes{};
  erase_all(store);
  const std::size_t last = static_cast<std::size_t>(-1) / store.erase_unit() * store.erase_unit();
  for (const std::size_t offset : {store.size(), last}) {
    expect_status(hal::StoreStatus::kOutside, store.read(offset, {bytes.data(), 1}));
    expect_status(hal::StoreStatus::kOutside, store.write(offset, {bytes.data(), unit}));
    expect_status(hal::StoreStatus::kOutside, store.erase(offset, store.erase_unit()));
  }
  expect_status(hal::StoreStatus::kOutside, store.read(store.size() - 1, {bytes.data(), 2}));
  expect_status(hal::StoreStatus::kOutside, store.erase(store.erase_unit(), store.size()));
  expect_bytes(hal::kErased, store, store.size() - unit, unit);
}

template <typename Fixture>
void store_refuses_parts_of_units() {
  Fixture fixture;
  auto& store = fixture.store();
  const std::size_t unit = store.write_unit();
  const Unit bytes{};
  erase_all(store);
  if (unit > 1) {
    expect_status(hal::StoreStatus::kNotAligned, store.write(1, {bytes.data(), unit}));
    expect_status(hal::StoreStatus::kNotAligned, store.write(0, {bytes.data(), unit - 1}));
  }
  if (store.erase_unit() > unit) {
    expect_status(hal::StoreStatus::kNotAligned, store.erase(unit, store.erase_unit()));
    expect_status(hal::StoreStatus::kNotAligned, store.erase(0, store.erase_unit() - unit));
  }
  expect_bytes(hal::kErased, store, 0, 2 * unit);
}

template <typename Fixture>
void run_parameter_store() {
  RUN_TEST(store_has_sizes_that_fit_each_other<Fixture>);
  RUN_TEST(store_reads_what_was_written<Fixture>);
  RUN_TEST(store_erases_what_it_is_told_to<Fixture>);
  RUN_TEST(store_writes_over_nothing<Fixture>);
  RUN_TEST(store_refuses_what_is_outside<Fixture>);
  RUN_TEST(store_refuses_parts_of_units<Fixture>);
}

}  // namespace taut::contract
