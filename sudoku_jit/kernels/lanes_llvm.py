"""How LLVM does what ``lanes`` means: the vector type, its operators, memory, bit sets, byte vectors.

Portable LLVM IR only (and, or, xor, not, add, sub, shift, shuffle by constants, compare, select, population count), so
it compiles for a CPU without AVX and for Arm. Imported only when something has to be compiled.
"""

import operator

from llvmlite import ir
from numba import types
from numba.core.imputils import lower_builtin
from numba.core.typing.templates import AbstractTemplate, builtin_registry, infer_global, signature
from numba.extending import models, register_model

from sudoku_jit.kernels import lanes
from sudoku_jit.kernels.lanes import LANES, QUAD, ByteOrder

I1, I8, I32, I64 = (ir.IntType(bits) for bits in (1, 8, 32, 64))
VECTOR = ir.VectorType(I32, LANES)


class LaneType(types.Type):
    """Numba's type of a vector of lanes."""

    def __init__(self):
        super().__init__(name=f"u32x{LANES}")


lane_type = LaneType()


@register_model(LaneType)
class LaneModel(models.PrimitiveModel):
    """A vector is one LLVM value."""

    def __init__(self, dmm, fe_type):
        super().__init__(dmm, fe_type, VECTOR)


# ---------------------------------------------------------------- operators


def _splat(builder, value, ty):
    """The LLVM vector `ty` with `value` in each lane."""
    undefined = ir.Constant(ty, ir.Undefined)
    first = builder.insert_element(undefined, value, ir.Constant(I32, 0))
    return builder.shuffle_vector(first, undefined, ir.Constant(ir.VectorType(I32, ty.count), [0] * ty.count))


def _binary(op, instruction, vectors):
    """Teach Numba `vector op integer` and, where `vectors` is true, `vector op vector`."""

    @infer_global(op)
    class Template(AbstractTemplate):
        def generic(self, args, kws):
            fits = len(args) == 2 and args[0] == lane_type
            if fits and (isinstance(args[1], types.Integer) or (vectors and args[1] == lane_type)):
                return signature(lane_type, lane_type, args[1])
            return None

    def lower(context, builder, sig, args):
        left, right = args
        if sig.args[1] != lane_type:
            right = _splat(builder, context.cast(builder, right, sig.args[1], types.uint32), VECTOR)
        return getattr(builder, instruction)(left, right)

    lower_builtin(op, LaneType, LaneType)(lower)
    lower_builtin(op, LaneType, types.Integer)(lower)


for _op, _instruction, _vectors in (
    (operator.and_, "and_", True),
    (operator.or_, "or_", True),
    (operator.xor, "xor", True),
    (operator.add, "add", True),
    (operator.sub, "sub", True),
    (operator.lshift, "shl", False),
    (operator.rshift, "lshr", False),
):
    _binary(_op, _instruction, _vectors)


@infer_global(operator.invert)
class InvertTemplate(AbstractTemplate):
    """Teach Numba `~vector`."""

    def generic(self, args, kws):  # noqa: D102
        return signature(lane_type, lane_type) if args[0] == lane_type else None


@lower_builtin(operator.invert, LaneType)
def _lower_invert(context, builder, sig, args):
    return builder.not_(args[0])


# ---------------------------------------------------------------- memory


def _pointer(context, builder, array_type, array, index_type, index, ty):
    """LLVM pointer to array[index], as a pointer to `ty`."""
    data = context.make_array(array_type)(context, builder, array).data
    index = context.cast(builder, index, index_type, types.intp)
    return builder.bitcast(builder.gep(data, [index]), ty.as_pointer())


def _compiled_as(meaning, result, *kinds):
    """Decorator: a call of the function ``meaning`` is this LLVM code, with a value of the type ``result``.

    Not ``@overload`` with an intrinsic inside: each of those would be compiled as a function of its own first.
    """

    class Template(AbstractTemplate):
        key = meaning

        def generic(self, args, kws):
            return signature(result, *args)

    # As `infer_global` does it, which takes no function that was made by another.
    builtin_registry.globals.append((meaning, types.Function(Template)))
    return lower_builtin(meaning, *kinds)


@_compiled_as(lanes.load, lane_type, types.Array, types.Integer)
def _load(context, builder, sig, args):
    value = builder.load(_pointer(context, builder, sig.args[0], args[0], sig.args[1], args[1], VECTOR))
    value.align = 4
    return value


@_compiled_as(lanes.store, types.void, types.Array, types.Integer, LaneType)
def _store(context, builder, sig, args):
    target = _pointer(context, builder, sig.args[0], args[0], sig.args[1], args[1], VECTOR)
    builder.store(args[2], target).align = 4
    return context.get_dummy_value()


@_compiled_as(lanes.zeros, lane_type)
def _zeros(context, builder, sig, args):
    return ir.Constant(VECTOR, [0] * LANES)


# ---------------------------------------------------------------- four words at a time


def _turn_quads(builder, vectors):
    """Transpose the 4 x 4 words in each four lanes of four vectors: four in-lane unpacks, twice."""

    def unpack(x, y, words, half):
        """Interleave the low or high half of each quad, ``words`` words at a time."""
        step = QUAD // 2
        index = []
        for start in range(0, LANES, QUAD):
            for k in range(0, step, words):
                for side in (0, LANES):
                    index += [side + start + half * step + k + j for j in range(words)]
        return builder.shuffle_vector(x, y, _order(index))

    a, b, c, d = vectors
    low, high = [(unpack(a, b, 1, half), unpack(c, d, 1, half)) for half in (0, 1)]
    return [unpack(*pair, 2, half) for pair in (low, high) for half in (0, 1)]


@_compiled_as(lanes.load_quads, types.UniTuple(lane_type, QUAD), types.Array, types.Integer)
def _load_quads(context, builder, sig, args):
    base = _pointer(context, builder, sig.args[0], args[0], sig.args[1], args[1], VECTOR)
    rows = [builder.load(builder.gep(base, [ir.Constant(I64, k)])) for k in range(QUAD)]
    for row in rows:
        row.align = 4
    return context.make_tuple(builder, sig.return_type, _turn_quads(builder, rows))


@_compiled_as(lanes.store_quads, types.void, types.Array, types.Integer, *[LaneType] * QUAD)
def _store_quads(context, builder, sig, args):
    base = _pointer(context, builder, sig.args[0], args[0], sig.args[1], args[1], VECTOR)
    for k, row in enumerate(_turn_quads(builder, args[2:])):
        builder.store(row, builder.gep(base, [ir.Constant(I64, k)])).align = 4
    return context.get_dummy_value()


@_compiled_as(lanes.copy_quad, types.void, types.Array, types.Integer, types.Array, types.Integer)
def _copy_quad(context, builder, sig, args):
    quad = ir.VectorType(I32, QUAD)
    value = builder.load(_pointer(context, builder, sig.args[2], args[2], sig.args[3], args[3], quad))
    value.align = 4
    builder.store(value, _pointer(context, builder, sig.args[0], args[0], sig.args[1], args[1], quad)).align = 4
    return context.get_dummy_value()


# ---------------------------------------------------------------- bit sets of lanes


@_compiled_as(lanes.nonzero_lanes, types.uint64, LaneType)
def _nonzero_lanes(context, builder, sig, args):
    nonzero = builder.icmp_unsigned("!=", args[0], ir.Constant(VECTOR, [0] * LANES))
    return builder.zext(builder.bitcast(nonzero, ir.IntType(LANES)), I64)


@_compiled_as(lanes.lane_mask, lane_type, types.Integer)
def _lane_mask(context, builder, sig, args):
    bits = builder.trunc(context.cast(builder, args[0], sig.args[0], types.uint64), ir.IntType(LANES))
    return builder.sext(builder.bitcast(bits, ir.VectorType(I1, LANES)), VECTOR)


# ---------------------------------------------------------------- scalar bits


@_compiled_as(lanes.popcount, types.uint64, types.Integer)
def _popcount(context, builder, sig, args):
    return builder.ctpop(context.cast(builder, args[0], sig.args[0], types.uint64))


@_compiled_as(lanes.ctz, types.int64, types.Integer)
def _ctz(context, builder, sig, args):
    return builder.cttz(context.cast(builder, args[0], sig.args[0], types.uint64), ir.Constant(I1, 0))


# ---------------------------------------------------------------- byte vectors


def _bytes(count):
    return ir.VectorType(I8, count)


def _order(indices):
    """Constant for shufflevector; None is "any byte"."""
    return ir.Constant(ir.VectorType(I32, len(indices)), [index or 0 for index in indices])


def _make_reader(read, order: ByteOrder):
    result = types.UniTuple(types.uint32, len(order.orders) * order.values)
    late = order.length - 64  # two overlapping loads of 64 bytes cover the record

    @_compiled_as(read, result, types.Array, types.Integer, types.Integer)
    def _read(context, builder, sig, args):
        base = _pointer(context, builder, sig.args[0], args[0], sig.args[1], args[1], I8)
        parts = []
        for start in (0, late):
            source = builder.gep(base, [ir.Constant(I64, start)])
            part = builder.load(builder.bitcast(source, _bytes(64).as_pointer()))
            part.align = 1
            parts.append(part)
        low = context.cast(builder, args[2], sig.args[2], types.uint8)
        masks = []
        for places in order.orders:
            index = [at if at is None or at < 64 else 64 + at - late for at in places]
            used = sum(1 << k for k, at in enumerate(places) if at is not None)
            picked = builder.shuffle_vector(*parts, _order(index + [None] * (32 - len(index))))
            for d in range(order.values):
                wanted = _splat(builder, builder.add(low, ir.Constant(I8, d)), _bytes(32))
                equal = builder.bitcast(builder.icmp_unsigned("==", picked, wanted), I32)
                masks.append(builder.and_(equal, ir.Constant(I32, used)))
        return context.make_tuple(builder, result, masks)


def _make_writer(write, order: ByteOrder):
    place = {at: (o, k) for o, places in enumerate(order.orders) for k, at in enumerate(places)}
    late = order.length - 64

    @_compiled_as(write, types.void, types.Array, types.Integer, types.Integer, types.UniTuple)
    def _write(context, builder, sig, args):
        base = _pointer(context, builder, sig.args[0], args[0], sig.args[1], args[1], I8)
        low = context.cast(builder, args[2], sig.args[2], types.uint8)
        pieces = []
        for o in range(3):
            piece = _splat(builder, builder.sub(low, ir.Constant(I8, 1)), _bytes(32))
            for d in range(order.values):
                bits = builder.extract_value(args[3], o * order.values + d)
                digit = _splat(builder, builder.add(low, ir.Constant(I8, d)), _bytes(32))
                piece = builder.select(builder.bitcast(bits, ir.VectorType(I1, 32)), digit, piece)
            pieces.append(piece)
        first_two = builder.shuffle_vector(pieces[0], pieces[1], _order(list(range(64))))
        last = builder.shuffle_vector(pieces[2], pieces[2], _order(list(range(64))))
        for start in (0, late):
            index = [place[start + k][0] * 32 + place[start + k][1] for k in range(64)]
            part = builder.shuffle_vector(first_two, last, _order(index))
            target = builder.gep(base, [ir.Constant(I64, start)])
            builder.store(part, builder.bitcast(target, _bytes(64).as_pointer())).align = 1
        return context.get_dummy_value()


_made = set()


def make_byte_vectors() -> None:
    """Teach Numba the readers and writers of bytes that were made since the last call."""
    for functions, make in ((lanes.byte_readers, _make_reader), (lanes.byte_writers, _make_writer)):
        for function, order in functions:
            if function not in _made:
                make(function, order)
                _made.add(function)
