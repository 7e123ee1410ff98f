import json
import shutil
from hashlib import blake2b, sha256
from pathlib import Path

import naive
import numpy as np
import pytest
import symmetries
from cases import EASY, REPORT, SIX, UNSOLVABLE
from conftest import JIT
from datasets_made import tree, write_lines
from hypothesis import given, settings

import sudoku_jit
from sudoku_jit import datasets
from sudoku_jit.canonicalising import canonical_grids
from sudoku_jit.datasets import Generated, Request, metadata, planning, rows, writing
from sudoku_jit.datasets.given import examined
from sudoku_jit.errors import FormatError, PuzzleError, RequestError
from sudoku_jit.formats.reading import open_puzzles
from sudoku_jit.formats.writing import texts
from sudoku_jit.grids import grids_from_texts

SPLIT = (("train", "0.5"), ("val", "0.25"), ("test", "0.25"))
N = 60 if JIT else 16


@pytest.fixture(scope="module")
def puzzles():
    return sudoku_jit.generate_puzzles(N, seed=1, clues=(31, 31) if JIT else (71, 71))[0]


def build(folder, puzzles, **options):
    """Build from a file of the puzzles, with splits, morphs and several shards unless told otherwise."""
    source = write_lines(folder.parent / "p.txt", puzzles)
    threads, tell = options.pop("threads", 1), options.pop("tell", print)
    options = {"split": SPLIT, "augment": 2, "rating": 2, "seed": 5, "shard": -(-N // 4), **options}
    with examined(source, threads=1) as found:
        return datasets.build(folder, Request(found.source, **options), given=found, threads=threads, tell=tell)


def problems(folder):
    found = []
    told = datasets.verify(folder, threads=1, tell=found.append)
    assert told.wrong == len(found)
    return found


def fix_checksum(folder, path):
    """Put a changed file's size and checksum into the metadata."""
    data = (folder / path).read_bytes()
    record = json.loads((folder / metadata.NAME).read_text())
    for shard in record["shards"]:
        for file in shard:
            if file["path"] == path:
                file["bytes"], file["sha256"] = len(data), sha256(data).hexdigest()
    (folder / metadata.NAME).write_text(json.dumps(record, indent=1) + "\n")


def columns_of(path):
    import pyarrow.parquet

    return pyarrow.parquet.read_table(path).to_pydict()


def all_rows(folder):
    """(split, puzzle, solution, class) of each row of a Parquet dataset."""
    return [
        (path.parent.name, *row)
        for path in sorted(Path(folder).rglob("*.parquet"))
        for table in [columns_of(path)]
        for row in zip(table["puzzle"], table["solution"], table["class"], strict=True)
    ]


def test_rows_are_what_they_say(tmp_path, puzzles):
    built = build(tmp_path / "a", puzzles)
    assert (built.built, built.found) == (4, 0)
    assert built.counts["rows"] == 3 * N
    found = all_rows(tmp_path / "a")
    assert sorted(row[1] for row in found if row[1] in set(texts(puzzles))) == sorted(texts(puzzles))
    assert len({row[1] for row in found}) == len(found) == 3 * N
    for _, puzzle, solution, name in found[:: 7 if JIT else 12]:
        assert list(naive.solutions(naive.parse(puzzle))) == [naive.parse(solution)]
        assert blake2b(naive_form(solution).encode(), digest_size=8).hexdigest() == name
    assert problems(tmp_path / "a") == []


def naive_form(solution):
    return "".join(map(str, canonical_grids(solution).forms[0].tolist()))


def test_no_class_is_on_two_sides(tmp_path, puzzles):
    disguised = np.array(
        [symmetries.apply(([9, *range(1, 9)], [1, 0, *range(2, 9)], range(9), True), p) for p in puzzles]
    )
    built = build(tmp_path / "a", np.concatenate([puzzles, disguised]))
    found = all_rows(tmp_path / "a")
    sides = {}
    for split, _, solution, name in found:
        sides.setdefault(naive_form(solution), set()).add((split, name))
        share = int(name, 16) / 2**64
        assert split == ("train" if share < 0.5 else "val" if share < 0.75 else "test")
    assert all(len(side) == 1 for side in sides.values())
    assert len(sides) == N
    if JIT:
        assert all(split["rows"] for split in built.counts["splits"].values())


def test_same_bytes_on_any_number_of_threads(tmp_path, puzzles):
    for threads in (1, 2):
        build(tmp_path / str(threads), puzzles, threads=threads)
    assert tree(tmp_path / "1") == tree(tmp_path / "2")


def test_rows_do_not_depend_on_the_shards():
    request = {"source": Generated(7, clues=(60, 63)), "seed": 3, "augment": 2, "rating": 1}
    whole = rows.shard(Request(**request), 0)
    parted = Request(**request, shard=3)
    joined = rows.joined([rows.shard(parted, i) for i in range(parted.shards)])
    assert len(whole.puzzles) == 21
    for one, other in zip(whole, joined, strict=True):
        assert (one == other).all()


def test_generated_puzzles_are_those_of_the_seed():
    made, _ = sudoku_jit.generate_puzzles(9, seed=4, clues=(59, 61))
    last = rows.shard(Request(Generated(9, clues=(59, 61)), seed=4, rating=0, shard=4), 2)
    assert (last.puzzles == made[8:]).all()
    assert last.guesses is None
    with pytest.raises(RequestError, match="shard number 3"):
        rows.shard(Request(Generated(9), shard=4), 3)


def test_a_run_goes_on_where_another_ended(tmp_path, puzzles):
    build(tmp_path / "whole", puzzles)
    made = []

    def stop_after_two(work, jobs):
        for job in jobs:
            if len(made) == 2:
                raise KeyboardInterrupt
            made.append(job[0])
            yield work(job)

    with examined(str(tmp_path / "p.txt")) as found:
        request = Request(found.source, split=SPLIT, augment=2, rating=2, seed=5, shard=-(-N // 4))
        with pytest.raises(KeyboardInterrupt):
            datasets.build(tmp_path / "a", request, given=found, run=stop_after_two)
        assert problems(tmp_path / "a") == ["metadata.json: not finished: the command that began it goes on with it"]
        torn = tmp_path / "a" / metadata.JOURNAL
        torn.write_bytes(torn.read_bytes() + b'[3, [{"path": "tr')
        (tmp_path / "a" / "train" / ".000002.parquet.abc.part").write_bytes(b"torn")
        built = datasets.build(tmp_path / "a", request, given=found)
    assert (built.found, built.built) == (2, 2)
    assert tree(tmp_path / "a") == tree(tmp_path / "whole")


@pytest.mark.parametrize("damage", ["flip", "cut", "delete"])
def test_what_is_there_is_trusted_by_checksum_only(tmp_path, puzzles, damage):
    build(tmp_path / "a", puzzles)
    before = tree(tmp_path / "a")
    path = next(iter((tmp_path / "a" / "train").iterdir()))
    data = bytearray(path.read_bytes())
    if damage == "delete":
        path.unlink()
    else:
        data[40] ^= 1
        path.write_bytes(data if damage == "flip" else data[:-1])
    told = []
    built = build(tmp_path / "a", puzzles, tell=told.append)
    assert (built.found, built.built) == (3, 1)
    assert str(path) in told[0]
    assert tree(tmp_path / "a") == before
    assert build(tmp_path / "a", puzzles).found == 4
    assert tree(tmp_path / "a") == before


def test_another_request_in_the_folder_is_refused(tmp_path, puzzles):
    build(tmp_path / "a", puzzles)
    before = tree(tmp_path / "a")
    for options, words in (
        ({"augment": 3}, "request.augment: 3, there 2"),
        ({"seed": 6}, "request.seed: 6, there 5"),
        ({"to": "csv"}, "request.to: csv, there parquet"),
        ({"split": SPLIT[:1] + SPLIT[:0:-1]}, "request.split: "),
    ):
        with pytest.raises(RequestError, match=words):
            build(tmp_path / "a", puzzles, **options)
    with pytest.raises(RequestError, match=r"request.source.sha256: .*, there "):
        build(tmp_path / "a", puzzles[::-1])
    assert tree(tmp_path / "a") == before


def test_other_versions_are_refused(tmp_path, puzzles, monkeypatch):
    build(tmp_path / "a", puzzles)
    monkeypatch.setattr(planning, "installed", lambda name: "0.0")
    with pytest.raises(RequestError, match=r"versions.numpy: 0.0, there "):
        build(tmp_path / "a", puzzles)
    with pytest.raises(RequestError, match="versions differ between the machines"):
        datasets.building.made(Request(Generated(1)), {"numpy": "1"}, (0, None))


def test_a_folder_with_something_else_is_refused(tmp_path, puzzles):
    (tmp_path / "a").mkdir()
    (tmp_path / "a" / "mine").write_text("mine")
    with pytest.raises(RequestError, match="not empty and holds no dataset"):
        build(tmp_path / "a", puzzles)
    (tmp_path / "a" / metadata.NAME).write_text("{")
    with pytest.raises(RequestError, match="no JSON"):
        build(tmp_path / "a", puzzles)
    (tmp_path / "a" / metadata.NAME).write_text("{}")
    with pytest.raises(RequestError, match="not the metadata"):
        build(tmp_path / "a", puzzles)


def test_two_builds_at_once_are_refused(tmp_path, puzzles):
    def run(work, jobs):
        for job in jobs:
            with pytest.raises(RequestError, match="another process is building"):
                datasets.build(tmp_path / "a", request)
            yield work(job)

    request = Request(Generated(2), rating=0)
    assert datasets.build(tmp_path / "a", request, run=run).built == 1


def read_csv(path, format):
    with open_puzzles(str(path), format) as opened:
        chunks = [(chunk.cells, chunk.columns()) for chunk in opened.chunks]
    assert len(chunks) == 1
    return chunks[0]


def test_all_outputs_hold_the_same(tmp_path, puzzles):
    for to in planning.FORMATS:
        build(tmp_path / to, puzzles, to=to, shard=N, split=(("all", "1"),))
        assert problems(tmp_path / to) == []
    name = "all/000000"
    table = columns_of(tmp_path / "parquet" / f"{name}.parquet")
    cells = grids_from_texts(table["puzzle"])
    arrays = {key: np.load(tmp_path / "npy" / f"{name}.{key}.npy") for key in table}
    assert (arrays["puzzle"] == cells).all()
    assert (arrays["solution"] == grids_from_texts(table["solution"])).all()
    assert arrays["clues"].tolist() == table["clues"] == np.count_nonzero(cells, axis=1).tolist()
    assert arrays["guesses"].tolist() == table["guesses"]
    assert rows.class_texts(arrays["class"]) == table["class"]
    with open_puzzles(str(tmp_path / "npy" / f"{name}.puzzle.npy")) as opened:
        assert (np.concatenate([chunk.cells for chunk in opened.chunks]) == cells).all()
    with open_puzzles(str(tmp_path / "parquet" / f"{name}.parquet")) as opened:
        assert (np.concatenate([chunk.cells for chunk in opened.chunks]) == cells).all()
    read, columns = read_csv(tmp_path / "csv" / f"{name}.csv", "csv")
    assert (read == cells).all()
    assert columns == {
        "solution": table["solution"],
        "clues": [str(clues) for clues in table["clues"]],
        "guesses": [f"{guesses:.3f}" for guesses in table["guesses"]],
        "class": table["class"],
    }
    read, columns = read_csv(tmp_path / "extreme" / f"{name}.csv", "extreme")
    assert (read == cells).all()
    assert columns["solution"] == table["solution"]
    assert columns["source"] == ["p.txt"] * len(cells)
    assert [int(rating) for rating in columns["rating"]] == [int(g + 0.5) for g in table["guesses"]]


def test_numbers_as_text():
    grids = np.ones((4, 81), np.uint8)
    guesses = np.array([0, 0.125, 7.5, 12345.678])
    made = rows.Rows(
        grids, grids, np.array([17, 20, 30, 81], np.int8), np.array([0, 1, 2, 2**64 - 1], np.uint64), guesses
    )
    lines = bytes(writing.files(made, "csv", "")[".csv"]).decode().splitlines()
    assert [line.split(",")[2:] for line in lines] == [
        ["clues", "guesses", "class"],
        ["17", "0.000", "0" * 16],
        ["20", "0.125", "0" * 15 + "1"],
        ["30", "7.500", "0" * 15 + "2"],
        ["81", "12345.678", "f" * 16],
    ]
    lines = bytes(writing.files(made, "extreme", 'a "b", c')[".csv"]).decode().splitlines()
    assert [line.rsplit(",", 1)[1] for line in lines] == ["rating", "0", "0", "8", "12346"]
    assert lines[1].startswith('"a ""b"", c",111')


@pytest.mark.compiled
def test_ratings_of_version_1():
    """Where these change, the solver guesses otherwise: raise the version in ``metadata.RATING``."""
    from cases import AL_ESCARGOT, GOLDEN_NUGGET

    assert metadata.RATING == ("lane-guesses", 1)
    rated = datasets.columns([REPORT, EASY, GOLDEN_NUGGET, AL_ESCARGOT]).guesses.tolist()
    assert rated == [1.0, 0.0, 84.625, 35.625]


@given(symmetries.symmetries)
@settings(max_examples=30 if JIT else 2, deadline=None)
def test_a_disguise_changes_neither_class_nor_rating(symmetry):
    puzzle = sudoku_jit.grid_from_text(REPORT if JIT else EASY)
    both = datasets.columns(np.array([puzzle, symmetries.apply(symmetry, puzzle)]), rating=3 if JIT else 1)
    assert both.classes[0] == both.classes[1]
    assert both.guesses[0] == both.guesses[1]


def test_fixed_symmetries_are_symmetries():
    grid = sudoku_jit.generate_grids(1, seed=1)[0]
    cells, labels = rows.fixed_symmetries(40)
    assert (rows.fixed_symmetries(3)[0] == cells[:3]).all()
    images = np.array([label[grid[cell]] for cell, label in zip(cells, labels, strict=True)])
    assert sudoku_jit.is_valid(images).all()
    assert len(np.unique(images, axis=0)) == 40


def test_columns_of_a_chunk():
    found = datasets.columns([EASY], rating=0)
    assert found.guesses is None
    assert found.clues.tolist() == [30]
    for puzzle, words in ((SIX, "puzzle 2: several solutions"), (UNSOLVABLE, "puzzle 2: no solution")):
        with pytest.raises(PuzzleError, match=words):
            datasets.columns([EASY, puzzle])


def test_bad_records_of_a_file_have_their_line(tmp_path):
    path = tmp_path / "p"
    for lines, words in (
        (f"{EASY}\n\n{SIX}\n", r"p:3: puzzle 2: several solutions; expected exactly one"),
        (f"{EASY}\n{UNSOLVABLE}\n", r"p:2: puzzle 2: no solution; expected exactly one"),
        (f"{EASY}\n{EASY}\n", r"p:2: puzzle 2: the same puzzle as an earlier one; .*sudoku-jit dedupe"),
        (f"{EASY}\n{EASY[:80]}x\n", r"p:2:81: puzzle 2: two blanks"),
    ):
        path.write_text(lines)
        with pytest.raises(FormatError, match=words), examined(str(path)):
            pass
    with pytest.raises(RequestError, match="read twice"), examined(str(tmp_path)):
        pass
    with pytest.raises(FileNotFoundError), examined(str(tmp_path / "none")):
        pass
    path.write_text(f"{SIX}\n")
    with pytest.raises(FormatError, match="no puzzle with exactly one"), examined(str(path), on_error="skip"):
        pass


def test_left_out_records_are_listed_and_counted(tmp_path):
    path = tmp_path / "p"
    path.write_text(f"{EASY}\n{SIX}\nno puzzle\n{UNSOLVABLE}\n{EASY}\n{REPORT}\n{SIX}\n{EASY}\n")
    with examined(str(path), on_error="skip") as found:
        datasets.build(tmp_path / "a", Request(found.source, rating=0, to="csv"), given=found)
    record = json.loads((tmp_path / "a" / metadata.NAME).read_text())
    assert record["request"]["source"]["left_out"] == {
        "no puzzle": 1,
        "no solution": 1,
        "several solutions": 2,
        "the same puzzle as an earlier one": 2,
    }
    assert record["counts"]["rows"] == 2
    listed = (tmp_path / "a" / metadata.LEFT_OUT).read_text().splitlines()
    assert sorted(int(line.split("p:")[1].split(":")[0]) for line in listed) == [2, 3, 4, 5, 7, 8]
    assert problems(tmp_path / "a") == []


def test_a_file_that_changes_meanwhile_is_an_error(tmp_path):
    path = tmp_path / "p"
    path.write_text(f"{EASY}\n{REPORT}\n")
    with examined(str(path)) as found:
        path.write_text(f"{EASY}\n")
        with pytest.raises(FormatError, match="changed while it was read"):
            datasets.build(tmp_path / "a", Request(found.source, rating=0), given=found)
    assert problems(tmp_path / "a") != []


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"split": (("train", "0.5"), ("test", "0.4"))}, "add up to 0.9"),
        ({"split": (("a", "0.5"), ("a", "0.5"))}, "each name once"),
        ({"split": (("a/b", "1"),)}, "'a/b'"),
        ({"split": (("a", "1"), ("b", "0"))}, "b=0"),
        ({"split": (("a", "nan"),)}, "a=nan"),
        ({"augment": -1}, "augment -1"),
        ({"rating": 1001}, "rating 1001"),
        ({"rating": 0, "to": "extreme"}, "which has a rating"),
        ({"to": "xml"}, "'xml'"),
        ({"seed": -1}, "seed -1"),
        ({"shard": 1 << 20, "augment": 1}, "puzzles a shard"),
    ],
)
def test_requests_that_cannot_be_met(options, words):
    with pytest.raises(RequestError, match=words):
        Request(Generated(1), **options)


@pytest.mark.parametrize("clues", [(10, 16), (30, 20), (20, 82), [20, 30], 20])
def test_clues_that_cannot_be_met(clues):
    with pytest.raises(RequestError, match="clues"):
        Generated(1, clues)


def test_requests_survive_json():
    for source in (
        Generated(7, (30, 40), True, "full", "x" * 81, 2, (1, None), 3, 9),
        Generated(1),
        datasets.Given("p", 3, "0" * 64, (("no puzzle", 2),)),
    ):
        request = Request(source, 4, SPLIT, 2, 3, "npy", 5)
        assert planning.request_of(json.loads(json.dumps(request.record()))) == request
    for record in ({}, {"source": 3}, {**request.record(), "by": "hash"}, {**request.record(), "split": [["a"]]}):
        with pytest.raises(RequestError, match="not a request"):
            planning.request_of(record)


def test_bounds_are_exact():
    thirds = Request(Generated(1), split=(("a", "0.1"), ("b", "0.2"), ("c", "0.7")))
    assert thirds.bounds().tolist() == [2**64 // 10, 3 * 2**64 // 10]
    edge = np.array([0, 2**64 // 10 - 1, 2**64 // 10, 3 * 2**64 // 10, 2**64 - 1], np.uint64)
    assert rows.sides(thirds, edge).tolist() == [0, 0, 1, 2, 2]


class Damage:
    """A dataset to be damaged: the first file of a split, as columns, and back with the right checksum."""

    def __init__(self, folder):
        self.folder = folder
        self.file = sorted(folder.rglob("*.parquet"))[0]
        self.path = str(self.file.relative_to(folder))
        self.columns = columns_of(self.file)

    def put(self):
        import pyarrow.parquet

        table = pyarrow.table(self.columns, schema=pyarrow.parquet.read_schema(self.file))
        pyarrow.parquet.write_table(table, self.file, compression="zstd")
        fix_checksum(self.folder, self.path)


@pytest.fixture
def damage(tmp_path, puzzles):
    build(tmp_path / "a", puzzles)
    return Damage(tmp_path / "a")


def test_verify_sees_a_flipped_byte(damage):
    data = bytearray(damage.file.read_bytes())
    data[len(data) // 2] ^= 1
    damage.file.write_bytes(data)
    assert any(f"{damage.path}: sha256 " in problem for problem in problems(damage.folder))


def test_verify_sees_a_wrong_solution(damage):
    solution = damage.columns["solution"][3]
    damage.columns["solution"][3] = solution[9:18] + solution[:9] + solution[18:]
    damage.put()
    assert problems(damage.folder) == [f"{damage.path}: row 4: the solution is not that of the puzzle"]


def test_verify_sees_a_second_solution(damage):
    damage.columns["puzzle"][0] = SIX
    damage.put()
    assert problems(damage.folder) == [f"{damage.path}: row 1: several solutions"]


def test_verify_sees_wrong_columns(damage):
    for column, value, words in (
        ("clues", 80, "80 clues; expected "),
        ("guesses", 99.5, "rating 99.5; expected "),
        ("class", "0" * 16, "class 0000000000000000; expected "),
    ):
        kept, damage.columns[column][1] = damage.columns[column][1], value
        damage.put()
        assert [problem.partition("row 2: ")[2].startswith(words) for problem in problems(damage.folder)] == [True]
        damage.columns[column][1] = kept


def test_verify_sees_a_class_on_the_other_side(damage):
    """A shard's files of two splits change places, and the metadata agrees."""
    record = json.loads((damage.folder / metadata.NAME).read_text())
    files = next(files for files in record["shards"] if len(files) > 1)
    one, other = files[:2]
    paths = [damage.folder / file["path"] for file in (one, other)]
    data = [path.read_bytes() for path in paths]
    for path, bytes_ in zip(paths, reversed(data), strict=True):
        path.write_bytes(bytes_)
    for key in ("rows", "puzzles", "bytes", "sha256"):
        one[key], other[key] = other[key], one[key]
    (damage.folder / metadata.NAME).write_text(json.dumps(record))
    found = problems(damage.folder)
    assert any(f"its class belongs in {one['split']}" in problem for problem in found)
    assert any("counts.splits" in problem for problem in found) or one["rows"] == other["rows"]


def test_verify_sees_equal_puzzles(damage):
    for column in damage.columns.values():
        column[2] = column[0]
    damage.put()
    assert problems(damage.folder) == [f"{damage.path}: row 3: the same puzzle as an earlier row"]


def test_verify_sees_missing_and_additional_files_and_rows(damage):
    shutil.copy(damage.file, damage.file.with_name("more.parquet"))
    damage.columns = {name: column[:-1] for name, column in damage.columns.items()}
    damage.put()
    found = problems(damage.folder)
    assert f"{damage.file.parent.name}/more.parquet: not in metadata.json" in found
    assert any(f"{damage.path}: " in problem and "; expected" not in problem for problem in found)
    damage.file.unlink()
    assert f"{damage.path}: missing" in problems(damage.folder)


def test_verify_sees_a_missing_shard(damage):
    record = json.loads((damage.folder / metadata.NAME).read_text())
    for file in record["shards"].pop():
        (damage.folder / file["path"]).unlink()
    (damage.folder / metadata.NAME).write_text(json.dumps(record))
    assert "metadata.json: 3 shards; expected 4" in problems(damage.folder)


@pytest.mark.parametrize(
    ("keys", "value"),
    [
        (("counts", "rows"), 1),
        (("rating", "version"), 2),
        (("class", "name"), "sha"),
        (("request", "augment"), 5),
        (("request", "split"), [["train", "1"]]),
        (("request",), 7),
        (("shards",), [[{"path": "x"}]]),
        (("shards",), 7),
        (("versions",), 7),
        (("shards", 0, 0, "split"), "other"),
        (("shards", 0, 0, "rows"), "many"),
    ],
)
def test_verify_sees_wrong_metadata(damage, keys, value):
    record = json.loads((damage.folder / metadata.NAME).read_text())
    *path, last = keys
    place = record
    for key in path:
        place = place[key]
    place[last] = value
    (damage.folder / metadata.NAME).write_text(json.dumps(record))
    assert any(problem.startswith("metadata.json: ") for problem in problems(damage.folder))


@pytest.mark.parametrize("to", ["npy", "csv", "extreme", "parquet"])
def test_verify_reports_files_that_cannot_be_read(tmp_path, puzzles, to):
    build(tmp_path / "a", puzzles, to=to)
    file = next(path for path in sorted((tmp_path / "a").rglob("0*")) if "solution" in path.name or to != "npy")
    path = str(file.relative_to(tmp_path / "a"))
    good = file.read_bytes()
    for data in (b"", good[: len(good) // 2], good[:-30] + b"x" * 30, b"x" * 30 + good[30:], b"puzzle\n"):
        file.write_bytes(data)
        fix_checksum(tmp_path / "a", path)
        assert problems(tmp_path / "a")
    file.write_bytes(good)
    fix_checksum(tmp_path / "a", path)
    assert problems(tmp_path / "a") == []


def test_many_wrong_rows_are_counted(damage):
    n = len(damage.columns["clues"])
    damage.columns["clues"] = [80] * n
    damage.put()
    found = problems(damage.folder)
    assert len(found) == min(n, 10) + (n > 10)
    if n > 10:
        assert found[-1] == f"{damage.path}: {n - 10} more rows with wrong clues"


def test_verify_needs_a_dataset(tmp_path):
    with pytest.raises(RequestError, match=r"holds no metadata.json"):
        datasets.verify(tmp_path)
