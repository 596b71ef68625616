/* Unity on every board: characters go to the board's console. */
#pragma once

#define UNITY_INCLUDE_DOUBLE
#define UNITY_SUPPORT_64
#define UNITY_OUTPUT_CHAR(c) taut_test_put_character(c)
#define UNITY_OUTPUT_CHAR_HEADER_DECLARATION taut_test_put_character(int)
