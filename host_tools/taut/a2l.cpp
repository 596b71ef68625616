#include "host_tools/taut/a2l.h"

#include <array>
#include <charconv>
#include <map>

#include "boards/linux_pc/xcp_udp.h"
#include "hal/xcp/daq.h"
#include "hal/xcp/protocol.h"
#include "hal/xcp/table.h"
#include "sim_core/twin/table.h"

namespace taut::tool {
namespace {

using signal::Entry;

// What a tool must know of IF_DATA to read it; the parts of the standard's that are used here.
constexpr const char* kGrammar = R"(
    /begin A2ML
      block "IF_DATA" taggedunion if_data {
        "XCP" struct {
          taggedstruct {
            block "PROTOCOL_LAYER" struct {
              uint; uint; uint; uint; uint; uint; uint; uint; uchar; uint;
              enum { "BYTE_ORDER_MSB_LAST" = 0, "BYTE_ORDER_MSB_FIRST" = 1 };
              enum { "ADDRESS_GRANULARITY_BYTE" = 1 };
              taggedstruct { ("OPTIONAL_CMD" enum {
                "GET_COMM_MODE_INFO" = 251, "GET_ID" = 250, "SET_REQUEST" = 249, "GET_SEED" = 248,
                "UNLOCK" = 247, "SET_MTA" = 246, "UPLOAD" = 245, "SHORT_UPLOAD" = 244,
                "DOWNLOAD" = 240, "SHORT_DOWNLOAD" = 237, "SET_CAL_PAGE" = 235,
                "GET_CAL_PAGE" = 234, "GET_PAG_PROCESSOR_INFO" = 233, "SET_DAQ_PTR" = 226,
                "WRITE_DAQ" = 225, "SET_DAQ_LIST_MODE" = 224, "START_STOP_DAQ_LIST" = 222,
                "START_STOP_SYNCH" = 221, "GET_DAQ_CLOCK" = 220, "GET_DAQ_PROCESSOR_INFO" = 218,
                "GET_DAQ_RESOLUTION_INFO" = 217, "GET_DAQ_EVENT_INFO" = 215, "FREE_DAQ" = 214,
                "ALLOC_DAQ" = 213, "ALLOC_ODT" = 212, "ALLOC_ODT_ENTRY" = 211 })*; };
            };
            block "DAQ" struct {
              enum { "STATIC" = 0, "DYNAMIC" = 1 };
              uint; uint; uchar;
              enum { "OPTIMISATION_TYPE_DEFAULT" = 0 };
              enum { "ADDRESS_EXTENSION_FREE" = 0 };
              enum { "IDENTIFICATION_FIELD_TYPE_ABSOLUTE" = 0 };
              enum { "GRANULARITY_ODT_ENTRY_SIZE_DAQ_DWORD" = 4 };
              uchar;
              enum { "NO_OVERLOAD_INDICATION" = 0 };
              taggedstruct {
                "PRESCALER_SUPPORTED";
                block "STIM" struct {
                  enum { "GRANULARITY_ODT_ENTRY_SIZE_STIM_DWORD" = 4 };
                  uchar;
                };
                block "TIMESTAMP_SUPPORTED" struct {
                  uint; enum { "SIZE_DWORD" = 4 }; enum { "UNIT_1US" = 3 };
                };
                (block "EVENT" struct {
                  char[101]; char[9]; uint;
                  enum { "DAQ" = 1, "STIM" = 2, "DAQ_STIM" = 3 };
                  uchar; uchar; uchar; uchar;
                })*;
              };
            };
            block "XCP_ON_UDP_IP" struct { uint; uint; taggedstruct { "ADDRESS" char[16]; }; };
            block "XCP_ON_SxI" struct {
              uint; ulong;
              taggedstruct { "ASYNCH_FULL_DUPLEX_MODE" struct {
                enum { "PARITY_NONE" = 0 }; enum { "ONE_STOP_BIT" = 1 }; }; };
              enum { "HEADER_LEN_CTR_WORD" = 3 };
              enum { "CHECKSUM_WORD" = 2 };
            };
          };
        };
      };
    /end A2ML
)";

constexpr const char* kCommands[] = {"GET_COMM_MODE_INFO",
                                     "GET_ID",
                                     "SET_REQUEST",
                                     "GET_SEED",
                                     "UNLOCK",
                                     "SET_MTA",
                                     "UPLOAD",
                                     "SHORT_UPLOAD",
                                     "DOWNLOAD",
                                     "SHORT_DOWNLOAD",
                                     "SET_CAL_PAGE",
                                     "GET_CAL_PAGE",
                                     "GET_PAG_PROCESSOR_INFO",
                                     "SET_DAQ_PTR",
                                     "WRITE_DAQ",
                                     "SET_DAQ_LIST_MODE",
                                     "START_STOP_DAQ_LIST",
                                     "START_STOP_SYNCH",
                                     "GET_DAQ_CLOCK",
                                     "GET_DAQ_PROCESSOR_INFO",
                                     "GET_DAQ_RESOLUTION_INFO",
                                     "GET_DAQ_EVENT_INFO",
                                     "FREE_DAQ",
                                     "ALLOC_DAQ",
                                     "ALLOC_ODT",
                                     "ALLOC_ODT_ENTRY"};

std::string number(double value) {
  std::array<char, 32> text{};
  const auto end = std::to_chars(text.data(), text.data() + text.size(), value);
  return {text.data(), end.ptr};
}

std::string hex(std::uint32_t value) {
  std::array<char, 16> text{};
  const auto end = std::to_chars(text.data(), text.data() + text.size(), value, 16);
  return "0x" + std::string(text.data(), end.ptr);
}

// Milliseconds that a master waits for a response; times are those of a tick and a network.
std::string protocol_layer() {
  std::string text =
      "      /begin PROTOCOL_LAYER\n"
      "        0x0100 1000 1000 1000 1000 1000 1000 1000 " +
      std::to_string(hal::xcp::kMaxCto) + " " + std::to_string(hal::xcp::kMaxDto) +
      " BYTE_ORDER_MSB_LAST ADDRESS_GRANULARITY_BYTE\n";
  for (const char* command : kCommands) {
    text += std::string("        OPTIONAL_CMD ") + command + "\n";
  }
  return text + "      /end PROTOCOL_LAYER\n";
}

std::string daq() {
  const std::string largest = std::to_string(hal::xcp::kMaxEntrySize);
  return "      /begin DAQ\n"
         "        DYNAMIC 0 1 0 OPTIMISATION_TYPE_DEFAULT ADDRESS_EXTENSION_FREE\n"
         "        IDENTIFICATION_FIELD_TYPE_ABSOLUTE GRANULARITY_ODT_ENTRY_SIZE_DAQ_DWORD " +
         largest +
         "\n        NO_OVERLOAD_INDICATION\n"
         "        PRESCALER_SUPPORTED\n"
         "        /begin STIM GRANULARITY_ODT_ENTRY_SIZE_STIM_DWORD " +
         largest +
         " /end STIM\n"
         "        /begin TIMESTAMP_SUPPORTED 500 SIZE_DWORD UNIT_1US /end TIMESTAMP_SUPPORTED\n"
         "        /begin EVENT \"tick\" \"tick\" 0 DAQ_STIM " +
         std::to_string(hal::xcp::kMaxLists) +
         " 5 5 0 /end EVENT\n"
         "      /end DAQ\n";
}

std::string transports() {
  return "      /begin XCP_ON_UDP_IP 0x0100 " + std::to_string(board::kXcpPort) + " ADDRESS \"" +
         board::kXcpAddress +
         "\" /end XCP_ON_UDP_IP\n"
         "      /begin XCP_ON_SxI\n"
         "        0x0100 115200 ASYNCH_FULL_DUPLEX_MODE PARITY_NONE ONE_STOP_BIT\n"
         "        HEADER_LEN_CTR_WORD CHECKSUM_WORD\n"
         "      /end XCP_ON_SxI\n";
}

const char* type_name(signal::Type type) {
  switch (type) {
    case signal::Type::kFloat32:
      return "FLOAT32_IEEE";
    case signal::Type::kFloat64:
      return "FLOAT64_IEEE";
    case signal::Type::kUint32:
      break;
  }
  return "ULONG";
}

// A method a unit, by the order in which units first appear.
class Units {
 public:
  std::string method(const Entry& entry) {
    const auto [place, is_new] = numbers_.try_emplace(entry.unit, numbers_.size());
    const std::string name = "unit_" + std::to_string(place->second);
    if (is_new) {
      text_ += "    /begin COMPU_METHOD " + name + " \"\" IDENTICAL \"%.9\" \"" + entry.unit +
               "\" /end COMPU_METHOD\n";
    }
    return name;
  }
  [[nodiscard]] const std::string& text() const { return text_; }

 private:
  std::map<std::string, std::size_t> numbers_;
  std::string text_;
};

std::string measurement(const Entry& entry, const std::string& prefix, std::size_t row,
                        Units& units) {
  const std::size_t elements = signal::times(entry.repeat, signal::kMaxStrands);
  std::string text = "    /begin MEASUREMENT " + prefix + entry.name + " \"" + entry.help +
                     "\"\n      " + type_name(entry.type) + " " + units.method(entry) + " 0 0 " +
                     number(entry.lowest) + " " + number(entry.highest) + "\n      ECU_ADDRESS " +
                     hex(hal::xcp::address_of(row)) + "\n";
  if (elements > 1) {
    text += "      MATRIX_DIM " + std::to_string(elements) + " 1 1\n";
  }
  return text + "    /end MEASUREMENT\n";
}

std::string characteristic(const Entry& entry, const std::string& prefix, std::size_t row,
                           Units& units) {
  return "    /begin CHARACTERISTIC " + prefix + entry.name + " \"" + entry.help +
         "\"\n      VALUE " + hex(hal::xcp::address_of(row)) + " value_" + type_name(entry.type) +
         " 0 " + units.method(entry) + " " + number(entry.lowest) + " " + number(entry.highest) +
         "\n    /end CHARACTERISTIC\n";
}

std::string record_layouts() {
  std::string text;
  for (const signal::Type type :
       {signal::Type::kFloat32, signal::Type::kFloat64, signal::Type::kUint32}) {
    text += std::string("    /begin RECORD_LAYOUT value_") + type_name(type) + " FNC_VALUES 1 " +
            type_name(type) + " COLUMN_DIR DIRECT /end RECORD_LAYOUT\n";
  }
  return text;
}

// Rows in the order of the table, which is that of the addresses.
std::string quantities(Units& units) {
  std::string text;
  std::size_t row = 0;
  for (const Entry& entry : twin::entries(twin::Part::kInput)) {
    text += measurement(entry, "sensor.", row++, units);
  }
  for (const Entry& entry : twin::entries(twin::Part::kMeasurement)) {
    text += measurement(entry, "prediction.", row++, units);
  }
  for (const Entry& entry : twin::entries(twin::Part::kCalibration)) {
    text += characteristic(entry, "calibration.", row++, units);
  }
  return text;
}

}  // namespace

std::string make_a2l() {
  Units units;
  const std::string rows = quantities(units);
  return "ASAP2_VERSION 1 71\n"
         "/begin PROJECT taut \"a chain drive's twin\"\n"
         "  /begin MODULE taut \"the same on every target\"\n" +
         std::string(kGrammar) +
         "    /begin MOD_COMMON \"\" BYTE_ORDER MSB_LAST ALIGNMENT_FLOAT32_IEEE 4 /end MOD_COMMON\n"
         "    /begin IF_DATA XCP\n" +
         protocol_layer() + daq() + transports() + "    /end IF_DATA\n" + units.text() +
         record_layouts() + rows + "  /end MODULE\n/end PROJECT\n";
}

}  // namespace taut::tool
