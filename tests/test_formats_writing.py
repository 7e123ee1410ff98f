import io
import json
import sys
from pathlib import Path

import numpy as np
import pytest
from conftest import JIT
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st
from samples import FPUZZLES, FRAMED, SAMPLES, SS, P, S, Z

from sudoku_jit.errors import FormatError, RequestError
from sudoku_jit.formats import lzstring, registry
from sudoku_jit.formats.reading import open_puzzles
from sudoku_jit.formats.writing import texts, writer

MANY = settings(
    max_examples=60 if JIT else 5,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
LARGE = settings(MANY, max_examples=400 if JIT else 20)


@pytest.fixture(autouse=True)
def _folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)


def cells_of(*puzzles):
    return np.array([[int(d) for d in text.replace(".", "0")] for text in puzzles], np.uint8)


def write(format, parts, newline="lf", columns=None):
    """The bytes of a file, written in these parts."""
    stream = io.BytesIO()
    made = writer(format, stream, newline, tuple(columns or ()))
    at = 0
    for cells in parts:
        held = {name: values[at : at + len(cells)] for name, values in (columns or {}).items()}
        at += len(cells)
        made.put(made.encode(cells, held))
    made.finish()
    return stream.getvalue()


def read(data, from_=None):
    Path("p").write_bytes(data)
    with open_puzzles("p", from_) as puzzles:
        chunks = list(puzzles.chunks)
    columns = {}
    for chunk in chunks:
        for name, values in chunk.columns().items():
            columns.setdefault(name, []).extend(values)
    return puzzles.format.name, np.concatenate([chunk.cells for chunk in chunks]), columns


def columns_for(format, n):
    return {"solution": [S] * n} if format == "extreme" else {}


PUZZLES = st.lists(st.lists(st.integers(0, 9), min_size=81, max_size=81), min_size=1, max_size=5).map(
    lambda rows: np.array(rows, np.uint8)
)


@pytest.mark.parametrize("format", registry.WRITABLE)
@pytest.mark.parametrize("newline", ["lf", "crlf"])
@MANY
@given(cells=PUZZLES, cut=st.integers(0, 5))
@example(cells=np.zeros((2, 81), np.uint8), cut=1)
@example(cells=np.ones((1, 81), np.uint8), cut=0)
def test_what_is_written_reads_back(format, newline, cells, cut):
    data = write(format, [cells[:cut], cells[cut:]], newline, columns_for(format, len(cells)))
    # A grid that holds all of the one before may be its placements in a paste of Simple Sudoku.
    _, back, _ = read(data, "boxed" if format == "ss" else format)
    np.testing.assert_array_equal(back, cells)


@pytest.mark.parametrize("format", registry.WRITABLE)
def test_what_is_written_is_told_and_reads_back(format):
    cells = cells_of(P, Z, P.replace("9", "8"), S)
    told, back, _ = read(write(format, [cells], columns=columns_for(format, 4)))
    assert told == {"sdm": "line", "sdk": "block"}.get(format, format)
    np.testing.assert_array_equal(back, cells)


@pytest.mark.parametrize("format", registry.WRITABLE)
@pytest.mark.parametrize("other", registry.WRITABLE)
def test_from_each_format_to_each_other(format, other):
    cells = cells_of(P, S.translate(str.maketrans("12", "21")))
    once = write(format, [cells], columns=columns_for(format, 2))
    again = write(other, [read(once, format)[1]], columns=columns_for(other, 2))
    np.testing.assert_array_equal(read(again, other)[1], cells)


def test_layouts():
    cells = cells_of(P)
    assert write("line", [cells]) == write("sdm", [cells]) == f"{Z}\n".encode()
    assert write("line", [cells], "crlf") == f"{Z}\r\n".encode()
    assert write("ss", [cells]).decode() == SS
    assert write("boxed", [cells]).decode() == FRAMED
    assert write("ss", [cells, cells]).decode() == f"{SS}\n{SS}"
    assert write("block", [cells, cells[:0], cells]).decode() == "\n".join([SAMPLES["block"][0]] * 2)
    assert write("opensudoku", [cells]).decode().count(f'<game data="{Z}"/>') == 1
    assert write("csv", [cells], columns={"rating": ["1,5"]}) == f'puzzle,rating\n{P},"1,5"\n'.encode()
    assert json.loads(write("jsonl", [cells], columns={"rating": ["1"]})) == {"puzzle": P, "rating": "1"}
    assert (
        write("extreme", [cells], columns={"rating": ["7"], "solution": [S], "x": [""]}).decode()
        == f"source,question,answer,rating\n,{P},{S},7\n"
    )
    assert write("fpuzzles", [cells]).decode() == f"https://f-puzzles.com/?load={FPUZZLES}\n"


def test_nothing_written_in_lines_is_nothing():
    assert write("line", []) == b""
    assert write("opensudoku", []).startswith(b"")


@pytest.mark.parametrize("format", ["csv", "jsonl", "parquet"])
@MANY
@given(
    st.lists(
        st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\r\n\0"), max_size=9),
        min_size=1, max_size=4,
    )
)  # fmt: skip
def test_columns_read_back(format, values):
    values = [value.strip() for value in values]
    cells = np.zeros((len(values), 81), np.uint8)
    columns = {"name": values, "solution": [S] * len(values)}
    _, back, held = read(write(format, [cells], columns=columns), format)
    assert len(back) == len(values)
    assert held == columns


def test_header_of_sdk_reads_back():
    columns = {"author": ["Me", ""], "level": ["easy", "hard"], "rating": ["1", "2"]}
    told, back, held = read(write("sdk", [cells_of(P, S)], columns=columns))
    assert told == "sdk"
    assert texts(back) == [P, S]
    assert held["level"] == ["easy", "hard"]
    assert "rating" not in held


def test_titles_in_links():
    columns = {"title": ["Ünïcode \u2603"]}
    assert read(write("fpuzzles", [cells_of(P)], columns=columns))[2]["title"] == columns["title"]


def test_what_cannot_be_written(monkeypatch):
    with pytest.raises(RequestError, match="can be read only; expected one of npy"):
        writer("euler", io.BytesIO())
    with pytest.raises(RequestError, match="expected one of"):
        writer("nonsense", io.BytesIO())
    with pytest.raises(RequestError, match="solve --to extreme"):
        writer("extreme", io.BytesIO())
    stream = io.BytesIO()
    stream.seekable = lambda: False
    with pytest.raises(RequestError, match="needs a file"):
        writer("npy", stream)
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(RequestError, match=r"sudoku-jit\[parquet\]"):
        writer("parquet", io.BytesIO())


def test_a_stream_that_takes_little_at_a_time():
    class Slow(io.BytesIO):
        def write(self, data):
            return super().write(bytes(data[:7]))

    stream = Slow()
    made = writer("block", stream)
    for _ in range(2):
        made.put(made.encode(cells_of(P), {}))
    made.finish()
    assert stream.getvalue() == write("block", [cells_of(P)] * 2)


@MANY
@given(st.text(st.characters(codec="ascii")))
def test_lzstring_round_trip(text):
    assert lzstring.decompress(lzstring.compress(text)) == text


@pytest.mark.parametrize("packed", ["", "A", "N4I", "é", FPUZZLES[:50], "////"])
def test_lzstring_that_is_none(packed):
    with pytest.raises(ValueError, match=r"ends early|character|code"):
        lzstring.decompress(packed)


def test_a_bomb_in_a_link_is_refused():
    packed = lzstring.compress('"' + "0" * (lzstring.LARGEST + 1))
    assert len(packed) < 10_000
    with pytest.raises(ValueError, match="more than"):
        lzstring.decompress(packed)


# Damage: an error or what is there, never another puzzle, never anything but FormatError.

TEXTS = sorted({text for text, _ in SAMPLES.values()})


def accepted(data, from_=None):
    """The puzzles of a file, or None where it is refused; they read the same as plain lines."""
    try:
        _, cells, _ = read(data, from_)
    except (FormatError, RequestError):
        return None
    again = read(write("line", [cells]), "line")[1]
    np.testing.assert_array_equal(again, cells)
    return texts(cells)


@pytest.mark.parametrize("sample", SAMPLES)
def test_cut_anywhere(sample):
    data = SAMPLES[sample][0].encode()
    step = 1 if JIT and len(data) < 1200 else max(1, len(data) // 60)
    for cut in range(0, len(data), step):
        if sample == "candidates" and cut in (81, 82):
            continue  # 81 characters of candidates are a line of clashing givens
        found = accepted(data[:cut])
        assert found is None or set(found) == {P}, (cut, found)


@pytest.mark.parametrize("sample", SAMPLES)
def test_two_files_glued(sample):
    data = SAMPLES[sample][0].encode()
    for glued in (data + data, data.rstrip(b"\n") + data):
        found = accepted(glued)
        assert found is None or set(found) == {P}


@LARGE
@given(st.sampled_from(TEXTS), st.data())
def test_one_byte_changed(text, data):
    whole = bytearray(text.encode())
    at = data.draw(st.integers(0, len(whole) - 1))
    byte = data.draw(st.integers(0, 255))
    whole[at] = byte
    found = accepted(bytes(whole))
    # A digit that became another digit or blank, or a blank a digit, is a puzzle like any other.
    for puzzle in found or []:
        assert sum(a != b for a, b in zip(puzzle, P, strict=True)) <= 9


@LARGE
@given(
    st.one_of(
        st.binary(max_size=300),
        st.lists(st.sampled_from([*'123456789.0-|+*#:,; \t\n\r"<>{}=u', P, Z, S, "\n"])).map(
            lambda parts: "".join(parts).encode()
        ),
    ),
    st.sampled_from([None, *registry.READABLE]),
)
def test_anything_is_refused_or_read(data, format):
    accepted(data, format)


@pytest.mark.parametrize("format", registry.READABLE)
@pytest.mark.parametrize("sample", ["line dots", "block", "kaggle 3M", "opensudoku 3", "fpuzzles"])
def test_a_wrong_format_is_refused_or_reads_the_same(format, sample):
    found = accepted(SAMPLES[sample][0].encode(), format)
    assert not found or set(found) <= {P}
