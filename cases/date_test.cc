#include "cases/date.h"

#include <gtest/gtest.h>

namespace upcast {
namespace {

using std::chrono::sys_days;

TEST(Date, ADayIsReadAndCounted) {
  EXPECT_EQ(parse_date("1970-01-01"), sys_days(std::chrono::days(0)));
  EXPECT_EQ(parse_date("2026-11-22"), sys_days(std::chrono::days(20779)));
  EXPECT_EQ(*parse_date("2024-03-01") - *parse_date("2024-02-28"), std::chrono::days(2))
      << "a leap year";
  EXPECT_EQ(*parse_date("2023-03-01") - *parse_date("2023-02-28"), std::chrono::days(1));
  EXPECT_EQ(*parse_date("2027-01-01") - *parse_date("2026-12-31"), std::chrono::days(1));
}

TEST(Date, WhatIsNoDayIsNothing) {
  for (const char* text : {"",           "2026",       "2026-11",    "2026-11-2",   "2026-11-222",
                           "26-11-22",   "2026/11/22", "22-11-2026", "2026-11-22 ", " 2026-11-22",
                           "2026-13-01", "2026-00-10", "2026-11-31", "2023-02-29",  "2026-11-00",
                           "2026-1a-22", "2026-+1-22", "-026-11-22", "2026--1-22",  "today"})
    EXPECT_EQ(parse_date(text), std::nullopt) << text;
}

}  // namespace
}  // namespace upcast
