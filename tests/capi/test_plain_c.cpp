#include <gtest/gtest.h>

#include "capi/plain_c.h"

TEST(PlainC, UsesTheLibrary) {
    const char* wrong = use_from_c();
    EXPECT_EQ(wrong, nullptr) << wrong;
}
