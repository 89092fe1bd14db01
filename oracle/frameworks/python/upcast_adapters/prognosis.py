"""Which calls share a graph. A graph fails as a whole, so calls that are likely to fail are asked alone."""

import torch

PLAIN = {torch.bool, torch.uint8, torch.int8, torch.int16, torch.int32, torch.int64, torch.float16, torch.bfloat16, torch.float32,
         torch.float64}


class Prognosis:
    """Predicts how a call will end, by how earlier calls of the same overload ended. If eager refuses the call,
    earlier refused calls with one of its dtypes count. If eager answers it, earlier answered calls with one of
    its rarer dtypes count. If there are none, it predicts what eager does."""

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
        """The places of the calls that the next graph takes: at most `size` of `todo`, all with a good prognosis. If
        no call has one, the first of `todo` alone."""
        good = [i for i in todo if self.is_good(calls[i])]
        return good[:size] or todo[:1]
