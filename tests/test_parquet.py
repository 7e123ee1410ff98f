import heapq
import io
import sys

import naive
import numpy as np
import pytest
from conftest import JIT
from hypothesis import given
from hypothesis import strategies as st

from sudoku_jit.datasets import parquet, rows, writing, zstandard
from sudoku_jit.kernels import huffman

if sys.version_info >= (3, 14):
    from compression import zstd
else:
    from backports import zstd

DIGITS = {"1": 4, "2": 4, "3": 3, "4": 3, "5": 3, "6": 3, "7": 3, "8": 3, "9": 3}
LENGTHS = {"puzzles": {".": 1, **{digit: length + 1 for digit, length in DIGITS.items()}}, "solutions": DIGITS}
CODES = {"puzzles": zstandard.PUZZLES, "solutions": zstandard.SOLUTIONS}


def cells_of(n, kind, seed=1):
    """Random cells, about two thirds blank if they are those of puzzles."""
    random = np.random.default_rng(seed)
    cells = random.integers(1, 10, n, dtype=np.uint8)
    return cells * (random.random(n) < 0.35) if kind == "puzzles" else cells


def text_of(cells):
    return "".join(".123456789"[cell] for cell in cells.ravel().tolist())


def blocks(cells, kind):
    words = np.full(len(cells) // 8 + 16, 2**64 - 1, np.uint64)
    out = words.view(np.uint8)
    code = CODES[kind]
    return out[: huffman.blocks(cells.view(np.uint64), code.pairs, code.tree, words, out)].tobytes()


@pytest.mark.parametrize("kind", CODES)
@given(m=st.integers(0, 40), seed=st.integers(0, 2**32))
def test_blocks_are_those_of_the_plain_coder(kind, m, seed):
    cells = cells_of(32 * m, kind, seed)
    assert blocks(cells, kind) == naive.huffman_blocks(text_of(cells), LENGTHS[kind])


@pytest.mark.parametrize("kind", CODES)
def test_more_than_one_block(kind):
    cells = cells_of(8 * (2 * huffman.WORDS + 4), kind)
    assert blocks(cells, kind) == naive.huffman_blocks(text_of(cells), LENGTHS[kind])


def test_the_longest_codes_fit():
    for kind in CODES:
        for m in (1, huffman.WORDS // 4):
            cells = np.ones(32 * m, np.uint8)
            assert blocks(cells, kind) == naive.huffman_blocks("1" * (32 * m), LENGTHS[kind])


@pytest.mark.parametrize("n", [1, 2, 3, 33, 2000 if JIT else 40])
@pytest.mark.parametrize("kind", CODES)
def test_frames_are_unpacked_by_the_library(kind, n):
    grids = cells_of(81 * n, kind).reshape(n, 81)
    packed = b"".join(zstandard.frame(b"before", grids, CODES[kind]))
    assert zstd.decompress(packed) == b"before" + text_of(grids).encode()
    unaligned = np.frombuffer(b"x" + grids.tobytes(), np.uint8)[1:].reshape(n, 81)
    assert b"".join(zstandard.frame(b"before", unaligned, CODES[kind])) == packed


def test_no_huffman_code_is_shorter():
    for clues in range(17, 52):
        weights = [9 * (81 - clues)] + [clues] * 9  # in ninths of a cell
        assert bits("puzzles", weights) == least_bits(weights)
    assert bits("solutions", [0] + [81] * 9) == least_bits([81] * 9)


def bits(kind, weights):
    return sum(weight * LENGTHS[kind].get(each, 0) for each, weight in zip(".123456789", weights, strict=True))


def least_bits(weights):
    """Of Huffman's algorithm."""
    heap, total = list(weights), 0
    heapq.heapify(heap)
    while len(heap) > 1:
        both = heapq.heappop(heap) + heapq.heappop(heap)
        total += both
        heapq.heappush(heap, both)
    return total


@pytest.fixture
def small_pages(monkeypatch):
    monkeypatch.setattr(parquet, "ROWS_A_PAGE", 160)


def rows_of(n, rated=True):
    random = np.random.default_rng(n)
    puzzles = cells_of(81 * n, "puzzles").reshape(n, 81)
    return rows.Rows(
        puzzles,
        cells_of(81 * n, "solutions").reshape(n, 81),
        rows.clues_of(puzzles),
        random.integers(0, 2**64, n, dtype=np.uint64),
        random.integers(0, 10_000, n) / 8 if rated else None,
    )


def file_of(made):
    return io.BytesIO(writing.files(made, "parquet", "")[".parquet"])


@pytest.mark.parametrize("rated", [True, False])
@pytest.mark.parametrize("n", [1, 2, 128, 129, 130, 320, 321, 900])
def test_pyarrow_reads_the_table(small_pages, n, rated):
    import pyarrow.parquet

    made = rows_of(n, rated)
    table = writing.table(made)
    file = pyarrow.parquet.ParquetFile(file_of(made))
    assert file.schema_arrow.types == table.schema.types
    assert file.read().to_pydict() == table.to_pydict()
    assert [row for batch in file.iter_batches(7) for row in batch.to_pylist()] == table.to_pylist()


def test_the_description_says_what_is_there(small_pages):
    import pyarrow.parquet

    made = rows_of(321)
    stream = file_of(made)
    found = pyarrow.parquet.read_metadata(stream)
    assert (found.num_rows, found.num_row_groups, found.created_by.split()[0]) == (321, 1, "sudoku-jit")
    group = found.row_group(0)
    chunks = [group.column(k) for k in range(5)]
    assert {chunk.compression for chunk in chunks} == {"ZSTD"}
    ends = [4, *(chunk.data_page_offset + chunk.total_compressed_size for chunk in chunks)]
    assert ends[:-1] == [chunk.data_page_offset for chunk in chunks]
    assert ends[-1] + found.serialized_size + 8 == len(stream.getvalue())
    assert group.total_byte_size == sum(chunk.total_uncompressed_size for chunk in chunks)
    for chunk, values in ((chunks[2], made.clues), (chunks[3], made.guesses)):
        said = chunk.statistics
        assert (said.min, said.max, said.null_count) == (values.min(), values.max(), 0)
    few = pyarrow.parquet.read_table(stream, columns=["clues"], filters=[("clues", ">", 30)])
    assert few.num_rows == (made.clues > 30).sum()


def test_other_readers(small_pages, tmp_path):
    made = rows_of(321)
    path = tmp_path / "a.parquet"
    path.write_bytes(file_of(made).getvalue())
    expected = writing.table(made).to_pylist()
    found = {}
    for name, read in (
        ("pandas", lambda it: it.read_parquet(path).to_dict("records")),
        ("polars", lambda it: it.read_parquet(path).to_dicts()),
        ("duckdb", lambda it: it.sql(f"select * from '{path}'").to_arrow_table().to_pylist()),
    ):
        try:
            module = __import__(name)
        except ImportError:
            continue
        found[name] = read(module) == expected
    if not found:
        pytest.skip("no other reader is installed")
    assert all(found.values()), found
