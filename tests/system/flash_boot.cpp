// An emulated board boots from the flash that taut flash writes, and keeps in it what is
// calibrated. A block that is damaged leaves the one before; one of another drive, or none, is
// told.
//
//   flash_boot MACHINE IMAGE TAUT
#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <functional>
#include <iostream>
#include <stdexcept>
#include <string>
#include <vector>

#include "boards/mps2/board_flash.h"
#include "boards/mps2/emulators_secret.h"
#include "host_tools/emulator/emulated_board.h"
#include "host_tools/emulator/temporary_folder.h"
#include "host_tools/emulator/xcp_master.h"
#include "host_tools/taut/drive_file.h"
#include "tests/system/judged.h"
#include "tests/system/packed_block.h"

namespace {

using namespace taut;
using namespace taut::emulator;
using namespace taut::system_test;

constexpr std::uint32_t kLink = 17;

void expect(bool holds, const std::string& otherwise) {
  if (!holds) {
    throw std::runtime_error(otherwise);
  }
}

struct Bench {
  std::string machine, image, taut;
  TemporaryFolder folder;
  std::string flash = folder.file("board.flash");
  std::string block = folder.file("reduced.tautblock");

  void write_flash() const {
    const std::string command = taut + " flash 6s90mc-c --block " + block + " -o " + flash;
    expect(std::system(command.c_str()) == 0, "failed: " + command);  // NOLINT(cert-env33-c)
  }

  // What the console said.
  std::string boot(const std::function<void(XcpMaster&)>& talk) const {
    EmulatedBoard board(machine, image, flash, Line::kPipes);
    XcpMaster master(board.from_board(), board.to_board(), [&] { return board.is_running(); });
    master.connect();
    talk(master);
    return board.end();
  }

  void boot_and_expect(const std::vector<std::string>& words,
                       const std::function<void(XcpMaster&)>& talk) const {
    const std::string said = boot(talk);
    for (const std::string& each : words) {
      expect(said.find(each) != std::string::npos,
             "the console does not say \"" + each + "\", but:\n" + said);
    }
  }

  // Of all copies of the block, from the first on: one byte in the middle is another.
  void damage_copy(std::size_t copy) const {
    std::fstream file(flash, std::ios::in | std::ios::out | std::ios::binary);
    const auto place = static_cast<std::streamoff>(copy * mps2::kBlocksBytes / 2 +
                                                   sizeof(firmware::TwinBlock) / 2);
    file.seekg(place);
    const int byte = file.get();
    file.seekp(place);
    file.put(static_cast<char>(byte ^ 1));
    expect(file.good(), "the flash cannot be changed");
  }

  void keep_for_another_drive() const {
    std::vector<std::uint64_t> memory(mps2::kFlashBytes / sizeof(std::uint64_t));
    std::ifstream(flash, std::ios::binary)
        .read(reinterpret_cast<char*>(memory.data()), mps2::kFlashBytes);
    mps2::BoardFlash board_flash(
        {reinterpret_cast<std::uint8_t*>(memory.data()), mps2::kFlashBytes});
    expect(board_flash.save_kept({1, {}}) == hal::CopyStatus::kOk, "nothing is kept");
    std::ofstream(flash, std::ios::binary)
        .write(reinterpret_cast<const char*>(memory.data()), mps2::kFlashBytes);
  }
};

void expect_link(XcpMaster& master, std::uint32_t wanted) {
  const std::uint32_t link = master.read_word(calibration("tagged_link"));
  expect(link == wanted,
         "tagged link " + std::to_string(link) + " in place of " + std::to_string(wanted));
}

void run(const Bench& bench) {
  const std::vector<std::string> runs = {"the twin's block fits; calibration as kept",
                                         "mode settle, self test passed"};
  bench.write_flash();
  bench.boot_and_expect({runs[0], runs[1], "calibration kept"}, [](XcpMaster& master) {
    expect_link(master, 0);
    master.unlock(hal::xcp::kResourceCalibration, mps2::kEmulatorsSecret);
    master.write_word(calibration("tagged_link"), kLink);
    master.keep_calibration();
  });
  std::cout << "calibrated, and kept\n";
  const auto has_kept = [](XcpMaster& master) { expect_link(master, kLink); };
  bench.boot_and_expect(runs, has_kept);
  std::cout << "kept over a loss of power\n";
  bench.write_flash();
  bench.boot_and_expect(runs, has_kept);
  std::cout << "kept with a new block\n";
  bench.damage_copy(1);  // the newer
  bench.boot_and_expect(runs, has_kept);
  std::cout << "a damaged block leaves the one before\n";
  bench.damage_copy(0);
  const auto no_talk = [](XcpMaster& /*master*/) {};
  bench.boot_and_expect({"the twin's block is no block", "mode fault, self test no model"},
                        no_talk);
  std::cout << "no block is told\n";
  bench.write_flash();
  bench.keep_for_another_drive();
  bench.boot_and_expect(
      {"the twin's block was made for another drive", "mode fault, self test no model"}, no_talk);
  std::cout << "a block of another drive is refused\n";
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 4) {
    std::cerr << "usage: flash_boot MACHINE IMAGE TAUT\n";
    return 2;
  }
  return judged(argv[2], [argv] {
    Bench bench;
    bench.machine = argv[1];
    bench.image = argv[2];
    bench.taut = argv[3];
    tool::DriveRequest request;
    request.drive = "6s90mc-c";
    write_packed_block(tool::load_drive(request).spec, bench.block);
    run(bench);
    return 0;
  });
}
