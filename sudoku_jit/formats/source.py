"""Opening a file or standard input: its text as pieces of UTF-8 bytes with LF line ends.

Compression and encoding are told by the first bytes; all is undone piece by piece, so that no file
however large or however well packed takes more than a few megabytes.
"""

import codecs
import sys
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import chain
from typing import Any, BinaryIO, NamedTuple

import numpy as np

from sudoku_jit.errors import FormatError, RequestError

PIECE = 1 << 20
"""Bytes a piece: kernels then work in the cache of the processor."""
_PACKED_PIECE = 1 << 14
HEAD = 1 << 16
"""Bytes that are looked at to tell the format."""
WINDOW = 27
"""Largest zstd window taken, as a power of two: what ``zstd --long`` writes."""
XZ_MEMORY = 100 << 20
"""Largest memory for unpacking xz: ``xz -9`` needs 65 MiB."""

_MAGIC = {b"\x1f\x8b": "gzip", b"\xfd7zXZ\x00": "xz", b"\x28\xb5\x2f\xfd": "zstd"}
_SUFFIXES = {".gz": "gzip", ".xz": "xz", ".zst": "zstd", ".zstd": "zstd"}
_BINARY = (b"\x93NUMPY", b"PAR1")
_MARKS = {
    codecs.BOM_UTF8: ("UTF-8", "utf-8"),
    codecs.BOM_UTF16_LE: ("UTF-16 LE", "utf-16-le"),
    codecs.BOM_UTF16_BE: ("UTF-16 BE", "utf-16-be"),
}


class Source(NamedTuple):
    """An open file.

    ``name``: for messages. ``path``: the file as it is on disk, None for standard input and packed
    files. ``head``: the first bytes of ``pieces``. ``detected``: compression, encoding and line
    ends, in words.
    """

    name: str
    path: str | None
    head: bytes
    pieces: Iterator[bytes]
    detected: tuple[str, ...]


@contextmanager
def opened(path: str | BinaryIO, name: str = "<bytes>") -> Iterator[Source]:
    """Open ``path``, ``-`` for standard input, or take an open stream of bytes, known as ``name``.

    Raises ``OSError``, ``FormatError``, ``RequestError``.
    """
    if not isinstance(path, str):
        yield _source(path, name, None)
    elif path == "-":
        yield _source(sys.stdin.buffer, "<stdin>", None)
    else:
        with open(path, "rb") as file:
            yield _source(file, path, path)


def _source(file: BinaryIO, name: str, path: str | None) -> Source:
    detected = []
    head, pieces = _peek(iter(lambda: file.read(PIECE), b""), 6)
    packing = next((words for magic, words in _MAGIC.items() if head.startswith(magic)), None)
    named = next((words for end, words in _SUFFIXES.items() if name.lower().endswith(end)), None)
    if named and packing is None:
        raise FormatError(name, 0, 0, f"begins with {head[:6]!r}", f"expected {named} as the name has it")
    if packing:
        detected.append(packing)
        head, pieces = _peek(_unpacked(pieces, packing, name), HEAD)
        path = None
    else:
        head, pieces = _peek(pieces, HEAD)
    if not head.startswith(_BINARY):
        encoding, codec, mark = _encoding(head)
        detected.append(encoding)
        if mark:
            pieces = chain([head[mark:]], _rest(pieces, len(head)))
        if codec != "utf-8":
            pieces = _recoded(pieces, codec, encoding, name)
        text, pieces = _peek(pieces, HEAD)
        detected.extend(_line_ends(text))
        head, pieces = _peek(_line_feeds(pieces), HEAD)
    return Source(name, path, head, pieces, tuple(detected))


def _peek(pieces: Iterator[bytes], size: int) -> tuple[bytes, Iterator[bytes]]:
    """The first ``size`` bytes or more, fewer only if there are no more; and all pieces again."""
    held: list[bytes] = []
    total = 0
    for piece in pieces:
        held.append(piece)
        total += len(piece)
        if total >= size:
            break
    head = b"".join(held)
    return head, chain([head] if head else [], pieces)


def _rest(pieces: Iterator[bytes], size: int) -> Iterator[bytes]:
    """``pieces`` without their first, which is ``size`` bytes."""
    assert len(next(pieces)) == size
    return pieces


def _encoding(head: bytes) -> tuple[str, str, int]:
    """In words, as a codec, and the length of the byte order mark."""
    for mark, (words, codec) in _MARKS.items():
        if head.startswith(mark):
            return f"{words} with byte order mark", codec, len(mark)
    some = head[: min(len(head), 256) & ~1]
    if some and 0 not in some[::2] and not any(some[1::2]):
        return "UTF-16 LE without byte order mark", "utf-16-le", 0
    if some and 0 not in some[1::2] and not any(some[::2]):
        return "UTF-16 BE without byte order mark", "utf-16-be", 0
    return "UTF-8", "utf-8", 0


def _line_ends(head: bytes) -> list[str]:
    pairs = head.count(b"\r\n")
    counts = {
        "CR LF": pairs,
        "CR": head.count(b"\r") - pairs,
        "LF": head.count(b"\n") - pairs,
    }
    seen = [words for words, count in counts.items() if count]
    return [f"{' and '.join(seen)} line ends"] if seen else []


def _line_feeds(pieces: Iterator[bytes]) -> Iterator[bytes]:
    from sudoku_jit.kernels.text import line_feeds

    held = b""
    for piece in pieces:
        if held or b"\r" in piece:
            piece = held + piece
            held = b"\r" if piece.endswith(b"\r") else b""
            text = np.frombuffer(piece.removesuffix(b"\r"), np.uint8)
            out = np.empty(len(text), np.uint8)
            piece = out[: line_feeds(text, out)].tobytes()
        if piece:
            yield piece
    if held:
        yield b"\n"


def _recoded(pieces: Iterator[bytes], codec: str, words: str, name: str) -> Iterator[bytes]:
    decoder = codecs.getincrementaldecoder(codec)()
    try:
        for piece in pieces:
            yield decoder.decode(piece).encode()
        yield decoder.decode(b"", final=True).encode()
    except UnicodeError as error:
        raise FormatError(name, 0, 0, f"not {words}: {error}", "expected text") from None


def _unpacked(pieces: Iterator[bytes], packing: str, name: str) -> Iterator[bytes]:
    small = (piece[at : at + _PACKED_PIECE] for piece in pieces for at in range(0, len(piece), _PACKED_PIECE))
    if packing == "gzip":
        return _streams(small, packing, name, lambda: zlib.decompressobj(31), zlib.error)
    if packing == "xz":
        import lzma

        return _streams(
            small,
            packing,
            name,
            lambda: lzma.LZMADecompressor(lzma.FORMAT_XZ, memlimit=XZ_MEMORY),
            lzma.LZMAError,
        )
    zstd = _zstd()
    options = {zstd.DecompressionParameter.window_log_max: WINDOW}
    return _streams(small, packing, name, lambda: zstd.ZstdDecompressor(options=options), zstd.ZstdError)


def _zstd() -> Any:
    try:
        if sys.version_info >= (3, 14):
            from compression import zstd
        else:
            from backports import zstd
    except ImportError:
        raise RequestError("zstd needs an extra: pip install 'sudoku-jit[zstd]'") from None
    return zstd


def _streams(
    pieces: Iterator[bytes],
    packing: str,
    name: str,
    make: Callable[[], Any],
    wrong: type[Exception],
) -> Iterator[bytes]:
    """Unpack one stream after another, never more than a piece at a time."""
    stream: Any = None
    more = False
    try:
        for piece in pieces:
            while piece or (more and stream is not None):
                if stream is None:
                    if packing != "zstd" and not (piece := piece.lstrip(b"\0")):
                        break  # padding after a stream
                    stream = make()
                data = stream.decompress(piece, PIECE)
                if data:
                    yield data
                more = len(data) == PIECE
                piece = getattr(stream, "unconsumed_tail", b"")
                if stream.eof:
                    piece, stream = stream.unused_data, None
    except wrong as error:
        raise FormatError(name, 0, 0, f"damaged {packing}: {error}", f"expected {packing}") from None
    if stream is not None:
        raise FormatError(name, 0, 0, f"the {packing} data ends early", "expected a whole file")
