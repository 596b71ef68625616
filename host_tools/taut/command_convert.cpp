#include <array>
#include <iostream>
#include <memory>

#include "host_tools/taut/commands.h"
#include "host_tools/taut/table_csv.h"
#include "host_tools/taut/twin_log.h"
#include "sim_core/twin/table.h"

namespace taut::tool {
namespace {

void convert(const std::string& path, const std::string& out) {
  const TwinLog log = read_log(path);
  TableCsv csv(out,
               {{twin::entries(twin::Part::kInput), "measured."},
                {twin::entries(twin::Part::kMeasurement), "predicted."},
                {twin::entries(twin::Part::kCalibration), "calibrated."}},
               log.head.sprockets);
  twin::Calibration calibration{};
  auto next = log.calibrations.begin();
  for (std::size_t i = 0; i < log.rows.size(); ++i) {
    for (; next != log.calibrations.end() && next->row <= i; ++next) {
      calibration = next->values;
    }
    csv.add({&log.rows[i].frame, &log.rows[i].prediction, &calibration});
  }
  csv.commit();
  std::cout << out << ": " << csv.rows() << " ticks of " << log.head.drive
            << (log.is_whole ? "" : "; the log is cut off after them") << "\n";
}

}  // namespace

void add_convert_command(CLI::App& app) {
  CLI::App* command = app.add_subcommand("convert", "a twin's log as CSV");
  auto paths = std::make_shared<std::array<std::string, 2>>();
  command->add_option("LOG", (*paths)[0], "file of taut twin --log")->required()->type_name("");
  command->add_option("-o,--out", (*paths)[1], "the CSV file")->required()->type_name("FILE");
  command->callback([paths] { convert((*paths)[0], (*paths)[1]); });
}

}  // namespace taut::tool
