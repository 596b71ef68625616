#include "sim_core/drive/drive_model.h"

namespace taut::drive {
namespace {

// A bar pushes away from its side of the loop. Sprockets inside turn as the loop does;
// where that is counter-clockwise, the inside lies on the left of travel.
Point push_direction(const DriveSpec& spec, const Geometry& geometry, const Strand& strand,
                     Side side) {
  const bool first_is_inside = spec.sprockets[0].side == Side::kInside;
  const bool left_is_inside = (geometry.wrap[0].turn > 0) == first_is_inside;
  const Point left = math::hat(strand.direction);
  const bool push_left = left_is_inside == (side == Side::kOutside);
  return push_left ? left : Point(-left);
}

contact::GuideBar<double> place_bar(const DriveSpec& spec, const Geometry& geometry,
                                    const GuideBarSpec& bar) {
  const Strand& strand = geometry.strand[static_cast<std::size_t>(bar.strand) - 1];
  const Point middle_m = strand.begin_m + bar.place * strand.length_m * strand.direction;
  return contact::make_guide_bar<double>(
      middle_m, strand.direction, push_direction(spec, geometry, strand, bar.side),
      bar.flat_length_m, bar.end_length_m, bar.end_radius_m, bar.indentation_m, bar.rotation_rad);
}

tightener::WeightArm<double> make_arm(const DriveSpec& spec) {
  const TightenerSpec& given = spec.tightener;
  const SprocketSpec& sprocket = spec.sprockets[static_cast<std::size_t>(given.sprocket) - 1];
  const Point hinge(given.pivot_x_m, given.pivot_y_m);
  const Point axle = Point(sprocket.centre_x_m, sprocket.centre_y_m) - hinge;
  const Point mass_centre = Point(given.mass_centre_x_m, given.mass_centre_y_m) - hinge;
  const Point spring = Point(given.spring_on_arm_x_m, given.spring_on_arm_y_m) - hinge;
  const Point ground = Point(given.spring_on_ground_x_m, given.spring_on_ground_y_m) - hinge;
  const Point weight_moment = given.arm_mass_kg * mass_centre + sprocket.mass_kg * axle;
  return {.hinge_x_m = hinge.x(),
          .hinge_y_m = hinge.y(),
          .axle_x_m = axle.x(),
          .axle_y_m = axle.y(),
          .mass_centre_x_m = mass_centre.x(),
          .mass_centre_y_m = mass_centre.y(),
          .spring_x_m = spring.x(),
          .spring_y_m = spring.y(),
          .ground_x_m = ground.x(),
          .ground_y_m = ground.y(),
          .spring_free_length_m = given.spring_free_length_m,
          .spring_stiffness_N_m = given.spring_stiffness_N_m,
          .spring_damping_N_s_m = given.spring_damping_N_s_m,
          .weight_moment_x_kg_m = weight_moment.x(),
          .weight_moment_y_kg_m = weight_moment.y(),
          .inertia_kg_m2 = given.arm_inertia_kg_m2 + given.arm_mass_kg * mass_centre.squaredNorm() +
                           sprocket.mass_kg * axle.squaredNorm()};
}

contact::ToothGap<double> make_gap(const DriveSpec& spec, int teeth) {
  return spec.contact.form == ToothForm::kReal
             ? contact::make_real_gap<double>(teeth, spec.chain.roller_radius_m, spec.chain.pitch_m)
             : contact::make_circular_gap<double>(spec.chain.roller_radius_m,
                                                  spec.contact.circular_clearance_m);
}

}  // namespace

bool make_drive_model(const DriveSpec& spec, DriveModel& model) {
  model.spec = spec;
  if (!make_geometry(spec, model.geometry).possible) {
    return false;
  }
  const ContactSpec& contact = spec.contact;
  model.tooth_law = contact::make_normal_law<double>(contact.stiffness_N_m_n, contact.exponent,
                                                     contact.restitution);
  model.friction = contact::make_friction<double>(spec.friction.form, spec.friction.coefficient,
                                                  spec.friction.speed_m_s, spec.friction.sharpness);
  for (std::size_t i = 0; i < spec.sprockets.size(); ++i) {
    model.tooth_gap[i] = make_gap(spec, spec.sprockets[i].teeth);
  }
  for (std::size_t i = 0; i < spec.guide_bars.size(); ++i) {
    const GuideBarSpec& bar = spec.guide_bars[i];
    model.guide_bar[i] = place_bar(spec, model.geometry, bar);
    model.guide_bar_law[i] =
        contact::make_normal_law<double>(bar.stiffness_N_m_n, contact.exponent, bar.restitution);
  }
  if (spec.tightener.kind != TightenerKind::kNone) {
    model.arm = make_arm(spec);
  }
  return true;
}

DriveSpec with_tightener_turned(const DriveSpec& spec, double angle_rad) {
  DriveSpec turned = spec;
  const Point hinge(spec.tightener.pivot_x_m, spec.tightener.pivot_y_m);
  SprocketSpec& sprocket = turned.sprockets[static_cast<std::size_t>(spec.tightener.sprocket) - 1];
  const Point centre = hinge + tightener::rotated(sprocket.centre_x_m - hinge.x(),
                                                  sprocket.centre_y_m - hinge.y(), angle_rad);
  sprocket.centre_x_m = centre.x();
  sprocket.centre_y_m = centre.y();
  return turned;
}

}  // namespace taut::drive
