"""Which calls share a graph. A graph fails as a whole, so calls that are likely to fail are asked alone."""

import torch

PLAIN = {torch.bool, torch.uint8, torch.int8, torch.int16, torch.int32, torch.int64, torch.float16, torch.bfloat16, torch.float32,
         torch.float64}


class Prognosis:
    """Predicts the outcome of a call from the last call of its overload with one of its dtypes: any of them, if eager refuses
    the call; its rarer dtypes, if eager answers. For a new call it predicts the outcome of eager."""

    def __init__(self):
        self.taken = {}

    @staticmethod
    def keys(call):
        dtypes, answers = {each.dtype for each in call.operands}, call.eager_says is None
        return [(call.function.callable_name, answers, each) for each in (dtypes - PLAIN if answers else dtypes)]

    def is_good(self, call):
        known = [self.taken[key] for key in self.keys(call) if key in self.taken]
        return all(known) if known else call.eager_says is None

    def note(self, call, was_taken):
        for key in self.keys(call):
            self.taken[key] = was_taken

    def next_group(self, calls, todo, size):
        """At most `size` of `todo`, places in `calls`, all of good prognosis; if none is good, the first alone."""
        good = [i for i in todo if self.is_good(calls[i])]
        return good[:size] or todo[:1]
