// The choices that RapidCheck offers to generators. The class is thin, and so it is fast: 100,000
// examples of a property take seconds, where combinators of rc::gen would take minutes.
#pragma once

#include <rapidcheck.h>

#include "cases/draw/choices.h"

namespace upcast::properties {

class Draw final : public Choices {
 public:
  /// `size` is RapidCheck's size of an example, from 0 to 100, which grows from example to example.
  Draw(const rc::Random& random, int size) : random_(random), size_(size) {}

  int size() const { return size_; }
  std::uint64_t bits() override { return random_.next(); }

 private:
  rc::Random random_;
  int size_;
};

}  // namespace upcast::properties
