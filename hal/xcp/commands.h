// The commands of the slave, a group a source; dispatched in slave.cpp. Not for others.
// Each is called with a packet of at least its length and a response of one byte, kPidResponse,
// followed by zeros, and makes that longer.
#pragma once

#include <cstddef>
#include <cstdint>

#include <etl/span.h>

#include "hal/xcp/slave.h"

namespace taut::hal::xcp {

struct Call {
  const SlaveModel& model;
  SlaveState& state;
  const Images& images;
  const SlaveQueues& queues;
  etl::span<const std::uint8_t> packet;
  Packet& response;
};

// Session: commands_session.cpp
void begin_session(SlaveState& state);
void end_session(SlaveState& state);
[[nodiscard]] std::uint8_t protected_resources(const SlaveModel& model, const SlaveState& state);
[[nodiscard]] Error connect(Call& call);
[[nodiscard]] Error get_status(Call& call);
[[nodiscard]] Error get_comm_mode_info(Call& call);
[[nodiscard]] Error get_id(Call& call);
[[nodiscard]] Error set_request(Call& call);
[[nodiscard]] Error get_seed(Call& call);
[[nodiscard]] Error unlock(Call& call);

// Memory: commands_memory.cpp
[[nodiscard]] Error set_mta(Call& call);
[[nodiscard]] Error upload(Call& call);
[[nodiscard]] Error short_upload(Call& call);
[[nodiscard]] Error download(Call& call);
[[nodiscard]] Error short_download(Call& call);
[[nodiscard]] Error set_cal_page(Call& call);
[[nodiscard]] Error get_cal_page(Call& call);
[[nodiscard]] Error get_pag_processor_info(Call& call);

// Lists: commands_daq.cpp
[[nodiscard]] Error set_daq_ptr(Call& call);
[[nodiscard]] Error write_daq(Call& call);
[[nodiscard]] Error set_daq_list_mode(Call& call);
[[nodiscard]] Error start_stop_daq_list(Call& call);
[[nodiscard]] Error start_stop_synch(Call& call);
[[nodiscard]] Error get_daq_clock(Call& call);
[[nodiscard]] Error get_daq_processor_info(Call& call);
[[nodiscard]] Error get_daq_resolution_info(Call& call);
[[nodiscard]] Error get_daq_event_info(Call& call);
[[nodiscard]] Error free_daq(Call& call);
[[nodiscard]] Error alloc_daq(Call& call);
[[nodiscard]] Error alloc_odt(Call& call);
[[nodiscard]] Error alloc_odt_entry(Call& call);

inline constexpr etl::string_view kEventName = "tick";

}  // namespace taut::hal::xcp
