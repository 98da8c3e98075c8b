"""Two ways around what arrays cost in small compiled functions: room on the stack, and eight counts read at once."""

from __future__ import annotations

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.core.errors import TypingError
from numba.extending import intrinsic
from numba.np.arrayobj import make_array


@intrinsic
def scratch(typingctx, dtype):
    """Return a record of a NumPy type on the stack, its contents anything: an array would be fetched from the heap.

    It may be handed to other functions but not returned: it ends with the function that asks for it. There is one
    for each place in the source, so a loop meets the same one again.
    """
    if not isinstance(dtype, types.DType) or not isinstance(dtype.dtype, types.Record):
        raise TypingError(f"expected the type of a record, not {dtype}")

    def codegen(context, builder, signature, args):
        size = ir.Constant(ir.IntType(64), (signature.return_type.size + 7) // 8)
        room = cgutils.alloca_once(builder, ir.IntType(64), size)
        return builder.bitcast(room, context.get_value_type(signature.return_type))

    return dtype.dtype(dtype), codegen


@intrinsic
def eight_of(typingctx, counts, place):
    """Return eight neighbours of a contiguous uint8 array from ``8 * place`` on as one word.

    The first is in its lowest bits. Nothing is checked.
    """
    if not isinstance(counts, types.Array) or counts.layout != "C" or counts.dtype != types.uint8:
        raise TypingError(f"expected contiguous bytes, not {counts}")

    def codegen(context, builder, signature, args):
        data = make_array(signature.args[0])(context, builder, args[0]).data
        first = builder.gep(data, [builder.shl(args[1], ir.Constant(ir.IntType(64), 3))])
        return builder.load(builder.bitcast(first, ir.IntType(64).as_pointer()), align=1)

    return types.uint64(counts, types.int64), codegen
