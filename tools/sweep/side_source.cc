#include "tools/sweep/side_source.h"

#include <fmt/format.h>

#include "cases/notation.h"
#include "impl/core/error.h"
#include "oracle/host/remote_subject.h"
#include "oracle/subject.h"

namespace upcast::tools {
namespace {

constexpr std::size_t kLargestElement = 16;

class LocalSide : public SideSource {
 public:
  LocalSide(const SweepPlan& plan, const SweptSide& side)
      : plan_(plan), side_(side), subject_(make_subject(side.subject)) {}

  SideAnswer answer(std::int64_t chunk) override {
    const Case c = parse_case(plan_.line(chunk, side_.layout));
    try {
      subject_->answer(c, answer_);
    } catch (const SideDied& death) {
      throw UsageError(fmt::format("{} dies on {}: {}", side_.name, print_case(c), death.how));
    }
    if (answer_.tag == Answer::Tag::kRefusal && answer_.rejection == RejectionCode::kZeroDivision)
      return {};
    if (answer_.tag != Answer::Tag::kTensor)
      throw UsageError(
          fmt::format("{} does not answer {}: {}", side_.name, print_case(c), to_text(answer_)));
    if (!answer_.further.empty())
      throw UsageError(print_case(c) + " has two results, and a sweep compares only one");
    return {answer_.dtype, answer_.bytes};
  }
  std::map<std::string, std::string> versions() override { return subject_->versions(); }

 private:
  const SweepPlan& plan_;
  SweptSide side_;
  std::unique_ptr<Subject> subject_;
  Answer answer_;
};

class RemoteSide : public SideSource {
 public:
  RemoteSide(const SweepPlan& plan, const SweptSide& side, std::span<const std::int64_t> chunks)
      : process_(
            [&plan, &side] {
              const auto local = std::make_shared<LocalSide>(plan, side);
              return SideProcess::Started{
                  [local](std::int64_t chunk) { return local->answer(chunk); }, local->versions()};
            },
            chunks, static_cast<std::size_t>(plan.chunk_inputs) * kLargestElement) {}

  SideAnswer answer(std::int64_t) override { return process_.next(); }
  std::map<std::string, std::string> versions() override { return process_.versions(); }

 private:
  SideProcess process_;
};

}  // namespace

std::vector<std::unique_ptr<SideSource>> open_sides(const SweepPlan& plan,
                                                    const std::vector<SweptSide>& sides,
                                                    std::span<const std::int64_t> chunks) {
  std::vector<std::unique_ptr<SideSource>> sources(sides.size());
  Side here;  // the first configuration of LibTorch, if any side is one
  for (const SweptSide& side : sides)
    if (!here.is_libtorch() && side.subject.is_libtorch() && side.subject.version.empty())
      here = side.subject;
  for (std::size_t i = 0; i < sides.size(); ++i)
    if (need_two_processes(sides[i].subject, here))
      sources[i] = std::make_unique<RemoteSide>(plan, sides[i], chunks);
  for (std::size_t i = 0; i < sides.size(); ++i)
    if (!sources[i]) sources[i] = std::make_unique<LocalSide>(plan, sides[i]);
  return sources;
}

}  // namespace upcast::tools
