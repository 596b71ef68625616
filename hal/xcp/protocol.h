// Numbers of XCP, the universal measurement and calibration protocol (ASAM MCD-1 XCP, version 1):
// packet identifiers, commands, errors and the limits that this slave states.
#pragma once

#include <cstddef>
#include <cstdint>

namespace taut::hal::xcp {

inline constexpr std::size_t kMaxCto = 64;   // bytes of a command or a response
inline constexpr std::size_t kMaxDto = 248;  // bytes of a data packet
inline constexpr std::uint8_t kProtocolVersion = 1;
inline constexpr std::uint8_t kTransportVersion = 1;

// First byte of what a slave sends; a data packet begins with a smaller one.
inline constexpr std::uint8_t kPidResponse = 0xFF;
inline constexpr std::uint8_t kPidError = 0xFE;
inline constexpr std::uint8_t kPidEvent = 0xFD;
// What a master sends is a command from here on, and stimulation data below.
inline constexpr std::uint8_t kFirstCommand = 0xC0;

enum class Command : std::uint8_t {
  kConnect = 0xFF,
  kDisconnect = 0xFE,
  kGetStatus = 0xFD,
  kSynch = 0xFC,
  kGetCommModeInfo = 0xFB,
  kGetId = 0xFA,
  kSetRequest = 0xF9,
  kGetSeed = 0xF8,
  kUnlock = 0xF7,
  kSetMta = 0xF6,
  kUpload = 0xF5,
  kShortUpload = 0xF4,
  kDownload = 0xF0,
  kShortDownload = 0xED,
  kSetCalPage = 0xEB,
  kGetCalPage = 0xEA,
  kGetPagProcessorInfo = 0xE9,
  kSetDaqPtr = 0xE2,
  kWriteDaq = 0xE1,
  kSetDaqListMode = 0xE0,
  kStartStopDaqList = 0xDE,
  kStartStopSynch = 0xDD,
  kGetDaqClock = 0xDC,
  kGetDaqProcessorInfo = 0xDA,
  kGetDaqResolutionInfo = 0xD9,
  kGetDaqEventInfo = 0xD7,
  kFreeDaq = 0xD6,
  kAllocDaq = 0xD5,
  kAllocOdt = 0xD4,
  kAllocOdtEntry = 0xD3,
};

// kNone is no number of the standard: all went well.
enum class Error : std::uint8_t {
  kSynch = 0x00,
  kBusy = 0x10,
  kDaqActive = 0x11,
  kUnknown = 0x20,
  kSyntax = 0x21,
  kOutOfRange = 0x22,
  kWriteProtected = 0x23,
  kAccessDenied = 0x24,
  kAccessLocked = 0x25,
  kPageNotValid = 0x26,
  kModeNotValid = 0x27,
  kSegmentNotValid = 0x28,
  kSequence = 0x29,
  kDaqConfig = 0x2A,
  kMemoryOverflow = 0x30,
  kNone = 0xFF,
};

// Bits of the resources of CONNECT, of GET_STATUS (protected ones), of GET_SEED and UNLOCK.
inline constexpr std::uint8_t kResourceCalibration = 0x01;
inline constexpr std::uint8_t kResourceDaq = 0x04;
inline constexpr std::uint8_t kResourceStim = 0x08;

inline constexpr std::uint8_t kEventStored = 0x03;  // EV_STORE_CAL

}  // namespace taut::hal::xcp
