import json
from pathlib import Path

import pytest
from cases import CAP, COUNTS, EASY, EMPTY, MALFORMED, SIX, UNSOLVABLE
from conftest import JIT


def test_one_number_a_puzzle(cli):
    Path("p").write_text(f"{EASY}\n{SIX}\n{UNSOLVABLE}\n11{'0' * 79}\n{EMPTY}\n")
    code, out, err = cli("count", "p", "--limit", 7)
    assert (code, out.decode().split(), err) == (0, ["1", "6", "0", "0", "7"], "")


@pytest.mark.compiled
def test_reported_puzzles(cli):
    Path("p").write_text("\n".join(COUNTS))
    assert [int(n) for n in cli("count", "p")[1].split()] == list(COUNTS.values())
    assert cli("count", "-", stdin=EMPTY.encode())[1] == f"{CAP}\n".encode()


def test_json(cli):
    Path("p").write_text(f"# three\n{EASY}\n{SIX}\n{'0' * 80}1\n")
    lines = cli("count", "p", "--json", "--limit", "3", "-o", "out")
    assert lines == (0, b"", "")
    first, second, third = (json.loads(line) for line in Path("out").read_text().splitlines())
    assert first == {"puzzle": 1, "line": 2, "solutions": 1, "status": "unique", "guesses": 0}
    assert (second["solutions"], second["status"]) == (3, "multiple")
    assert (third["puzzle"], third["line"], third["solutions"]) == (3, 4, 3)


def test_bad_records(cli):
    Path("p").write_text(f"{EASY}\n{MALFORMED}\n{SIX}\n")
    for threads in (1, 2):
        code, out, err = cli("count", "p", "--threads", threads)
        assert (code, out) == (2, b"1\n")
        assert "p:2" in err
    code, out, err = cli("count", "p", "--on-error", "keep")
    assert (code, out) == (1, b"1\n\n6\n")
    code, out, err = cli("count", "p", "--on-error", "keep", "--json")
    bad = json.loads(out.splitlines()[1])
    assert (bad["puzzle"], bad["line"], bad["status"]) == (2, 2, "malformed")
    code, out, err = cli("count", "p", "--on-error", "skip")
    assert (code, out) == (1, b"1\n6\n")
    assert "p:2" in Path("p.rejected").read_text()


def test_kept_bad_records_are_not_searched(cli):
    """They would be counted as empty grids: up to the limit, each."""
    n = 20_000 if JIT else 20
    Path("p").write_text(f"{EASY}\n" + f"{MALFORMED}\n" * n)
    code, out, _ = cli("count", "p", "--on-error", "keep", "--limit", 10**9)
    assert (code, out) == (1, b"1\n" + b"\n" * n)


@pytest.mark.parametrize("threads", [1, 3])
def test_same_on_any_number_of_threads(cli, threads):
    n = 30_000 if JIT else 30
    Path("p").write_text(f"{EASY}\n{SIX}\n" * (n // 2))
    assert cli("count", "p", "--limit", 2, "--threads", threads)[1] == b"1\n2\n" * (n // 2)


@pytest.mark.parametrize("limit", ["0", "-1", "x", ""])
def test_wrong_limits(cli, limit):
    code, _, err = cli("count", "-", "--limit", limit, stdin=EASY.encode())
    assert code == 2
    assert limit in err
