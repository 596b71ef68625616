#include <algorithm>

#include "host_tools/taut/run_report.h"
#include "host_tools/taut/sweep_report.h"
#include "host_tools/taut/text.h"

namespace taut::tool {
namespace {

// The runs of one drive: one table, one unit.
struct DriveRuns {
  const SweepReport& report;
  std::size_t begin;
  std::size_t end;
  ForceUnit unit;
};

DriveRuns runs_of(const SweepReport& report, std::size_t drive) {
  const std::size_t count = report.sweep.runs_a_drive();
  double largest_N = 0;
  for (std::size_t run = drive * count; run < (drive + 1) * count; ++run) {
    if (const auto& result = report.batch.outcomes[run].result) {
      largest_N = std::max(largest_N, result->statistics.link_max_N);
    }
  }
  return {report, drive * count, (drive + 1) * count, unit_for(largest_N)};
}

TextTable table_for(const DriveRuns& runs) {
  std::vector<std::string> header;
  for (const SweptQuantity& quantity : runs.report.sweep.over) {
    header.push_back(quantity.label());
  }
  const std::string in_unit = std::string(" [") + runs.unit.name + "]";
  for (const char* force : {"mean", "sd", "99.9 %", "max", "any link", "teeth"}) {
    header.push_back(force + in_unit);
  }
  header.insert(header.begin() + static_cast<std::ptrdiff_t>(runs.report.sweep.over.size()),
                "strand");
  header.insert(header.end(), {"arm sd [mrad]", "steady since"});
  return TextTable(header);
}

std::string steady_word(const SteadyReport& steady) {
  return steady.reached ? fixed(steady.from_s, 2) + " s" : steady.turns == 0 ? "not known" : "no";
}

std::vector<std::string> figures(const RunRequest& request, const RunResult& result,
                                 const ForceUnit& unit) {
  const RunStatistics& found = result.statistics;
  const auto tightest = std::max_element(
      found.strands.begin(), found.strands.end(),
      [](const auto& a, const auto& b) { return a.tension.p999_N < b.tension.p999_N; });
  const auto force = [&](double force_N) { return fixed(force_N / unit.N, 2); };
  const bool arm = request.spec.tightener.kind == drive::TightenerKind::kArm;
  return {std::to_string(tightest - found.strands.begin() + 1),
          force(tightest->tension.mean_N),
          force(tightest->tension.sd_N),
          force(tightest->tension.p999_N),
          force(tightest->tension.max_N),
          force(found.link_max_N),
          force(found.contact_max_N),
          arm ? fixed(found.tightener.arm_sd_rad * 1e3, 3) : "-",
          steady_word(result.steady)};
}

std::vector<std::string> row(const DriveRuns& runs, std::size_t run) {
  const Sweep& sweep = runs.report.sweep;
  const RunOutcome& outcome = runs.report.batch.outcomes[run];
  std::vector<std::string> cells;
  for (std::size_t q = 0; q < sweep.over.size(); ++q) {
    cells.push_back(sweep.value_of(run, q));
  }
  const std::vector<std::string> found =
      outcome.result ? figures(sweep.requests[run], *outcome.result, runs.unit)
                     : std::vector<std::string>{"failed"};
  cells.insert(cells.end(), found.begin(), found.end());
  return cells;
}

std::string drive_text(const DriveRuns& runs) {
  TextTable table = table_for(runs);
  for (std::size_t run = runs.begin; run < runs.end; ++run) {
    table.add(row(runs, run));
  }
  const Sweep& sweep = runs.report.sweep;
  const RunRequest& first = sweep.requests[runs.begin];
  const bool model_is_swept = std::any_of(sweep.over.begin(), sweep.over.end(),
                                          [](const auto& over) { return over.name == "model"; });
  return std::string(first.spec.name.c_str()) +
         (model_is_swept ? "" : ", " + words_of(first.model)) + "\n\n" + table.text() + "\n";
}

std::string computing_text(const BatchResult& batch) {
  const std::size_t runs = batch.outcomes.size();
  const std::size_t failed = batch.failed();
  return "  computed: " + std::to_string(runs) + (runs == 1 ? " run" : " runs") +
         (failed == 0 ? "" : ", " + std::to_string(failed) + " of them failed,") + " by " +
         std::to_string(batch.workers) + (batch.workers == 1 ? " worker" : " workers") + " in " +
         fixed(batch.wall_s, 2) + " s: " + general(batch.simulated_s) + " s of motion, " +
         fixed(batch.simulated_s / batch.wall_s, 2) + " x real time in all\n";
}

}  // namespace

std::string to_text(const SweepReport& report) {
  std::string text;
  for (std::size_t drive = 0; drive < report.sweep.drives.size(); ++drive) {
    text += drive_text(runs_of(report, drive));
  }
  return text +
         "  mean to max: tension at the middle of the strand whose 99.9 % is largest; any link, "
         "teeth:\n  largest force. All strands and statistics: --csv, --json\n" +
         computing_text(report.batch);
}

}  // namespace taut::tool
