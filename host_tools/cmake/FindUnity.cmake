# Finds the sources of Unity, the C test framework: Unity_SOURCE, Unity_INCLUDE_DIR.
# Sources and not a library, because Unity is compiled with the user's configuration.
# Your own copy: -DUnity_ROOT=<folder that holds src/unity.c>.
find_path(Unity_INCLUDE_DIR unity.h
          PATH_SUFFIXES src share/cmock/vendor/unity/src)
find_file(Unity_SOURCE unity.c HINTS "${Unity_INCLUDE_DIR}" NO_DEFAULT_PATH)
mark_as_advanced(Unity_INCLUDE_DIR Unity_SOURCE)

if(Unity_INCLUDE_DIR)
  set(Unity_VERSION)
  foreach(part MAJOR MINOR BUILD)
    file(STRINGS "${Unity_INCLUDE_DIR}/unity.h" line REGEX "define UNITY_VERSION_${part} ")
    string(REGEX MATCH "[0-9]+" number "${line}")
    list(APPEND Unity_VERSION ${number})
  endforeach()
  list(JOIN Unity_VERSION "." Unity_VERSION)
endif()

include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(Unity
  REQUIRED_VARS Unity_SOURCE Unity_INCLUDE_DIR VERSION_VAR Unity_VERSION)
