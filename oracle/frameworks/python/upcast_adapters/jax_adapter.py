"""JAX on the CPU, in 64-bit mode. With via=eval_shape it is only traced, which gives dtypes and shapes without
values. Running it would compile each combination of dtypes, which takes some 50 ms."""

import jax
import jax.numpy as jnp
import jax.scipy.special
import ml_dtypes
import numpy as np

from upcast_adapters.framework import Framework
from upcast_adapters.numpy_adapter import NAMES, array
from upcast_protocol import Skipped
from upcast_protocol.tensor import DTYPES as ALL

SMALL = [name for name in ALL if "float" in name and name not in NAMES and hasattr(ml_dtypes, name)]
OF_DTYPES = (jnp.result_type, jnp.promote_types, jnp.can_cast)  # functions of dtypes, which eval_shape cannot trace
DTYPES = {**{name: np.dtype(name) for name in NAMES}, **{name: np.dtype(getattr(ml_dtypes, name)) for name in SMALL}}


class Adapter(Framework):
    settings = ("via",)
    name, version, dtypes = "jax", jax.__version__, list(DTYPES)

    def __init__(self, via="run"):
        jax.config.update("jax_enable_x64", True)
        # Filtering the frames of an exception takes most of a refusal's time, and no frame is used.
        jax.config.update("jax_traceback_filtering", "off")
        super().__init__("jax", {"jnp": jnp, "nn": jax.nn, "special": jax.scipy.special, "lax": jax.lax})
        if via not in ("run", "eval_shape"):
            raise SystemExit(f"via={via} is not one of run, eval_shape")
        self.versions = {"jax.via": via}
        self.traced = {} if via == "eval_shape" else None

    def call(self, function, args, named, out):
        if self.traced is None or function in OF_DTYPES:
            return function(*args, **named)
        key = (function, tuple(named.items()), *(each.aval if isinstance(each, jax.Array) else (type(each), repr(each))
                                                 for each in args))
        if key not in self.traced:
            self.traced[key] = self.trace(function, args, named)
        found = self.traced[key]
        if isinstance(found, Exception):
            raise found
        return found

    def trace(self, function, args, named):
        """Returns the result of eval_shape, or its exception. Numbers keep their values; arrays are traced without
        values."""
        places = [i for i, each in enumerate(args) if isinstance(each, jax.Array)]

        def of_arrays(*arrays):
            filled = list(args)
            for place, each in zip(places, arrays):
                filled[place] = each
            return function(*filled, **named)

        try:
            return jax.eval_shape(of_arrays, *(args[place] for place in places))
        except self.refusals as why:
            return why.with_traceback(None)

    def tensor(self, dtype, shape, strides, offset, buffer, device):
        return jnp.asarray(array(DTYPES[dtype], shape, strides, offset, buffer))

    def dtype(self, name):
        return DTYPES[name]

    def result(self, value):
        if isinstance(value, np.dtype):
            return value, None
        if isinstance(value, jax.ShapeDtypeStruct):
            return (value.dtype, value.shape), None
        value = np.asarray(value)
        return (value.dtype, value.shape), value.tobytes()

    def describe(self, key):
        dtype = key if isinstance(key, np.dtype) else key[0]
        if dtype.name not in DTYPES:
            raise Skipped(f"the result has JAX's dtype {dtype}, which upcast does not have")
        return dtype.name if isinstance(key, np.dtype) else (dtype.name, key[1], None)
