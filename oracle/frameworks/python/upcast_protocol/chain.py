"""Calls that feed each other, as one function of the operands of all of them."""


class Result:
    """An operand that an earlier call of the chain made: the tensor that the call wrote, or else its first result."""

    def __init__(self, of):
        self.of = of


class _At:
    """An operand that was given to the chain, by its number."""

    def __init__(self, at):
        self.at = at


class Step:
    """One call of a chain. Its operands are numbers of the chain's operands, or results of earlier calls."""

    def __init__(self, function, args, named, out):
        self.function, self.args, self.named, self.out = function, args, named, out

    def with_operands(self, operands, results):
        """(args, named, out)"""
        def value_of(each):
            return results[each.of] if isinstance(each, Result) else operands[each.at]

        return ([value_of(each) for each in self.args], {name: value_of(each) for name, each in self.named.items()},
                [value_of(each) for each in self.out])


class Chain:
    """Several calls as one function of a backend: chain(args, named, out). `args` are the chain's `operands`; `out`
    are those that its calls write. It returns the result of the last call. If a call writes a tensor, later calls
    get that tensor, as in a user's code."""

    def __init__(self, calls):
        """`calls`: a (function, args, named, out) for each call, with a Result in the place of an operand that an
        earlier call made."""
        self.operands, self.steps, self.written = [], [], []
        for function, args, named, out in calls:
            self.written += [each for each in out if not isinstance(each, Result)]
            self.steps.append(Step(function, [self._place(each) for each in args],
                                   {name: self._place(each) for name, each in named.items()}, [self._place(each) for each in out]))
        self.callable_name = "; ".join(getattr(step.function, "callable_name", "") for step in self.steps)
        self.writes_results = any(isinstance(each, Result) for step in self.steps for each in step.out)

    def _place(self, operand):
        if isinstance(operand, Result):
            return operand
        self.operands.append(operand)
        return _At(len(self.operands) - 1)

    def __call__(self, args, named, out):
        results, value = [], None
        for step in self.steps:
            step_args, step_named, step_out = step.with_operands(args, results)
            value = step.function(step_args, step_named, step_out)
            first = value[0] if isinstance(value, (tuple, list)) else value
            results.append(step_out[0] if step_out else first)
        return value
