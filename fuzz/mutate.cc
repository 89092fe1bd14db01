#include "fuzz/mutate.h"

#include <algorithm>
#include <array>

#include "cases/operands.h"
#include "fuzz/callable_ids.h"
#include "fuzz/codec.h"
#include "fuzz/operand_codec.h"
#include "fuzz/out_of_scope.h"
#include "fuzz/random_case.h"
#include "fuzz/shape_codec.h"
#include "impl/cpu/cpu_engine.h"
#include "oracle/impl_subject.h"

namespace upcast::fuzz {
namespace {

using Tag = Operand::Tag;

/// A random tensor of the case, out= included. Null if the case has no tensor.
Operand* random_tensor(Random& random, Case& c) {
  std::vector<int> positions = tensor_arguments(c);
  if (c.form == Form::kOut) positions.push_back(kOutPosition);
  return positions.empty() ? nullptr : &c.operand(random.from(positions));
}

/// Gives an operand storage of its own if a change made it impossible that it shares another one's.
void unshare(Case& c) {
  for (int i = kOutPosition; i < static_cast<int>(c.arguments.size()); ++i) {
    Operand& operand = c.operand(i);
    if (operand.shares != kOwnStorage && !may_own(c, operand.shares, i, operand.dtype))
      operand.shares = kOwnStorage;
  }
}

void change_op(Random& random, Case& c) {
  const auto id = static_cast<std::uint16_t>(random.below(callable_names().size()));
  Case made = random_call(random, callable_of(id));
  const std::vector<int> from = tensor_arguments(c), to = tensor_positions(made.schema());
  for (std::size_t i = 0; i < std::min(from.size(), to.size()); ++i) {
    if (made.arguments[to[i]].tag != Tag::kTensor && random.chance(50)) continue;
    made.arguments[to[i]] = c.arguments[from[i]];
    made.arguments[to[i]].shares = kOwnStorage;
  }
  made.defaults = c.defaults;
  made.values = c.values;
  made.seed = c.seed;
  if (made.form == Form::kOut) set_random_out(random, made);
  c = std::move(made);
}

void change_form(Random& random, Case& c) {
  const Form form = random.from({Form::kFunctional, Form::kInPlace, Form::kOut});
  if (c.op->callable(c.overload, form).empty()) return;
  if (form == Form::kInPlace && c.arguments[0].tag == Tag::kNumber) return;
  c.form = form;
  c.out = c.second_out = Operand();
  if (form == Form::kOut) set_random_out(random, c);
}

void swap_operands(Random& random, Case& c) {
  const std::vector<int> slots = tensor_positions(c.schema());
  if (slots.size() < 2) return;
  const int a = random.from(slots), b = random.from(slots);
  if (c.form == Form::kInPlace && (a == 0 || b == 0) &&
      (c.arguments[a].tag != Tag::kTensor || c.arguments[b].tag != Tag::kTensor))
    return;
  for (int i : {a, b})
    if (c.arguments[i].tag == Tag::kNone || c.arguments[i].shares != kOwnStorage) return;
  std::swap(c.arguments[a], c.arguments[b]);
}

void change_dtype(Random& random, Case& c) {
  Operand* operand = random_tensor(random, c);
  if (operand == nullptr) return;
  const std::vector<int> others = tensor_arguments(c);
  const bool as_another = !others.empty() && random.chance(40);
  operand->dtype =
      as_another ? c.arguments[random.from(others)].dtype : random_dtype(random, *c.op);
  operand->values.clear();
}

void change_kind(Random& random, Case& c) {
  const std::vector<int> slots = tensor_positions(c.schema());
  if (slots.empty()) return;
  const int at = random.from(slots);
  Operand& operand = c.arguments[at];
  if (operand.tag == Tag::kTensor && random.chance(50)) {
    operand.sizes = operand.sizes.empty() ? random_master(random) : Dims();
    operand.strides.clear();
    operand.values.clear();
  } else if (operand.tag == Tag::kTensor && !(c.form == Form::kInPlace && at == 0)) {
    operand = number(draw_number(random));
  } else {
    operand = tensor(random_dtype(random, *c.op), random_master(random));
  }
}

void change_shapes(Random& random, Case& c) {
  const Dims master = random_master(random);
  const bool all = random.chance(70);
  for (int i = kOutPosition; i < static_cast<int>(c.arguments.size()); ++i) {
    Operand& operand = c.operand(i);
    if (operand.tag != Tag::kTensor || (!all && random.chance(60))) continue;
    const bool written = i < 0 || (c.form == Form::kInPlace && i == 0);
    operand.sizes = written ? master : random_role(random, master);
    operand.strides.clear();
    operand.values.clear();
  }
}

void change_layout(Random& random, Case& c) {
  if (Operand* operand = random_tensor(random, c)) set_random_layout(random, *operand);
}

void change_values(Random& random, Case& c) {
  const std::vector<int> tensors = tensor_arguments(c);
  if (!tensors.empty() && random.chance(60)) {
    set_random_values(random, c.arguments[random.from(tensors)]);
    return;
  }
  draw_values(random, c,
              {.classes = {ValueClass::kSmall, ValueClass::kSpecial, ValueClass::kSpecial,
                           ValueClass::kRandom, ValueClass::kConsecutive},
               .safe = false});
}

/// Changes one number of the case: an attribute, or an operand.
void change_number(Random& random, Case& c) {
  std::vector<int> positions;
  for (int i = 0; i < static_cast<int>(c.arguments.size()); ++i)
    if (c.arguments[i].tag != Tag::kTensor) positions.push_back(i);
  if (positions.empty()) return;
  const int at = random.from(positions);
  const Parameter& parameter = c.schema().parameters[at];
  if (!is_tensor(parameter))
    c.arguments[at] = random_attribute(random, *c.op, parameter);
  else if (c.arguments[at].tag == Tag::kNumber)
    c.arguments[at].number = draw_number(random);
}

void change_default(Random& random, Case& c) {
  c.defaults.floating =
      random.from({DType::kFloat32, DType::kFloat64, DType::kFloat16, DType::kBFloat16});
}

void change_sharing(Random& random, Case& c) {
  const int count = static_cast<int>(c.arguments.size());
  const int at =
      c.form == Form::kOut && random.chance(60) ? kOutPosition : random.below(std::max(1, count));
  if (count == 0) return;
  Operand& operand = c.operand(at);
  if (operand.tag != Tag::kTensor) return;
  if (operand.shares != kOwnStorage) {
    operand.shares = kOwnStorage;
    return;
  }
  for (int owner = 0; owner < count; ++owner) {
    if (owner == at || c.arguments[owner].tag != Tag::kTensor) continue;
    if (random.chance(70) && operand.dtype != c.arguments[owner].dtype) {
      operand.dtype = c.arguments[owner].dtype;
      operand.values.clear();
    }
    if (!may_own(c, owner, at, operand.dtype)) continue;
    operand.shares = owner;
    operand.values.clear();
    if (random.chance(60)) {
      operand.sizes = c.arguments[owner].sizes;
      operand.strides = c.arguments[owner].strides;
      operand.offset = c.arguments[owner].offset;
    }
    return;
  }
}

void change_out(Random& random, Case& c) {
  if (c.form == Form::kOut) set_random_out(random, c);
}

bool is_refused(const Case& c) {
  static ImplSubject meta(std::make_unique<CpuEngine>(), {}, Device::kMeta);
  static Answer answer;
  if (!why_not_asked(c).empty()) return true;
  meta.answer(c, answer);
  return answer.tag == Answer::Tag::kRefusal;
}

using Change = void (*)(Random&, Case&);
constexpr std::array<Change, 17> kChanges{
    &change_op,     &change_form,   &swap_operands, &change_dtype,   &change_dtype,  &change_kind,
    &change_shapes, &change_shapes, &change_layout, &change_values,  &change_values, &change_values,
    &change_values, &change_number, &change_number, &change_default, &change_sharing};

}  // namespace

void mutate(Random& random, Case& c) {
  for (int n = random.between(1, 3); n > 0; --n) {
    if (random.chance(4))
      change_out(random, c);
    else
      kChanges[random.below(kChanges.size())](random, c);
    unshare(c);
  }
  tame(random, c);
}

std::optional<std::vector<std::uint8_t>> mutated_bytes(Random& random, const Case& before) {
  constexpr int kFreshPercent = 3;
  constexpr int kTries = 6;
  constexpr int kRefusedPercent = 85;
  for (int i = 0; i < kTries; ++i) {
    Case c = random.chance(kFreshPercent) ? random_case(random) : before;
    mutate(random, c);
    if (i + 1 < kTries && is_refused(c) && random.chance(kRefusedPercent)) continue;
    if (auto bytes = encode_case(c)) return bytes;
  }
  return std::nullopt;
}

Case cross(Random& random, const Case& a, const Case& b) {
  Case made = a;
  const std::vector<int> from = tensor_arguments(b), to = tensor_arguments(a);
  if (!from.empty() && !to.empty()) {
    const int at = random.from(to);
    const Operand& other = b.arguments[random.from(from)];
    Operand& mine = made.arguments[at];
    switch (random.below(3)) {
      case 0:
        mine = other;
        mine.shares = kOwnStorage;
        break;
      case 1:
        mine.dtype = other.dtype;
        mine.values.clear();
        break;
      default:
        mine.sizes = other.sizes;
        mine.strides = other.strides;
        mine.offset = other.offset;
        mine.values.clear();
    }
  }
  if (random.chance(40)) {
    made.values = b.values;
    made.seed = b.seed;
  }
  if (random.chance(20)) made.defaults = b.defaults;
  unshare(made);
  tame(random, made);
  return made;
}

}  // namespace upcast::fuzz
