// A symmetric positive definite system of a closed chain: 2x2 blocks on the diagonal and between
// neighbours, and a few unknowns that many rollers share. The last roller joins those, the rest is
// eliminated along the chain. Fixed work for a given number of rollers.
#pragma once

#include <cstddef>

#include <etl/array.h>

#include "sim_core/roller_chain/roller_state.h"

namespace taut::implicit_chain {

using Real = float;
inline constexpr std::size_t kShared = 4;  // three driven sprockets and an arm
inline constexpr std::size_t kBorder = kShared + 2;

struct Pair {
  Real x, y;
};

[[nodiscard]] inline Real dot(const Pair& a, const Pair& b) {
  return a.x * b.x + a.y * b.y;
}

struct Symmetric {
  Real xx, xy, yy;

  // weight (x, y)(x, y)^T
  void add(Real weight, Real x, Real y) {
    xx += weight * x * x;
    xy += weight * x * y;
    yy += weight * y * y;
  }
  void add(const Symmetric& other) {
    xx += other.xx;
    xy += other.xy;
    yy += other.yy;
  }
  [[nodiscard]] Pair times(const Pair& p) const {
    return {xx * p.x + xy * p.y, xy * p.x + yy * p.y};
  }
};

struct CyclicVector {
  roller_chain::PerLink<Pair> roller;
  etl::array<Real, kShared> shared;
};

struct CyclicSystem {
  using Columns = etl::array<Pair, kBorder + 1>;  // border and, last, the right-hand side

  roller_chain::PerLink<Symmetric> diagonal;
  roller_chain::PerLink<Symmetric> link;  // minus the block between rollers i - 1 and i
  roller_chain::PerLink<Columns> row;
  // Of the border: upper half, right-hand side. Shared unknowns that nothing adds to stay zero.
  etl::array<etl::array<Real, kBorder + 1>, kBorder> corner;
};

inline void clear(std::size_t rollers, CyclicSystem& system) {
  for (std::size_t i = 0; i < rollers; ++i) {
    system.diagonal[i] = {};
    system.row[i] = {};
  }
  system.corner = {};
}

namespace detail {

[[nodiscard]] inline Symmetric inverse(const Symmetric& a) {
  const Real quotient = Real(1) / (a.xx * a.yy - a.xy * a.xy);
  return {a.yy * quotient, -(a.xy * quotient), a.xx * quotient};
}

// Of the last roller, its neighbours and its own row into the border.
inline void move_last_into_border(std::size_t last, CyclicSystem& system) {
  auto& corner = system.corner;
  const auto join = [&](std::size_t roller, const Symmetric& block) {
    auto& row = system.row[roller];
    row[kShared].x -= block.xx;
    row[kShared].y -= block.xy;
    row[kShared + 1].x -= block.xy;
    row[kShared + 1].y -= block.yy;
  };
  join(0, system.link[0]);
  join(last - 1, system.link[last]);
  for (std::size_t k = 0; k < kShared; ++k) {
    corner[k][kShared] = system.row[last][k].x;
    corner[k][kShared + 1] = system.row[last][k].y;
  }
  corner[kShared][kShared] = system.diagonal[last].xx;
  corner[kShared][kShared + 1] = system.diagonal[last].xy;
  corner[kShared + 1][kShared + 1] = system.diagonal[last].yy;
  corner[kShared][kBorder] = system.row[last][kBorder].x;
  corner[kShared + 1][kBorder] = system.row[last][kBorder].y;
}

// Leaves in each row what the roller is by the border, and the inverse in its diagonal.
inline void eliminate(std::size_t last, CyclicSystem& system) {
  auto& corner = system.corner;
  for (std::size_t i = 0; i < last; ++i) {
    const Symmetric inverted = inverse(system.diagonal[i]);
    system.diagonal[i] = inverted;
    auto& row = system.row[i];
    const auto before = row;
    for (std::size_t k = 0; k <= kBorder; ++k) {
      row[k] = inverted.times(before[k]);
    }
    for (std::size_t k = 0; k < kBorder; ++k) {
      for (std::size_t j = k; j <= kBorder; ++j) {
        corner[k][j] -= dot(before[k], row[j]);
      }
    }
    if (i + 1 == last) {
      return;
    }
    const Symmetric& link = system.link[i + 1];
    const Pair first = link.times(inverted.times({link.xx, link.xy}));
    const Pair second = link.times(inverted.times({link.xy, link.yy}));
    Symmetric& next = system.diagonal[i + 1];
    next = {next.xx - first.x, next.xy - first.y, next.yy - second.y};
    for (std::size_t k = 0; k <= kBorder; ++k) {
      const Pair through = link.times(row[k]);
      system.row[i + 1][k].x += through.x;
      system.row[i + 1][k].y += through.y;
    }
  }
}

[[nodiscard]] inline etl::array<Real, kBorder> solve_corner(CyclicSystem& system) {
  auto& corner = system.corner;
  etl::array<Real, kBorder> found{};
  for (std::size_t k = 0; k < kBorder; ++k) {
    const Real inverse = corner[k][k] > 0 ? Real(1) / corner[k][k] : Real(0);
    for (std::size_t i = k + 1; i < kBorder; ++i) {
      const Real factor = corner[k][i] * inverse;
      for (std::size_t j = i; j <= kBorder; ++j) {
        corner[i][j] -= factor * corner[k][j];
      }
    }
    corner[k][k] = inverse;
  }
  for (std::size_t k = kBorder; k-- > 0;) {
    Real left = corner[k][kBorder];
    for (std::size_t j = k + 1; j < kBorder; ++j) {
      left -= corner[k][j] * found[j];
    }
    found[k] = left * corner[k][k];
  }
  return found;
}

}  // namespace detail

// The system is used up.
inline void solve(std::size_t rollers, CyclicSystem& system, CyclicVector& found) {
  const std::size_t last = rollers - 1;
  detail::move_last_into_border(last, system);
  detail::eliminate(last, system);
  const etl::array<Real, kBorder> border = detail::solve_corner(system);
  for (std::size_t k = 0; k < kShared; ++k) {
    found.shared[k] = border[k];
  }
  found.roller[last] = {border[kShared], border[kShared + 1]};
  Pair pull{};  // of the next roller, through the link to it
  for (std::size_t i = last; i-- > 0;) {
    const auto& row = system.row[i];
    const Pair by_next = system.diagonal[i].times(pull);
    Pair here{row[kBorder].x + by_next.x, row[kBorder].y + by_next.y};
    for (std::size_t k = 0; k < kBorder; ++k) {
      here.x -= row[k].x * border[k];
      here.y -= row[k].y * border[k];
    }
    found.roller[i] = here;
    pull = system.link[i].times(here);
  }
}

}  // namespace taut::implicit_chain
