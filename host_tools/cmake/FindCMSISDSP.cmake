# Finds the CMSIS-DSP sources and builds the few files sim_core/dsp uses into CMSISDSP::CMSISDSP.
#
# Read:     CMSISDSP_ROOT (variable or environment; if set, nothing else is searched),
#           CMAKE_PREFIX_PATH, CMSISCORE_INCLUDE_DIR (Cortex-M only), then the project's .deps.
# Set:      CMSISDSP_FOUND, CMSISDSP_SOURCE_DIR, CMSISDSP_VERSION (where the tree tells it).
# Expects:  language C enabled; on Cortex-M the CPU flags in CMAKE_C_FLAGS (toolchain file), and
#           --gc-sections at the final link, which is what drops the tables of unused FFT lengths.

get_filename_component(_cmsisdsp_deps "${CMAKE_CURRENT_LIST_DIR}/../../.deps" ABSOLUTE)

# A path of the user's own is taken or refused, never silently replaced by another tree.
if(CMSISDSP_ROOT OR DEFINED ENV{CMSISDSP_ROOT})
  unset(CMSISDSP_SOURCE_DIR CACHE)
  find_path(CMSISDSP_SOURCE_DIR Source/TransformFunctions/arm_rfft_fast_f32.c
    PATHS "${CMSISDSP_ROOT}" ENV CMSISDSP_ROOT
    NO_DEFAULT_PATH NO_CMAKE_FIND_ROOT_PATH)
else()
  find_path(CMSISDSP_SOURCE_DIR Source/TransformFunctions/arm_rfft_fast_f32.c
    HINTS "${_cmsisdsp_deps}"
    PATH_SUFFIXES cmsisdsp CMSIS-DSP CMSIS/DSP
    NO_CMAKE_FIND_ROOT_PATH)
endif()
mark_as_advanced(CMSISDSP_SOURCE_DIR)

set(_cmsisdsp_needs CMSISDSP_SOURCE_DIR)
set(_cmsisdsp_reason "")

# Bare metal takes the compiler layer of CMSIS-Core; a hosted build needs none of it.
if(CMAKE_SYSTEM_NAME STREQUAL "Generic")
  find_path(CMSISCORE_INCLUDE_DIR cmsis_compiler.h
    HINTS "${_cmsisdsp_deps}/usr"
    PATH_SUFFIXES
      src/pico-sdk/src/rp2_common/cmsis/stub/CMSIS/Core/Include
      CMSIS/Core/Include Core/Include
    NO_CMAKE_FIND_ROOT_PATH)
  mark_as_advanced(CMSISCORE_INCLUDE_DIR)
  list(APPEND _cmsisdsp_needs CMSISCORE_INCLUDE_DIR)
endif()

if(CMSISDSP_SOURCE_DIR)
  if(EXISTS "${CMSISDSP_SOURCE_DIR}/PKG-INFO")
    file(STRINGS "${CMSISDSP_SOURCE_DIR}/PKG-INFO" _cmsisdsp_line REGEX "^Version: " LIMIT_COUNT 1)
    string(REPLACE "Version: " "" CMSISDSP_VERSION "${_cmsisdsp_line}")
  endif()
  # Older releases keep the init functions of single lengths private.
  set(_cmsisdsp_header "${CMSISDSP_SOURCE_DIR}/Include/dsp/transform_functions.h")
  set(_cmsisdsp_line "")
  if(EXISTS "${_cmsisdsp_header}")
    file(STRINGS "${_cmsisdsp_header}" _cmsisdsp_line REGEX "arm_rfft_fast_init_1024_f32")
  endif()
  if(NOT _cmsisdsp_line)
    list(APPEND _cmsisdsp_needs CMSISDSP_HAS_SIZED_INIT)
    set(_cmsisdsp_reason
      "${CMSISDSP_SOURCE_DIR} has no public arm_rfft_fast_init_1024_f32: too old.")
  endif()
endif()

get_property(_cmsisdsp_languages GLOBAL PROPERTY ENABLED_LANGUAGES)
if(NOT "C" IN_LIST _cmsisdsp_languages)
  list(APPEND _cmsisdsp_needs CMSISDSP_LANGUAGE_C)
  set(_cmsisdsp_reason "The project must enable language C.")
endif()

include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(CMSISDSP
  REQUIRED_VARS ${_cmsisdsp_needs}
  VERSION_VAR CMSISDSP_VERSION
  REASON_FAILURE_MESSAGE "${_cmsisdsp_reason}")

if(CMSISDSP_FOUND AND NOT TARGET CMSISDSP::CMSISDSP)
  set(_cmsisdsp_files
    BasicMathFunctions/arm_mult_f32.c
    CommonTables/arm_common_tables.c
    CommonTables/arm_const_structs.c
    FilteringFunctions/arm_biquad_cascade_df2T_f32.c
    StatisticsFunctions/arm_mean_f32.c
    StatisticsFunctions/arm_power_f32.c
    TransformFunctions/arm_bitreversal2.c
    TransformFunctions/arm_cfft_f32.c
    TransformFunctions/arm_cfft_init_f32.c
    TransformFunctions/arm_cfft_radix8_f32.c
    TransformFunctions/arm_rfft_fast_f32.c
    TransformFunctions/arm_rfft_fast_init_f32.c
    WindowFunctions/arm_hanning_f32.c)
  list(TRANSFORM _cmsisdsp_files PREPEND "${CMSISDSP_SOURCE_DIR}/Source/")

  add_library(cmsisdsp STATIC ${_cmsisdsp_files})
  set_target_properties(cmsisdsp PROPERTIES UNITY_BUILD OFF)
  add_library(CMSISDSP::CMSISDSP ALIAS cmsisdsp)
  target_include_directories(cmsisdsp SYSTEM
    PUBLIC "${CMSISDSP_SOURCE_DIR}/Include"
    PRIVATE "${CMSISDSP_SOURCE_DIR}/PrivateInclude")
  if(CMAKE_SYSTEM_NAME STREQUAL "Generic")
    target_include_directories(cmsisdsp SYSTEM PUBLIC "${CMSISCORE_INCLUDE_DIR}")
  else()
    target_compile_definitions(cmsisdsp PUBLIC __GNUC_PYTHON__)  # "no CMSIS-Core", despite its name
    target_link_libraries(cmsisdsp PUBLIC m)
  endif()
  # Not our code: none of our warnings. One section each, so that the linker can drop what is unused.
  target_compile_options(cmsisdsp PRIVATE -w -ffunction-sections -fdata-sections)
endif()
