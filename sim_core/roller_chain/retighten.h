// What a fitter does with a spanner: moves the tightener until the chain at rest has the
// tension he wants. With a weight-arm, the spring's end on the ground (G2) goes along the
// spring; with a fixed tightener, its sprocket turns about the hinge (phi_tg). A worn chain
// that is slack is first taken up by turning the sprocket as far as its length asks for; an
// arm is then drawn where it comes to stand. Host only.
#pragma once

#include "sim_core/drive/drive_spec.h"

namespace taut::roller_chain {

struct Retightened {
  bool found;
  drive::DriveSpec spec;  // with the new place of G2, or of the sprocket; an arm that had to
                          // follow a slack chain is redrawn where it now stands
  double moved;           // [m] G2 away from the arm, or [rad] sprocket about the hinge
  double tension_N;       // mean of the strands' means that the new place gives
  double lowest_N;        // tensions that can be had between the ends of the search
  double highest_N;
};

// The tightener must be fixed or an arm. Searches 0.16 m or 0.16 rad either way, beyond what
// slack needs.
[[nodiscard]] Retightened retighten(const drive::DriveSpec& spec, double wanted_N);

// Mean over the strands of their mean tension at rest; 0 if the drive finds no rest.
[[nodiscard]] double mean_tension_N(const drive::DriveSpec& spec);

// The drive with all wear of links undone.
[[nodiscard]] drive::DriveSpec as_new(const drive::DriveSpec& spec);

}  // namespace taut::roller_chain
