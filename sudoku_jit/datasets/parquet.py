"""Rows as a Parquet file: one row group of plain pages, packed by Zstandard.

The format (https://parquet.apache.org/docs/file-format/) is a list of pages and, after them, a description in Thrift's
compact protocol (https://github.com/apache/thrift/blob/master/doc/specs/thrift-compact-protocol.md). No library packs
grids as cheaply as ``zstandard.frame`` does, and none takes pages that are packed already; the rest is little.
"""

import struct
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from sudoku_jit import __version__
from sudoku_jit.datasets import zstandard
from sudoku_jit.datasets.rows import Rows, class_text
from sudoku_jit.grids import Cells

ROWS_A_PAGE = 12_288
"""What a reader unpacks at once: not quite a megabyte of text, as other libraries have it."""

_MAGIC = b"PAR1"
_INT32, _DOUBLE, _BYTE_ARRAY = 1, 5, 6
_PLAIN, _RLE, _DELTA_LENGTHS = 0, 3, 6
_REQUIRED, _ZSTD, _DATA_PAGE = 0, 6, 0
_UTF8, _INT_8 = 0, 15

Piece = bytes | memoryview
Value = tuple[int, bytes]
"""A value of Thrift: its type in the compact protocol, and its bytes."""


class Column(NamedTuple):
    """A column of a file.

    ``kind``: fields of its schema beside the name. ``pack``: gives the page of some rows, and its size before packing.
    ``ends``: the least and the greatest value, or none.
    """

    name: str
    kind: dict[int, Value]
    encoding: int
    pack: Callable[[slice], tuple[int, list[Piece]]]
    ends: tuple[bytes, ...] = ()


def parquet(rows: Rows, compress: Callable[[bytes], bytes]) -> bytes:
    """The file of one or more rows. ``compress``: by Zstandard, what is no grid."""
    columns = [
        _grids("puzzle", rows.puzzles, zstandard.PUZZLES),
        _grids("solution", rows.solutions, zstandard.SOLUTIONS),
        _numbers("clues", _BYTE, rows.clues.astype("<i4"), compress),
    ]
    if rows.guesses is not None:
        columns.append(_numbers("guesses", _FLOAT, rows.guesses.astype("<f8"), compress))
    columns.append(_classes("class", rows.classes, compress))
    return _file(len(rows.puzzles), columns)


def _grids(name: str, cells: Cells, code: zstandard.Code) -> Column:
    def pack(part: slice) -> tuple[int, list[Piece]]:
        lengths = _lengths(cells[part])
        return len(lengths) + cells[part].size, zstandard.frame(lengths, cells[part], code)

    return Column(name, _TEXT, _DELTA_LENGTHS, pack)


def _classes(name: str, classes: NDArray[np.uint64], compress: Callable[[bytes], bytes]) -> Column:
    def pack(part: slice) -> tuple[int, list[Piece]]:
        text = class_text(classes[part])
        data = _lengths(text) + text.tobytes()
        return len(data), [compress(data)]

    return Column(name, _TEXT, _DELTA_LENGTHS, pack)


def _numbers(name: str, kind: dict[int, Value], values: NDArray[Any], compress: Callable[[bytes], bytes]) -> Column:
    def pack(part: slice) -> tuple[int, list[Piece]]:
        data = values[part].tobytes()
        return len(data), [compress(data)]

    return Column(name, kind, _PLAIN, pack, (values.min().tobytes(), values.max().tobytes()))


def _file(n: int, columns: list[Column]) -> bytes:
    out: list[Piece] = [_MAGIC]
    chunks, end, whole = [], len(_MAGIC), 0
    for column in columns:
        start, size = end, 0
        for first in range(0, n, ROWS_A_PAGE):
            part = slice(first, min(n, first + ROWS_A_PAGE))
            unpacked, packed = column.pack(part)
            header = _page_header(part.stop - first, column.encoding, unpacked, sum(map(len, packed)))
            out += [header, *packed]
            end += len(header) + sum(map(len, packed))
            size += len(header) + unpacked
        chunks.append(_struct({2: _i64(0), 3: _chunk(column, n, size, start, end)}))
        whole += size
    group = _struct({1: _list(chunks), 2: _i64(whole), 3: _i64(n), 6: _i64(end - len(_MAGIC))})
    root = _struct({4: _binary(b"schema"), 5: _i32(len(columns))})
    _, footer = _struct(
        {
            1: _i32(2),  # version
            2: _list([root, *map(_leaf, columns)]),
            3: _i64(n),
            4: _list([group]),
            6: _binary(f"sudoku-jit version {__version__}".encode()),
            7: _list([_struct({1: _struct({})})] * len(columns)),  # numbers are compared as numbers
        }
    )
    return b"".join([*out, footer, struct.pack("<I", len(footer)), _MAGIC])


def _page_header(n: int, encoding: int, unpacked: int, packed: int) -> bytes:
    values = _struct({1: _i32(n), 2: _i32(encoding), 3: _i32(_RLE), 4: _i32(_RLE)})
    return _struct({1: _i32(_DATA_PAGE), 2: _i32(unpacked), 3: _i32(packed), 5: values})[1]


def _leaf(column: Column) -> Value:
    """A column in the schema."""
    fields = {3: _i32(_REQUIRED), 4: _binary(column.name.encode()), **column.kind}
    return _struct(dict(sorted(fields.items())))


def _chunk(column: Column, n: int, size: int, start: int, end: int) -> Value:
    """Where a column is. ``size``: in bytes before packing."""
    fields = {
        1: column.kind[1],
        2: _list([_i32(column.encoding)]),
        3: _list([_binary(column.name.encode())]),
        4: _i32(_ZSTD),
        5: _i64(n),
        6: _i64(size),
        7: _i64(end - start),
        9: _i64(start),
    }
    if column.ends:
        least, greatest = map(_binary, column.ends)
        fields[12] = _struct({3: _i64(0), 5: greatest, 6: least})
    return _struct(fields)


def _lengths(text: NDArray[np.uint8]) -> bytes:
    """Lengths of texts of one width, DELTA_BINARY_PACKED: blocks of 128, four miniblocks, differences of no bits."""
    n, width = text.shape
    head = b"".join(map(_varint, (128, 4, n, 2 * width)))
    return head + bytes(5 * -(-(n - 1) // 128))


def _varint(value: int) -> bytes:
    return bytes([value]) if value < 128 else bytes([value & 127 | 128]) + _varint(value >> 7)


def _i8(value: int) -> Value:
    return 3, bytes([value])


def _i32(value: int) -> Value:
    return 5, _varint(2 * value)


def _i64(value: int) -> Value:
    return 6, _varint(2 * value)


def _binary(data: bytes) -> Value:
    return 8, _varint(len(data)) + data


def _list(values: list[Value]) -> Value:
    n, kind = len(values), values[0][0]
    head = bytes([n << 4 | kind]) if n < 15 else bytes([0xF0 | kind]) + _varint(n)
    return 9, head + b"".join(data for _, data in values)


def _struct(fields: dict[int, Value]) -> Value:
    """Fields by number, in order."""
    out, last = bytearray(), 0
    for number, (kind, data) in fields.items():
        out.append(number - last << 4 | kind)
        out += data
        last = number
    return 12, bytes(out) + b"\0"


_TRUE = 1, b""
_TEXT = {1: _i32(_BYTE_ARRAY), 6: _i32(_UTF8), 10: _struct({1: _struct({})})}
_BYTE = {1: _i32(_INT32), 6: _i32(_INT_8), 10: _struct({10: _struct({1: _i8(8), 2: _TRUE})})}
_FLOAT = {1: _i32(_DOUBLE)}
