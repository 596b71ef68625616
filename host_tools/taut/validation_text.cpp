#include <algorithm>
#include <functional>
#include <map>

#include "host_tools/taut/run_report.h"
#include "host_tools/taut/text.h"
#include "host_tools/taut/validation.h"

namespace taut::tool {
namespace {

ForceUnit unit_of_all(const Validation& validation) {
  double largest_N = 0;
  for (const PointComparison& point : validation.points) {
    for (const StrandFigures& strand : point.strands) {
      largest_N = std::max(largest_N, strand.p999_N.value.full);
    }
  }
  return unit_for(largest_N);
}

std::string error_text(const Compared& compared) {
  return fixed(100 * compared.error(), 1);
}

// The tightest strand of each point; all of them: --csv, --json.
std::string points_text(const Validation& validation) {
  const ForceUnit unit = unit_of_all(validation);
  TextTable table({"point", "strand", std::string("mean [") + unit.name + "]", "sd", "99.9 %",
                   "errors: mean [%]", "sd", "99.9 %", "windows differ: mean [%]", "sd", "99.9 %",
                   "power [%]"});
  table.left(0);
  for (const PointComparison& point : validation.points) {
    if (point.failure) {
      table.add({point.point.name(), "failed"});
      continue;
    }
    const StrandFigures& strand = point.strands[point.tightest()];
    std::vector<std::string> row{point.point.name(), std::to_string(point.tightest() + 1)};
    for (const StrandFigure& figure : kStrandFigures) {
      row.push_back(fixed((strand.*figure.member).value.full / unit.N, 2));
    }
    for (const StrandFigure& figure : kStrandFigures) {
      row.push_back(error_text(strand.*figure.member));
    }
    for (const StrandFigure& figure : kStrandFigures) {
      row.push_back(fixed(100 * (strand.*figure.member).full_spread, 1));
    }
    row.push_back(error_text(point.driver_W));
    table.add(row);
  }
  return table.text() +
         "  the strand with the largest 99.9 % of tension by the full model; all strands: --csv, "
         "--json.\n  windows differ: largest less smallest of the full model's windows; errors "
         "below that are chaos\n";
}

void add_summary(const Validation& validation, const std::string& what,
                 const std::optional<ErrorSummary>& summary, bool of_strand, TextTable& table) {
  if (!summary) {
    return;
  }
  const std::string place =
      validation.points[summary->worst_point].point.name() +
      (of_strand ? ", strand " + std::to_string(summary->worst_strand + 1) : "");
  table.add({what, std::to_string(summary->count), fixed(100 * summary->median, 2),
             fixed(100 * summary->median_spread, 2), fixed(100 * summary->worst, 1),
             fixed(100 * summary->worst_spread, 1), place});
}

std::string summary_text(const Validation& validation) {
  TextTable table({"error", "of", "median [%]", "windows differ [%]", "worst [%]",
                   "windows differ [%]", "worst at"});
  table.left(0);
  table.left(6);
  for (const bool constant : {true, false}) {
    const std::string where = constant ? "constant speed: " : "accelerated: ";
    for (const StrandFigure& figure : kStrandFigures) {
      add_summary(validation, where + figure.in_words, summary_of(validation, figure, constant),
                  true, table);
    }
    add_summary(validation, where + "driver power", driver_summary_of(validation, constant), false,
                table);
  }
  return table.text() + "  over all points and strands\n";
}

std::string resonances_text(const Validation& validation) {
  if (validation.resonances.empty()) {
    return "";
  }
  const ForceUnit unit = unit_of_all(validation);
  TextTable table({"resonance", "strand", "full [rpm]", validation.model, "difference",
                   std::string("height: full [") + unit.name + "]", validation.model, "error [%]"});
  table.left(0);
  for (const Resonance& found : validation.resonances) {
    table.add({found.of, std::to_string(found.strand + 1), fixed(found.speed_rpm.full, 2),
               fixed(found.speed_rpm.fast, 2),
               fixed(found.speed_rpm.fast - found.speed_rpm.full, 2),
               fixed(found.height_N.full / unit.N, 2), fixed(found.height_N.fast / unit.N, 2),
               fixed(100 * found.height_N.error(), 1)});
  }
  return table.text() +
         "  height: 99.9 % of tension; its speed by a parabola; of the other model's peaks the "
         "one nearest to the full model's highest\n\n";
}

// How far the full model itself is to be trusted.
std::string full_text(const Validation& validation) {
  const PointComparison* gap = largest_gap_of(validation);
  if (gap == nullptr) {
    return "";
  }
  std::map<double, std::size_t, std::greater<>> points;  // by step
  for (const PointComparison& point : validation.points) {
    if (!point.failure) {
      ++points[point.full_step_s];
    }
  }
  std::vector<std::string> steps;
  steps.reserve(points.size());
  for (const auto& [step_s, count] : points) {
    steps.push_back(general(step_s * 1e6) + " us at " + std::to_string(count));
  }
  return "  the full model in steps of " + joined(steps) + " points; largest gap between what it " +
         "is given and what it loses: " + fixed(100 * gap->full_power_gap, 1) + " % at " +
         gap->point.name() + "\n";
}

std::string tagged_text(const Validation& validation) {
  TextTable table({"link once round the loop", "mean [kN]", "rms of the difference [% of it]",
                   "passages: full", validation.model, "order", "largest delay [pitches]"});
  table.left(0);
  bool any = false;
  for (const PointComparison& point : validation.points) {
    if (point.tagged) {
      any = true;
      table.add(
          {point.point.name(), fixed(point.tagged->mean_N / 1e3, 2),
           fixed(100 * point.tagged->rms_N / point.tagged->mean_N, 2),
           std::to_string(point.tagged->full_passages), std::to_string(point.tagged->fast_passages),
           point.tagged->same_order ? "right" : "wrong", fixed(point.tagged->worst_pitches, 2)});
    }
  }
  return any ? table.text() + "\n" : "";
}

std::string at_rest_text(const Validation& validation) {
  std::string text;
  for (const VariantAtRest& variant : validation.at_rest) {
    text += (variant.variant.empty() ? "" : "  " + variant.variant + "\n") +
            to_text(variant.rest, validation.model) + "\n";
  }
  return text;
}

}  // namespace

std::string to_text(const Validation& validation) {
  return validation.drive + ": the " + validation.model + " model against every roller; " +
         std::to_string(kWindows) + " windows of " + general(validation.window_s) +
         " s or more after " + general(validation.settle_s) + " s\n\n" + at_rest_text(validation) +
         points_text(validation) + "\n" + resonances_text(validation) + tagged_text(validation) +
         summary_text(validation) + full_text(validation) +
         "  computed: " + std::to_string(validation.points.size()) + " points by " +
         std::to_string(validation.workers) + " workers in " + fixed(validation.wall_s, 1) +
         " s: " + general(validation.simulated_s) + " s of motion\n";
}

}  // namespace taut::tool
