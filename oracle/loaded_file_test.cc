#include "oracle/loaded_file.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <string>

#include "oracle/impl_subject.h"

namespace upcast {
namespace {

void code_of_this_program() {}

TEST(LoadedFile, IsTheProgramOrTheLibraryOfTheCode) {
  const std::string program = std::filesystem::read_symlink("/proc/self/exe");
  EXPECT_EQ(loaded_file(reinterpret_cast<const void*>(&code_of_this_program)), program);
  EXPECT_NE(loaded_file(reinterpret_cast<const void*>(&std::fopen)).find("libc.so"),
            std::string::npos);
  const int on_the_stack = 0;
  EXPECT_EQ(loaded_file(&on_the_stack), "");
  EXPECT_EQ(loaded_file(nullptr), "");
}

TEST(LoadedFile, NamesTheProgramThatASubjectIsPartOf) {
  const std::vector<std::string> files = make_subject("impl:cpu")->programs();
  ASSERT_FALSE(files.empty());
  for (const std::string& file : files)
    EXPECT_EQ(file, std::filesystem::read_symlink("/proc/self/exe"));
}

}  // namespace
}  // namespace upcast
