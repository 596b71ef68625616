#include "host_tools/rig/plant_parameters.h"

#include <algorithm>

#include "sim_core/drive/spec_error.h"
#include "sim_core/drive/validate.h"

namespace taut::rig {
namespace {

// The drive's own entry for a link, made where there is none yet; has_room_for() says if it can.
drive::LinkSpec& special_link(drive::DriveSpec& spec, int number) {
  const auto found =
      std::find_if(spec.special_links.begin(), spec.special_links.end(),
                   [&](const drive::LinkSpec& link) { return link.number == number; });
  if (found != spec.special_links.end()) {
    return *found;
  }
  spec.special_links.push_back({.number = number});
  return spec.special_links.back();
}

double left_of(double whole, double size, double part) {
  return whole * (1 + part * (size - 1));
}

}  // namespace

bool has_room_for(const drive::DriveSpec& drive, int link) {
  return !drive.special_links.full() ||
         std::any_of(drive.special_links.begin(), drive.special_links.end(),
                     [&](const drive::LinkSpec& special) { return special.number == link; });
}

Drawn draw(const drive::DriveSpec& nominal, const Spread& spread, Random& random) {
  Drawn drawn;
  drawn.contact_stiffness_factor = 1 + random.within(spread.part);
  drawn.friction_factor = 1 + random.within(spread.part);
  drawn.joint_damping_factor = 1 + random.within(spread.part);
  drawn.link_damping_factor = 1 + random.within(spread.part);
  const bool has_tightener = nominal.tightener.kind != drive::TightenerKind::kNone;
  drawn.sprocket =
      has_tightener ? nominal.tightener.sprocket : static_cast<int>(nominal.sprockets.size());
  drawn.centre_x_m = random.within(spread.centre_m);
  drawn.centre_y_m = random.within(spread.centre_m);
  drawn.link = 1 + static_cast<int>(random.uniform() * nominal.chain.links);
  if (!has_room_for(nominal, drawn.link)) {
    drawn.link = nominal.special_links.back().number;
  }
  drawn.link_elongation = random.within(spread.elongation);
  return drawn;
}

drive::DriveSpec with(const drive::DriveSpec& nominal, const Drawn& drawn) {
  drive::DriveSpec spec = nominal;
  spec.contact.stiffness_N_m_n *= drawn.contact_stiffness_factor;
  spec.friction.coefficient *= drawn.friction_factor;
  spec.chain.joint_damping_N_m_s *= drawn.joint_damping_factor;
  spec.chain.link_damping_N_s_m *= drawn.link_damping_factor;
  drive::SprocketSpec& sprocket = spec.sprockets[static_cast<std::size_t>(drawn.sprocket) - 1];
  sprocket.centre_x_m += drawn.centre_x_m;
  sprocket.centre_y_m += drawn.centre_y_m;
  if (drawn.link_elongation != 0) {
    special_link(spec, drawn.link).elongation += drawn.link_elongation;
  }
  return spec;
}

drive::DriveSpec damaged(const drive::DriveSpec& drive, const Damage& damage, double part) {
  drive::DriveSpec spec = drive;
  switch (damage.kind) {
    case DamageKind::kCrackedLink: {
      double& factor = special_link(spec, damage.number).stiffness_factor;
      factor = left_of(factor, damage.size, part);
      break;
    }
    case DamageKind::kWornBar:
      spec.guide_bars[static_cast<std::size_t>(damage.number) - 1].wear_m += part * damage.size;
      break;
    case DamageKind::kWeakDamper:
      spec.tightener.damping_factor = left_of(spec.tightener.damping_factor, damage.size, part);
      break;
    case DamageKind::kElongation:
      spec.chain.elongation += part * damage.size;
      break;
  }
  return spec;
}

std::string problem_with(const drive::DriveSpec& drive) {
  drive::SpecErrors errors;
  drive::validate(drive, errors);
  if (errors.empty()) {
    return "";
  }
  const drive::SpecError& first = errors.front();
  return std::string(first.section.data(), first.section.size()) +
         (first.index > 0 ? "[" + std::to_string(first.index) + "]" : "") +
         (first.key.empty() ? "" : "." + std::string(first.key.data(), first.key.size())) + ": " +
         first.text.c_str();
}

}  // namespace taut::rig
