import base64
import codecs
import gzip
import json
import lzma
import re
import sys
import time
import zlib
from contextlib import suppress
from pathlib import Path

import numpy as np
import pytest
import samples
from samples import (
    BLOCK,
    FPUZZLES,
    FRAMED,
    FULL_729,
    GROUPS,
    PASTE,
    PENCILMARKS,
    ROWS,
    SAMPLES,
    SS,
    ZROWS,
    P,
    S,
    Z,
)

from sudoku_jit.errors import FormatError, RequestError
from sudoku_jit.formats import lzstring, registry
from sudoku_jit.formats.reading import open_puzzles
from sudoku_jit.formats.writing import texts
from sudoku_jit.grids import BLANKS


def read(data, from_=None, on_error="stop", name="p", report=lambda error: None):
    """Format, texts, lines and columns of a file of these bytes."""
    path = Path(name)
    path.write_bytes(data if isinstance(data, bytes) else data.encode())
    with open_puzzles(name, from_, on_error, report) as puzzles:
        cells, lines, columns = [], [], {}
        for chunk in puzzles.chunks:
            for key, values in chunk.columns().items():
                assert len(values) == len(chunk.cells)
                columns.setdefault(key, []).extend(values)
            cells += texts(chunk.cells)
            lines += chunk.lines.tolist()
        return puzzles.format.name, cells, lines, columns


@pytest.fixture(autouse=True)
def _folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)


@pytest.mark.parametrize("sample", SAMPLES)
def test_each_sample_is_told_and_read(sample):
    text, format = SAMPLES[sample]
    name, cells, *_ = read(text)
    assert name == format
    assert cells == [P] * (2 if sample == "norvig" else 1)


def test_every_readable_text_format_has_a_sample():
    told = {format for _, format in SAMPLES.values()}
    assert told | {"sdm", "npy", "parquet"} == set(registry.READABLE)


@pytest.mark.parametrize("sample", SAMPLES)
def test_samples_read_the_same_by_name(sample):
    text, format = SAMPLES[sample]
    assert read(text, format)[1] == read(text)[1]


def test_sdm_by_its_extension():
    assert read(Z, name="a.sdm")[0] == "sdm"


ENCODINGS = {
    "utf-8": b"",
    "utf-8 mark": codecs.BOM_UTF8,
    "utf-16-le": b"",
    "utf-16-be": b"",
    "utf-16-le mark": codecs.BOM_UTF16_LE,
    "utf-16-be mark": codecs.BOM_UTF16_BE,
}


@pytest.mark.parametrize("sample", ["line dots", "block", "kaggle 3M", "ss", "opensudoku 1", "euler"])
@pytest.mark.parametrize("encoding", ENCODINGS)
@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_encodings_and_line_ends(sample, encoding, end):
    text, format = SAMPLES[sample]
    data = text.rstrip("\n").replace("\n", end).encode(encoding.split()[0])
    name, cells, lines, _ = read(ENCODINGS[encoding] + data)
    plain = read(text)
    assert (name, cells, lines) == (format, plain[1], plain[2])


def zstd(data):
    if sys.version_info >= (3, 14):
        from compression import zstd
    else:
        from backports import zstd
    return zstd.compress(data)


PACKING = {"gz": gzip.compress, "xz": lzma.compress, "zst": zstd}


@pytest.mark.parametrize("packing", PACKING)
@pytest.mark.parametrize("named", [True, False])
@pytest.mark.parametrize("text", [P + "\n" + S, BLOCK, SS])
def test_packed_by_name_and_by_magic(packing, named, text):
    name = f"p.{packing}" if named else "p"
    data = PACKING[packing](text.encode())
    assert read(data, name=name)[1] == read(text)[1]
    assert read(data + PACKING[packing](b"\n" + text.encode()), name=name)[1] == read(text)[1] * 2


@pytest.mark.parametrize("packing", PACKING)
def test_damaged_packing(packing):
    data = PACKING[packing]((P + "\n").encode() * 3000)
    for cut in (7, len(data) // 2, len(data) - 1):
        with pytest.raises(FormatError, match=r"ends early|damaged|81 cells"):
            read(data[:cut])
    with pytest.raises(FormatError):
        read(data + b"more")
    with pytest.raises(FormatError, match="as the name has it"):
        read(P, name=f"p.{packing}")


def test_padding_after_packed_data():
    assert read(gzip.compress(P.encode()) + bytes(512))[1] == [P]


def test_zstd_without_the_extra(monkeypatch):
    monkeypatch.setitem(sys.modules, "backports", None)
    monkeypatch.setitem(sys.modules, "compression", None)
    data = zstd_magic = b"\x28\xb5\x2f\xfd" + bytes(20)
    with pytest.raises(RequestError, match=r"sudoku-jit\[zstd\]"):
        read(data)
    assert zstd_magic


def test_what_was_detected_is_told():
    Path("p").write_bytes(gzip.compress(codecs.BOM_UTF16_LE + (P + "\r\n").encode("utf-16-le")))
    with open_puzzles("p") as puzzles:
        assert puzzles.detected == ("gzip", "UTF-16 LE with byte order mark", "CR LF line ends")


@pytest.mark.parametrize(
    ("text", "line", "column", "words"),
    [
        (P.replace(".", "0", 1), 1, 2, "two blanks, '0' and '.'"),
        ("a" + P[1:], 1, 1, "'a'"),
        (P[:-1] + "\uff11", 1, 81, "'\uff11'"),
        (P[:40] + "\0" + P[41:], 1, 41, r"'\x00'"),
        (P[:80], 1, 81, "80 cells"),
        (P[:80] + " 6", 1, 81, "80 cells"),
        (P + ".", 1, 82, "82 cells"),
        (P + "&", 1, 82, "'&'"),
        (f"{P}\n\n{P[:70]}\n", 3, 71, "70 cells"),
        (S[:78] + " 1\n", 1, 79, "78 cells"),
        (BLOCK.replace("0", ".", 1), 1, 3, "two blanks"),
        (BLOCK + "\n" + BLOCK.replace("0 0 9", "0 9", 1), 11, 15, "8 cells"),
        ("\n".join(ROWS[:8]), 8, 0, "8 rows before the rows end"),
        ("\n".join(ROWS + ROWS), 10, 0, "a tenth row"),
        (f"puzzle,solution\n{Z[2:]},{S}\n", 2, 80, "79 cells"),
        (f"solution,puzzle\n{S}\n", 2, 0, "1 field"),
        (f"puzzle,x\n{P},1\n\n{P}.,2\n", 4, 82, "82 cells"),
        (f'puzzle,x\n{P},"1\n2"\n{P[:3]},2\n', 4, 0, "3 cells"),
        (f"{P},{S}\n{P}{S}\n", 2, 0, "1 field:"),
        ("Grid 01\n" + "\n".join(ZROWS[:8]) + "\nGrid 02\n" + "\n".join(ZROWS), 10, 0, "8 rows"),
        (FPUZZLES[:-40], 1, 0, "damaged LZString"),
        ("https://f-puzzles.com/?id=abc", 1, 0, "only the server has"),
        ("https://sudokupad.app/abc123", 1, 0, "only the server has"),
        ("3x3x:e9a2c9", 1, 1, "3x3x"),
        ("3x3:e9a2c97", 1, 11, "expected _ between two digits"),
        ("3x3:z", 1, 5, "26 cells"),
        ("3x3:zzzz", 1, 8, "more than 81 cells"),
        (f":0000:x:{P}:", 1, 1, "4 colons"),
        (".".join([*ZROWS[:8], "0000000.0"]), 1, 10, "two blanks"),
        (f'<opensudoku>\n<game data="{Z[:-1]}"/></opensudoku>', 2, 0, "80 cells"),
        (f'<opensudoku>\n<game data="{Z}"/>', 2, 97, "no element found"),
        ("<!DOCTYPE x><opensudoku/>", 1, 0, "document type"),
        ("<html>", 1, 0, "the line '<html>'"),
        ('{"puzzle": "1"}', 1, 0, "1 cell:"),
        ('{"puzzle": 1}', 1, 0, "no text under 'puzzle'"),
        ("[" * 100_000, 1, 0, ""),
        ("hello world\n", 1, 0, "the line 'hello world'"),
        ("PK\x03\x04", 1, 0, "PK"),
    ],
)
def test_faults_have_their_place(text, line, column, words):
    with pytest.raises(FormatError) as caught:
        read(text)
    error = caught.value
    assert words in str(error)
    if words:
        assert (error.line, error.column) == (line, column)
    assert "expected" in error.expected


SPREAD = "\n".join(" ".join(S[at : at + 9]) for at in range(0, 81, 9))
CLOSE = "\n".join(S[at : at + 9] for at in range(0, 81, 9))


@pytest.mark.parametrize(
    ("text", "from_", "blanks"),
    [
        (f"{S}\n", "line", BLANKS + " "),
        (f"{S} note\n", "line", BLANKS),
        (CLOSE, "block", BLANKS),
        (SPREAD, "block", BLANKS),
        (SPREAD.replace(" ", "  "), "block", BLANKS),
        (f"puzzle,name\n{S},a\n", "csv", BLANKS),
        (f'puzzle,name\n{S},"a"\n', "csv", BLANKS),
        (f"[Puzzle]\n{CLOSE}", "sdk", BLANKS),
        (SPREAD.replace(" ", "|"), "boxed", BLANKS),
    ],
)
@pytest.mark.parametrize("many", [False, True])
def test_every_byte_is_a_cell_or_refused(text, from_, blanks, many):
    """All 256 as the byte that stands for one cell in an otherwise full grid, and for half of them."""
    clues = [k for k, character in enumerate(text) if character in "123456789"]
    places = clues[::2] if many else clues[40:41]
    wanted = "".join("." if k in (range(0, 81, 2) if many else (40,)) else S[k] for k in range(81))
    taken = []
    for byte in range(256):
        data = bytearray(text.encode())
        for place in places:
            data[place] = byte
        with suppress(FormatError):
            [cells] = read(bytes(data), from_)[1]
            if chr(byte) not in "123456789":
                taken.append(chr(byte))
                assert cells == wanted
    assert set(taken) == set(blanks) - (set() if many else {" "})


@pytest.mark.parametrize("text", ["\0" * 81, "\0" * 40 + S[40:], f"puzzle,x\n{S[:-1]}\0,1", "\n".join(["\0" * 9] * 9)])
def test_nul_is_named(text):
    with pytest.raises(FormatError, match=r"'\\x00'"):
        read(text)


# The hazards that formats are known for.


def test_headers_digits_are_no_cells():
    text = "".join(f"Grid {k:02}\n" + "\n".join(ZROWS) + "\n" for k in (1, 50))
    assert read(text)[1] == [P, P]


def test_digits_in_comments_are_no_cells():
    assert read(f"# 17 clues, 2026\n{BLOCK}")[1] == [P]


@pytest.mark.parametrize("text", ["\n".join(ROWS[:4]) + "\n5\n" + "\n".join(ROWS[4:])])
def test_other_characters_are_never_passed_over(text):
    with pytest.raises(FormatError):
        read(text)


def test_full_stops_between_rows_are_no_blanks():
    assert read(".".join(ZROWS))[:2] == ("dnstoys", [P])
    with pytest.raises(FormatError, match="two blanks"):
        read(".".join(ZROWS), "line")


def test_blanks_may_differ_from_puzzle_to_puzzle():
    assert read(f"{P}\n{Z}\n")[1] == [P, P]


def test_a_paste_is_its_givens():
    assert read(PASTE)[1] == [P]


def test_a_second_grid_with_placements_alone_is_not_guessed():
    more = SS.replace(".", "1", 1)
    with pytest.raises(FormatError, match="its placements, or another puzzle; expected --from boxed"):
        read(SS + "\n" + more)
    assert len(read(SS + "\n" + more, "boxed")[1]) == 2


def test_candidates_alone_are_not_taken_for_givens():
    with pytest.raises(FormatError, match="expected the givens before it"):
        read(PASTE[len(SS) :].split("\n\n")[-1].lstrip("\n"), "ss")


def grid(groups):
    return PENCILMARKS.split("\n")[0] + "\n" + "\n".join(" ".join(groups[r : r + 9]) for r in range(0, 81, 9))


def test_a_last_candidate_is_no_given():
    """An empty cell with one candidate: its peers still have that digit."""
    puzzle = "1234567.." + "." * 9 + ".......8." + "." * 54
    from samples import candidates

    groups = candidates(puzzle)
    assert groups[8] == "9"
    assert read(grid(groups), "pencilmarks")[1] == [puzzle]


def test_a_lone_digit_that_may_be_either_is_refused():
    from samples import candidates

    with pytest.raises(FormatError, match="may be given or a last candidate"):
        read(grid(candidates(S)), "pencilmarks")
    with pytest.raises(FormatError, match="may be given or a last candidate"):
        read(grid(candidates(S[:-1] + ".")), "pencilmarks")
    assert read(FRAMED.translate(str.maketrans(dict(zip(".", "1", strict=True)))))[0] == "boxed"


def test_candidates_that_solving_removed_are_refused():
    groups = list(GROUPS)
    at = next(k for k, group in enumerate(groups) if len(group) > 2)
    groups[at] = groups[at][1:]
    with pytest.raises(FormatError, match="solving has begun"):
        read(grid(groups), "pencilmarks")


def test_729_characters_with_candidates_removed_are_refused():
    text = SAMPLES["candidates"][0].replace("123456789", "1234.6789", 1)
    with pytest.raises(FormatError, match="solving has begun"):
        read(text)


def test_a_lone_digit_in_sdx_that_a_peer_still_has_is_a_last_candidate():
    assert GROUPS[16] == "8"
    assert P[16] == "."
    assert read(SAMPLES["sdx"][0])[1] == [P]


def test_a_lone_digit_in_sdx_that_may_be_either_is_refused():
    solved = [f"u{d}" if k else d for k, d in enumerate(S)]
    text = "".join(" ".join(solved[at : at + 9]) + "\n" for at in range(0, 81, 9))
    with pytest.raises(FormatError, match="may be given or a last candidate"):
        read(text)


def test_placed_digits_are_told_apart():
    assert read(SAMPLES["sdx"][0])[3]["placed"][0][2] == "7"
    assert "+7" in read(SAMPLES["hodoku 7 colons"][0])[3]["placed"][0]


def test_a_code_that_two_codecs_read_is_refused():
    from sudoku_jit.formats.codes import classic
    from sudoku_jit.formats.records import Fault

    assert bytes(classic(S)) == bytes(map(int, S))
    with pytest.raises(Fault, match="read as different puzzles"):
        classic("C" * 40 + "1")


def test_two_readings_name_both(monkeypatch):
    from sudoku_jit.formats import reading

    first = {"line": b"1", "block": b"2"}
    monkeypatch.setattr(reading, "_first", lambda format, source: first.get(format.name))
    fitting = [registry.named("line"), registry.named("block")]
    monkeypatch.setattr(registry, "candidates", lambda head, name: fitting)
    with pytest.raises(FormatError, match="line and block read it as different puzzles; expected --from line"):
        read(P)


def test_other_games_are_refused():
    from sudoku_jit.formats import lzstring

    def link(change):
        import json

        puzzle = json.loads(lzstring.decompress(FPUZZLES))
        change(puzzle)
        return lzstring.compress(json.dumps(puzzle))

    for change, words in (
        (lambda p: p.update({"diagonal+": True}), "more than the rules of sudoku: diagonal"),
        (lambda p: p.update(size=6), "size 6"),
        (lambda p: p["grid"][0][0].update(region=5), "region 5"),
        (lambda p: p["grid"][0].pop(), "another shape"),
        (lambda p: p["grid"][0][0].update(value=10, given=True), "value '10'"),
    ):
        with pytest.raises(FormatError, match=words):
            read(link(change))
    assert read(link(lambda p: p["grid"][0][0].update(value=1)))[3]["placed"][0][0] == "1"


def test_columns_go_along():
    assert read(SAMPLES["kaggle 3M"][0])[3] == {
        "id": ["1"], "solution": [S], "clues": ["25"], "difficulty": ["0.0"]
    }  # fmt: skip
    assert read(SAMPLES["bank"][0])[3] == {"hash": ["47df7ce1f9a0"], "rating": ["2.3"]}
    assert read(SAMPLES["sdk header"][0])[3]["level"] == ["easy"]
    assert read(f"{P} # easy\n{P}\n")[3] == {"note": ["# easy", ""]}
    assert read(SAMPLES["opensudoku 1"][0])[3]["folder"] == ["mine"]


def test_quotes_from_the_middle_on():
    many = "".join(f"{Z},{k}\n" for k in range(50))
    _, cells, lines, columns = read(f'puzzle,name\n{many}{P},"a ""b"",\nc"\n{P},d\n')
    assert cells == [P] * 52
    assert columns["name"][-2:] == ['a "b",\nc', "d"]
    assert lines[-2:] == [52, 54]


@pytest.mark.parametrize("text", [f'puzzle,x\n{P},"1\n', f'puzzle,x\n{P},"1"2\n'])
def test_bad_quotes(text):
    with pytest.raises(FormatError, match="bad quotes"):
        read(text)


def test_bad_records_stop_skip_keep():
    text = f"{P}\n{P[:-1]}\nx\n{S}\n"
    told = []
    with pytest.raises(FormatError):
        read(text)
    _, cells, lines, _ = read(text, on_error="skip", report=told.append)
    assert (cells, lines) == ([P, S], [1, 4])
    assert [(error.line, error.puzzle) for error in told] == [(2, 2), (3, 3)]
    _, cells, lines, _ = read(text, on_error="keep")
    assert (cells, lines) == ([P, "1" * 81, "1" * 81, S], [1, 2, 3, 4])


BAD = {
    "block": (f"{BLOCK}\n{BLOCK}1 2 3\n\n{BLOCK}", [1, 22]),
    "csv": (f"puzzle\n{P}\n{P[1:]}\n{P}\n", [2, 4]),
    "quoted": (f'puzzle\n"{P}"\n{P[1:]}\n{P}\n', [2, 4]),
    "jsonl": (f'{{"puzzle": "{P}"}}\n{{\n{{"puzzle": "{P}"}}\n', [1, 3]),
    "sdk": (SAMPLES["sdk"][0] + "[Puzzle]\n1\n" + SAMPLES["sdk"][0], [3, 16]),
    "ss": (f"{SS}\n{SS.replace('9', '99', 1)}\n{SS}", [2, 30]),
    "pencilmarks": (f"{PENCILMARKS}\n1 2\n\n{PENCILMARKS}", [2, 18]),
    "opensudoku": (
        f'<opensudoku>\n<game data="{Z}"/>\n<game/>\n<game data="{Z}"/></opensudoku>', [2, 4]
    ),
}  # fmt: skip


@pytest.mark.parametrize("format", BAD)
def test_reading_goes_on_after_a_bad_record(format):
    text, lines = BAD[format]
    told = []
    _, cells, numbers, _ = read(text, on_error="skip", report=told.append)
    assert (cells, numbers) == ([P, P], lines)
    assert [error.puzzle for error in told] == [2]


def mixed(format, good):
    """A file of records, the good ones as told, as bytes."""
    bad_rows = "1 2 3\n\n"
    match format:
        case "line":
            return "".join(f"{P}\n" if one else "x\n" for one in good).encode()
        case "csv":
            return ("puzzle,n\n" + "".join(f"{P},{k}\n" if one else "x\n" for k, one in enumerate(good))).encode()
        case "quoted":
            return ('puzzle,n\n"' + P + '",0\n' + "".join(f"{P},1\n" if one else "x\n" for one in good[1:])).encode()
        case "block":
            return "".join(f"{BLOCK}\n" if one else bad_rows for one in good).encode()
        case "jsonl":
            return "".join(
                f'{{"puzzle": "{P}", "n": "{k}"}}\n' if one else "{\n" for k, one in enumerate(good)
            ).encode()
    cells = np.array([list(map(int, Z)) if one else [77] * 81 for one in good], np.uint8)
    np.save("made.npy", cells)
    return Path("made.npy").read_bytes()


@pytest.mark.parametrize("format", ["line", "csv", "quoted", "block", "jsonl", "npy"])
@pytest.mark.parametrize("every", [2, 5000, 0.0001])
@pytest.mark.compiled
def test_many_bad_records_have_their_places(format, every):
    """Every second record is bad, one in 5000 is, or all but two are: more than a call of a kernel tells of."""
    total = 15_000
    good = [k == 0 or (k % every > 0 if every > 1 else k == 9_000) for k in range(total)]
    places = [k + 1 for k, one in enumerate(good) if not one]
    data = mixed(format, good)
    told = []
    _, cells, lines, columns = read(data, on_error="skip", report=told.append)
    assert cells == [P] * sum(good)
    assert [error.puzzle for error in told] == places
    assert lines == sorted(set(lines))
    if format in ("csv", "jsonl"):
        assert columns["n"] == [str(k) for k, one in enumerate(good) if one]
    _, kept, all_lines, columns = read(data, on_error="keep")
    assert kept == [P if one else "1" * 81 for one in good]
    assert [line for line, one in zip(all_lines, good, strict=True) if one] == lines
    if format != "npy":
        assert [line for line, one in zip(all_lines, good, strict=True) if not one] == [error.line for error in told]
    if format == "csv":
        assert columns["n"] == [str(k) if one else "" for k, one in enumerate(good)]
    with open_puzzles("p") as puzzles:
        done = []
        with pytest.raises(FormatError) as caught:
            done.extend(text for chunk in puzzles.chunks for text in texts(chunk.cells))
    assert caught.value.puzzle == places[0]
    assert done == [P] * (places[0] - 1)


@pytest.mark.compiled
def test_bad_records_do_not_cut_chunks():
    """Each call of a kernel takes longer than a bad record may."""
    Path("p").write_bytes(mixed("line", [k % 2 == 0 for k in range(40_000)]))
    with open_puzzles("p", on_error="skip") as puzzles:
        chunks = list(puzzles.chunks)
    assert sum(len(chunk.cells) for chunk in chunks) == 20_000
    assert len(chunks) <= 8
    Path("p").write_bytes(mixed("line", [True] + [False] * 500_000))
    begun = time.perf_counter()
    with open_puzzles("p", on_error="skip") as puzzles:
        assert sum(len(chunk.cells) for chunk in puzzles.chunks) == 1
    assert time.perf_counter() - begun < 15


@pytest.mark.parametrize(
    "text", [f'puzzle,n\n"{P}",1\nx,1\n{P},"1\n', f'<opensudoku>\n<game data="{Z}"/>\n<game/>\n</x>']
)
@pytest.mark.parametrize("on_error", ["stop", "skip"])
def test_a_bad_record_before_damage_is_told(text, on_error):
    told = []
    with pytest.raises(FormatError) as caught:
        read(text, on_error=on_error, report=told.append)
    errors = [*told, caught.value]
    assert [(error.line, error.puzzle) for error in errors] == [(3, 2), (4, 3)][: 1 if on_error == "stop" else 2]


def test_a_file_of_bad_records_alone():
    assert read("1234567890\n", on_error="skip")[1] == []


def test_unknown_format():
    with pytest.raises(RequestError, match="expected one of npy, parquet"):
        read(P, "nonsense")


def test_npy():
    grids = np.array([list(map(int, Z)), list(map(int, S))], np.uint8)
    np.save("p.npy", grids)
    assert read(Path("p.npy").read_bytes())[1] == [P, S]
    np.save("p.npy", grids.reshape(-1, 9, 9))
    whole = Path("p.npy").read_bytes()
    assert read(whole)[1] == [P, S]
    with pytest.raises(FormatError, match="expected 2 puzzles"):
        read(whole[:-1])
    with pytest.raises(FormatError, match="no NumPy array"):
        read(whole[:50])
    np.save("p.npy", grids.astype(int))
    with pytest.raises(FormatError, match="int64"):
        read(Path("p.npy").read_bytes())
    grids[1, 3] = 10
    np.save("p.npy", grids)
    with pytest.raises(FormatError, match="puzzle 2: 10 at row 1 column 4"):
        read(Path("p.npy").read_bytes())


def test_parquet():
    pa = pytest.importorskip("pyarrow")
    import pyarrow.parquet as pq

    pq.write_table(pa.table({"Question": [P, Z], "rating": [1, None]}), "t.parquet")
    data = Path("t.parquet").read_bytes()
    assert read(data)[1:4:2] == ([P, P], {"rating": ["1", ""]})
    with pytest.raises(FormatError, match="damaged Parquet"):
        read(data[:-9])
    with pytest.raises(FormatError, match="expected a file"):
        read(gzip.compress(data))
    pq.write_table(pa.table({"x": [P]}), "t.parquet")
    with pytest.raises(FormatError, match="columns x"):
        read(Path("t.parquet").read_bytes())


def test_parquet_without_the_extra(monkeypatch):
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(RequestError, match=r"sudoku-jit\[parquet\]"):
        read(b"PAR1" + bytes(20))


@pytest.mark.parametrize(
    "part", [" ", ",", "1", "0", "\n", "# \n", "1 ", "1,", "|", "-", "=", "#\n,", "p", ":", "1\n", ", ."]
)
@pytest.mark.parametrize("start", ["", "puzzle", "1" * 9, "u1 " * 9, "\n" + "1 2 3 4 5 6 7 8 9\n" * 9])
def test_telling_the_format_takes_no_time(part, start):
    head = (start + part * (1 << 15)).encode()[: 1 << 16]
    begun = time.perf_counter()
    registry.candidates(head, "p")
    registry.candidates(head + b"x", "p")
    assert time.perf_counter() - begun < 2


def pad(**changes):
    """A SudokuPad link with changes to its JSON."""
    puzzle = {"cellSize": 64, "cells": [[{} for _ in range(9)] for _ in range(9)], **changes}
    return "scl" + samples.deflated(json.dumps(puzzle))


def coach(**changes):
    packed = base64.b32hexencode(zlib.compress(json.dumps({"gridSize": 9, "givenDigits": Z, **changes}).encode()))
    return "SCv7_32_" + packed.decode().rstrip("=").lower()


BOXES = [[[r, c] for r in range(R, R + 3) for c in range(C, C + 3)] for R in (0, 3, 6) for C in (0, 3, 6)]


def game(data):
    return f'<opensudoku><game data="{data}"/></opensudoku>'


CELLS = "".join(f"{d}|0|{int(d == '0')}|" for d in Z)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("scfAAAA", "old scf code"),
        ("classic0!", "not 81 cells"),
        ("classic" + "1" * 300, "not 81 cells"),
        ("fpuzzles" + lzstring.compress("[1]"), "JSON that is no object"),
        ("fpuzzles" + lzstring.compress("["), "no JSON"),
        ("fpuzzles" + lzstring.compress("[" * 100_000), "no JSON"),
        ("fpuzzles" + "A" * 70_000, "expected at most 65536"),
        ("sclAé", "no JSON packed"),
        ("sclAAAA", "no JSON packed"),
        ("scl" + samples.deflated(" " * (1 << 21)), "too large"),
        (pad(cages=[{"cells": [[0, 0]]}]), "cages"),
        (pad(lines=[1]), "more than the rules of sudoku: lines"),
        (pad(regions=[[1]]), "regions that are not the boxes"),
        (pad(regions=[1]), "regions that are not the boxes"),
        (coach(gridSize=6), "a grid of size 6"),
        (coach(givenDigits="1"), "1 cell"),
        (coach(killerCages=[1]), "more than the rules of sudoku: killerCages"),
        ("SCv7_32_fff", "damaged base32"),
        ("SCv7_32_ffff", "no JSON packed"),
        ("https://sudoku.coach/en/play/", "no puzzle in the link"),
        ("https://f-puzzles.com/", "no puzzle in the link"),
        ("x?bd=" + "S" * 81, "'S'"),
        ("<?xml version='1.0'?><html/>", "an XML document <html>"),
        (game("version: 4 " + CELLS), "cells of version 1 to 3"),
        (game(CELLS[6:]), "80 cells"),
        (game(CELLS.replace("|1|", "|2|", 1)), "expected value|note|editable"),
        (game("0" * 80 + "x"), "'x'"),
        (SAMPLES["candidates"][0].replace("123456789", "12345678a", 1), "line"),
        (".........".join(["", FULL_729[9:]]), "no candidate in row 1 column 1"),
        (FULL_729.replace("123456789", "123456798", 1), "expected 8 or a full stop"),
        (PENCILMARKS.replace(" 9 ", " 99 ", 1), "expected different digits"),
        (PASTE.replace(" 9 ", " 8 ", 1), "for a cell that is given as 9"),
        ("#A" + "x" * 70_000 + "\n", "too much beside a puzzle"),
        ("".join(f"[x{k}]\ny\n" for k in range(20)), "[x0]"),
        ("[Puzzle]\n" + "\n".join(ROWS) + "".join(f"\n[x{k}]\ny" for k in range(20)), "too much beside"),
        ("#AMe\n", "a header and no puzzle"),
        ("[Puzzle]\n" + "\n".join([*ROWS, ROWS[0]]), "a tenth row"),
        (SAMPLES["sdx"][0].split("\n", 1)[0] + "\n" + "1\n", "1 cells"),
        ("\n".join(SAMPLES["sdx"][0].split("\n")[:8]) + "\n\n", "8 rows before"),
        (SAMPLES["sdx"][0].replace("u7", "u77"), "expected candidates"),
        ("puzzle" + "x" * (2 << 20), "more than 1048576"),
        ('puzzle,x\n"' + "1" * (2 << 20), "more than 1048576"),
        ("| 1" + " " * (2 << 20), "more than 1048576"),
        (SS + "1" * (2 << 20), "more than 1048576"),
    ],
)  # fmt: skip
def test_refused(text, words):
    with pytest.raises(FormatError) as caught:
        read(text)
    assert words in str(caught.value)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (f"puzzle,puzzle\n{Z},{S}\n", ":1: columns 1 and 2, 'puzzle' and 'puzzle', are both the puzzle"),
        (f"puzzle,x,Quiz\n{Z},1,{S}\n", ":1: columns 1 and 3, 'puzzle' and 'Quiz', are both the puzzle"),
        (f"puzzle,solution,answer\n{Z},{S},{S}\n", ":1: columns 2 and 3, 'solution' and 'answer', are both the sol"),
        (f'"x","puzzle","x"\n1,{Z},2\n', ":1: columns 1 and 3 are both named 'x'"),
        (f"puzzle,,field2\n{Z},1,2\n", ":1: columns 2 and 3 are both named 'field2'"),
        (f'{{"puzzle":"{P}","puzzle":"{S}"}}', f":1: puzzle 1: two values of 'puzzle', {P!r} and {S!r}"),
        (f'{{"puzzle":"{P}","x":{{"y":1,"y":2}}}}', "two values of 'y', '1' and '2'"),
        ("fpuzzles" + lzstring.compress('{"size":9,"size":6}'), "two values of 'size', '9' and '6'"),
        ("https://f-puzzles.com/?load=NoIg&load=NoIh", "two puzzles, 'NoIg' and 'NoIh'"),
    ],
)
def test_one_name_twice_is_not_guessed(text, words):
    with pytest.raises(FormatError, match=re.escape(words)):
        read(text)


@pytest.mark.parametrize("names", [("puzzle", "quiz"), ("puzzle", "answer", "solution"), ("puzzle", "x", "x")])
def test_one_name_twice_in_parquet(names):
    pa = pytest.importorskip("pyarrow")
    import pyarrow.parquet as pq

    pq.write_table(pa.Table.from_arrays([pa.array([P])] * len(names), names), "t.parquet")
    with pytest.raises(FormatError, match="are both"):
        read(Path("t.parquet").read_bytes())


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (f'{{"puzzle":"{P}","x":1{"0" * 5000}}}', "no JSON that can be read, a number too long: "),
        (f'{{"puzzle":"{P}","x":{"[" * 100_000}', "no JSON that can be read, nested too deep: "),
        ('{"puzzle":}', "no JSON from character 11 on: '{\"puzzle\":}'; expected a JSON object"),
        (b'{"puzzle":"\xff"}', "no JSON, as it is no UTF-8: "),
        (f"puzzle,x\n{P[1:]},1\n", "; expected 81 cells in field 1, each a digit"),
        (P[1:], "; expected 81 cells in a line, each a digit"),
        (BLOCK.replace("0 8 0", "8 0", 1), "; expected 9 cells in a row, each a digit"),
        (game("version: 3&#10;" + CELLS[6:]), f"80 cells: '{CELLS[6:106]}'...; expected 81 cells"),
        (game("version: 4&#10;" + CELLS), "data 'version: 4 0|0|1|"),
        (game(f"{Z[:40]}&#10;{Z[40:]}"), f"data '{Z[:40]} {Z[40:]}'"),
        (b"\x93NUMPY\x01\0\x76", "p: no NumPy array: the header ends early, after 9 bytes; expected a C-ordered"),
        (b"\x93NUMPY\x01\0\x76\0", "no NumPy array: the header ends early, after 10 bytes"),
        (b"\x93NUMPY\x02\0\x04\0\0", "no NumPy array: the header ends early, after 11 bytes"),
        (b"\x93NUMPY\x01\0\x04\0nope", "no NumPy array: the header 'nope'"),
    ],
)
def test_messages_say_what_stood_there(text, message):
    """In words of this package, not in those of what it is built on."""
    with pytest.raises(FormatError, match=re.escape(message)):
        read(text)


@pytest.mark.parametrize("text", [pad(regions=BOXES, metadata={"title": "mine"}), pad(cages=[{"value": "x"}])])
def test_an_empty_grid_in_a_link(text):
    assert read(text)[1] == ["." * 81]


def test_a_code_of_runs_of_blanks():
    runs = dict(enumerate("ABCDEFGHIJKLMNOPQRSTUVWXYZ"))
    code = re.sub(r"\.+", lambda match: runs[len(match[0])], P)
    assert read("classic" + code)[1] == [P]


def test_placed_digits_in_opensudoku():
    cells = "1||1|" + "".join(f"{d}||{int(d == '0')}|" for d in Z[1:])
    _, found, _, columns = read(game("version: 2&#10;" + cells))
    assert (found, columns["placed"][0][0]) == ([P], "1")


@pytest.mark.parametrize("encoding", ["utf-16-le", "utf-16-be"])
def test_damaged_utf_16(encoding):
    data = (P + "\n").encode(encoding)
    for wrong in (data + b"1", data + b"\xd8\xd8\xd8\xd8"):
        with pytest.raises(FormatError, match=r"not UTF-16|two blanks|cells|'"):
            read(wrong)


def test_xz_that_wants_too_much_memory():
    filters = [{"id": lzma.FILTER_LZMA2, "dict_size": 1 << 29}]
    with pytest.raises(FormatError, match="damaged xz: Memory usage limit"):
        read(lzma.compress(P.encode(), filters=filters))


def test_sdx_goes_on_after_a_bad_puzzle():
    text = SAMPLES["sdx"][0]
    told = []
    _, cells, lines, _ = read(f"{text}\n# bad\n1 2\n3 4\n\n{text}", on_error="skip", report=told.append)
    assert (cells, lines, [error.line for error in told]) == ([P, P], [1, 15], [12])


def test_a_bad_puzzle_in_parquet():
    pa = pytest.importorskip("pyarrow")
    import pyarrow.parquet as pq

    pq.write_table(pa.table({"puzzle": [P, "1", None]}), "t.parquet")
    told = []
    assert read(Path("t.parquet").read_bytes(), on_error="skip", report=told.append)[1] == [P]
    assert [error.puzzle for error in told] == [2, 3]


def test_empty_lines_after_quotes_are_passed_over():
    assert read(f'puzzle\n"{P}"\n\n{P}\n')[1] == [P, P]
