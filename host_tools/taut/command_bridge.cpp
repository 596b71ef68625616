#include <memory>

#include "boards/linux_pc/xcp_udp.h"
#include "host_tools/taut/bridge.h"
#include "host_tools/taut/commands.h"

namespace taut::tool {

void add_bridge_command(CLI::App& app) {
  CLI::App* command =
      app.add_subcommand("bridge", "couples a serial line that speaks XCP to UDP, until it closes");
  auto request = std::make_shared<BridgeRequest>();
  request->address = board::kXcpAddress;
  request->port = board::kXcpPort;
  command
      ->add_option("LINE", request->line,
                   "a serial device, unix:PATH or tcp:ADDRESS:PORT (QEMU's -serial)")
      ->required()
      ->type_name("");
  command->add_option("--baud", request->baud, "speed of a serial device")->capture_default_str();
  command->add_option("--address", request->address, "where to listen; 0.0.0.0 is everywhere")
      ->capture_default_str();
  command->add_option("--port", request->port, "UDP port; 0: any that is free")
      ->capture_default_str();
  command->callback([request] { run_bridge(*request); });
}

}  // namespace taut::tool
