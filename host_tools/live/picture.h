// The drive as the page draws it: a backdrop drawn once, and rollers, sprockets and the arm as they
// are now. To scale, but for motion sideways and of the arm, which may be too small to be seen: it
// is exaggerated, by as much as the page says; sideways by as much as there is room for.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "host_tools/live/target.h"
#include "host_tools/taut/drawing_parts.h"

namespace taut::live {

inline constexpr double kArmExaggeration = 10;

// In pixels of the backdrop.
struct DrawnChain {
  std::vector<tool::Pixel> roller;
  std::vector<double> press_rad;  // of each roller: in which direction its tooth is, y downwards
  std::array<double, drive::kMaxSprockets> turned_rad{};  // since as drawn, counter-clockwise
  double arm_rad = 0;                                     // of the arm, from as drawn, exaggerated
  double exaggeration = 1;                                // of what is beside strands
};

class Picture {
 public:
  // The drive has passed validate().
  explicit Picture(const drive::DriveSpec& drive);

  // Sprockets as groups sprocket_1 and on, and guide-bars, as they are drawn at rest.
  [[nodiscard]] std::string backdrop() const;
  [[nodiscard]] const tool::View& view() const { return view_; }
  [[nodiscard]] const drive::Geometry& geometry() const { return drawn_; }

  // The chain so far along since crank angle zero, over all turns; the arm's angle from as drawn.
  void move(double travel_pitches, double arm_rad);
  [[nodiscard]] const StraightChain& straight() const { return straight_; }
  [[nodiscard]] DrawnChain draw(const ChainLook& look);

 private:
  struct Loop {  // with the arm somewhere
    drive::DriveSpec spec;
    drive::Geometry geometry;
    drive::Placement placement;
  };
  void turn_arm(double arm_rad, Loop& loop) const;
  void place(double travel_pitches, Loop& loop) const;
  [[nodiscard]] std::size_t place_of(std::size_t roller) const;
  void choose_exaggeration(const ChainLook& look);
  [[nodiscard]] double press_rad(const drive::Point& roller) const;

  drive::DriveSpec drive_;
  drive::Geometry drawn_;
  drive::Placement at_start_;
  tool::View view_;
  Loop true_loop_;
  Loop exaggerated_;
  StraightChain straight_;
  double travel_pitches_ = 0;
  double arm_rad_ = 0;
  double largest_m_ = 0;  // beside strands, of late
  double exaggeration_ = 1;
};

}  // namespace taut::live
