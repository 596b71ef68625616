// For tests of tests: what Unity prints while a failure is wanted is kept from the console, where
// it would look like one that is not.
#pragma once

void taut_test_mute(bool mute);
