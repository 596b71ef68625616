// A symmetric positive definite system of a closed chain: 2x2 blocks on the diagonal and between
// neighbours. The last roller closes the loop: all others are eliminated along the chain, each in
// terms of it. Fixed work for a given number of rollers.
#pragma once

#include <cstddef>

#include <etl/array.h>

#include "sim_core/roller_chain/roller_state.h"

namespace taut::implicit_chain {

using Real = float;
struct Pair {
  Real x, y;
};

[[nodiscard]] inline Real dot(const Pair& a, const Pair& b) {
  return a.x * b.x + a.y * b.y;
}

inline void add_to(Pair& sum, Real factor, const Pair& term) {
  sum.x += factor * term.x;
  sum.y += factor * term.y;
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

struct CyclicSystem {
  // What stands in a roller's two rows besides: columns of the last roller, right-hand side.
  struct Row {
    Pair last_x, last_y, right;
  };

  roller_chain::PerLink<Symmetric> diagonal;
  roller_chain::PerLink<Symmetric> link;  // minus the block between rollers i - 1 and i
  roller_chain::PerLink<Row> row;         // callers set the right-hand side alone
  Symmetric corner;                       // last roller's own
  Pair corner_right;
};

namespace detail {

[[nodiscard]] inline Symmetric inverse(const Symmetric& a) {
  const Real quotient = Real(1) / (a.xx * a.yy - a.xy * a.xy);
  return {a.yy * quotient, -(a.xy * quotient), a.xx * quotient};
}

// The last roller's neighbours get its columns.
inline void open_at_last(std::size_t last, CyclicSystem& system) {
  for (std::size_t i = 0; i < last; ++i) {
    system.row[i].last_x = {};
    system.row[i].last_y = {};
  }
  const auto join = [&](std::size_t roller, const Symmetric& block) {
    auto& row = system.row[roller];
    row.last_x = {row.last_x.x - block.xx, row.last_x.y - block.xy};
    row.last_y = {row.last_y.x - block.xy, row.last_y.y - block.yy};
  };
  join(0, system.link[0]);
  join(last - 1, system.link[last]);
  system.corner = system.diagonal[last];
  system.corner_right = system.row[last].right;
}

// Leaves in each row what the roller is by the last one, and the inverse in its diagonal.
inline void eliminate(std::size_t last, CyclicSystem& system) {
  Symmetric corner = system.corner;
  Pair right = system.corner_right;
  for (std::size_t i = 0; i < last; ++i) {
    const Symmetric inverted = inverse(system.diagonal[i]);
    system.diagonal[i] = inverted;
    const CyclicSystem::Row before = system.row[i];
    const CyclicSystem::Row row{inverted.times(before.last_x), inverted.times(before.last_y),
                                inverted.times(before.right)};
    system.row[i] = row;
    corner.xx -= dot(before.last_x, row.last_x);
    corner.xy -= dot(before.last_x, row.last_y);
    corner.yy -= dot(before.last_y, row.last_y);
    right.x -= dot(before.last_x, row.right);
    right.y -= dot(before.last_y, row.right);
    if (i + 1 == last) {
      break;
    }
    const Symmetric& link = system.link[i + 1];
    const Pair first = link.times(inverted.times({link.xx, link.xy}));
    const Pair second = inverted.times({link.xy, link.yy});
    Symmetric& next = system.diagonal[i + 1];
    next = {next.xx - first.x, next.xy - first.y,
            next.yy - (link.xy * second.x + link.yy * second.y)};
    CyclicSystem::Row& there = system.row[i + 1];
    add_to(there.last_x, Real(1), link.times(row.last_x));
    add_to(there.last_y, Real(1), link.times(row.last_y));
    add_to(there.right, Real(1), link.times(row.right));
  }
  system.corner = corner;
  system.corner_right = right;
}

}  // namespace detail

// The system is used up.
inline void solve(std::size_t rollers, CyclicSystem& system, roller_chain::PerLink<Pair>& found) {
  const std::size_t last = rollers - 1;
  detail::open_at_last(last, system);
  detail::eliminate(last, system);
  const Pair end = detail::inverse(system.corner).times(system.corner_right);
  found[last] = end;
  Pair pull{};  // of the next roller, through the link to it
  for (std::size_t i = last; i-- > 0;) {
    const CyclicSystem::Row& row = system.row[i];
    Pair here = system.diagonal[i].times(pull);
    add_to(here, Real(1), row.right);
    add_to(here, -end.x, row.last_x);
    add_to(here, -end.y, row.last_y);
    found[i] = here;
    pull = system.link[i].times(here);
  }
}

}  // namespace taut::implicit_chain
