# Finds the sources of Mbed TLS and builds HMAC-SHA-256 of them, and nothing else, into
# MbedTLS::hmac_sha256. Sources and not a library, because boards need it too.
#
# Read:     MbedTLSSources_ROOT (a tree that holds library/sha256.c), CMAKE_PREFIX_PATH, then .deps.
# Set:      MbedTLSSources_FOUND, MbedTLSSources_VERSION.
# Expects:  from whoever links it, taut_mbedtls_calloc and taut_mbedtls_free: see
#           hal/xcp/mbedtls_config.h.
get_filename_component(_mbedtls_project "${CMAKE_CURRENT_LIST_DIR}/../.." ABSOLUTE)
find_path(MbedTLSSources_DIR library/sha256.c
          HINTS "${_mbedtls_project}/.deps" PATH_SUFFIXES mbedtls NO_CMAKE_FIND_ROOT_PATH)
mark_as_advanced(MbedTLSSources_DIR)

if(MbedTLSSources_DIR)
  file(STRINGS "${MbedTLSSources_DIR}/include/mbedtls/build_info.h" _mbedtls_line
       REGEX "define MBEDTLS_VERSION_STRING ")
  string(REGEX MATCH "[0-9]+\\.[0-9]+\\.[0-9]+" MbedTLSSources_VERSION "${_mbedtls_line}")
endif()

include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(MbedTLSSources
  REQUIRED_VARS MbedTLSSources_DIR VERSION_VAR MbedTLSSources_VERSION)

if(MbedTLSSources_FOUND AND NOT TARGET MbedTLS::hmac_sha256)
  set(_mbedtls_files md.c platform_util.c sha256.c)
  list(TRANSFORM _mbedtls_files PREPEND "${MbedTLSSources_DIR}/library/")
  add_library(mbedtls_hmac_sha256 STATIC ${_mbedtls_files})
  set_target_properties(mbedtls_hmac_sha256 PROPERTIES UNITY_BUILD OFF)
  add_library(MbedTLS::hmac_sha256 ALIAS mbedtls_hmac_sha256)
  target_include_directories(mbedtls_hmac_sha256 SYSTEM PUBLIC "${MbedTLSSources_DIR}/include")
  target_compile_definitions(mbedtls_hmac_sha256 PUBLIC
    MBEDTLS_CONFIG_FILE="${_mbedtls_project}/hal/xcp/mbedtls_config.h")
  # Not our code: none of our warnings.
  target_compile_options(mbedtls_hmac_sha256 PRIVATE -w -ffunction-sections -fdata-sections)
endif()
