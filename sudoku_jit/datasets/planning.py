"""What a dataset is to be: a request that says all, and which puzzles are in which shard."""

import functools
import platform
import re
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from fractions import Fraction
from importlib.metadata import PackageNotFoundError, version
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from sudoku_jit import __version__, digging
from sudoku_jit.errors import RequestError, whole
from sudoku_jit.grids import Cells

To = Literal["parquet", "npy", "csv", "extreme"]
FORMATS: tuple[To, ...] = ("parquet", "npy", "csv", "extreme")

ROWS_A_SHARD = 1 << 15
MOST_ROWS_A_SHARD = 1 << 20
MOST_MORPHS = 65_535
MOST_RATED = 1000
_WORD = (1 << 64) - 1


@dataclass(frozen=True)
class Generated:
    """Puzzles ``start`` .. ``start + n - 1`` of the seed, with the arguments of ``generate_puzzles``.

    ``pattern``: a text of 81 marks, ``x`` where clues may stand and a full stop elsewhere. Raises ``RequestError``.
    """

    n: int
    clues: tuple[int, int] | None = None
    minimal: bool = False
    symmetry: digging.Symmetry = "none"
    pattern: str | None = None
    min_blanks_per_box: int = 0
    guesses: tuple[int | None, int | None] = (None, None)
    first_digit: int | None = None
    start: int = 0

    def __post_init__(self) -> None:
        self._wanted()
        digging.check_numbers(whole("number of puzzles", self.n, 1, _WORD), self.start, 0, self.first_digit)

    def _wanted(self) -> digging.Request:
        if self.pattern is not None and not re.fullmatch(r"[x.]{81}", self.pattern):
            raise RequestError(f"pattern {self.pattern!r}; expected 81 marks, x or a full stop")
        return digging.request(
            clues=self.clues,
            minimal=self.minimal,
            symmetry=self.symmetry,
            pattern=None if self.pattern is None else [mark == "x" for mark in self.pattern],
            min_blanks_per_box=self.min_blanks_per_box,
            guesses=self.guesses,
        )

    def puzzles(self, seed: int, first: int, count: int) -> Cells:
        """Of these puzzles, ``first`` .. ``first + count - 1``, uint8 (count, 81). Raises ``ShortfallError``."""
        start = self.start + first
        at_once = min(count, digging.WAVE)
        made = digging.find_puzzles(
            count,
            self._wanted(),
            seed=seed,
            first_digit=self.first_digit,
            start=start,
            threads=1,
            at_once=at_once,
        )
        return np.concatenate([puzzles for puzzles, _ in made])


@dataclass(frozen=True)
class Given:
    """Puzzles of a file.

    ``name``: the file, without its folder. ``n``: puzzles that are kept. ``sha256``: of the cells of all puzzles in
    it, 81 bytes of value 0 to 9 each. ``left_out``: how many, by reason.
    """

    name: str
    n: int
    sha256: str
    left_out: tuple[tuple[str, int], ...] = ()


@dataclass(frozen=True)
class Request:
    """All that the bytes of a dataset depend on, besides the versions of packages.

    ``seed``: of generated puzzles and of morphs. ``split``: names and shares, decimal texts that add up to 1.
    ``augment``: morphs that follow each puzzle. ``rating``: morphs that its guesses are the mean of; 0: no rating.
    ``to``: one of ``FORMATS``. ``shard``: puzzles a shard. Raises ``RequestError``.

    >>> request = Request(Generated(100_000), seed=1, split=(("train", "0.9"), ("test", "0.1")), augment=3)
    >>> request.shards, request.shard_range(request.shards - 1)
    (13, range(98304, 100000))
    """

    source: Generated | Given
    seed: int = 0
    split: tuple[tuple[str, str], ...] = (("train", "1"),)
    augment: int = 0
    rating: int = 8
    to: To = "parquet"
    shard: int = 0

    def __post_init__(self) -> None:
        whole("seed", self.seed, 0, _WORD)
        whole("augment", self.augment, 0, MOST_MORPHS)
        whole("rating", self.rating, 0, MOST_RATED)
        if self.to not in FORMATS:
            raise RequestError(f"format {self.to!r}; expected one of {', '.join(FORMATS)}")
        if self.to == "extreme" and not self.rating:
            raise RequestError("rating 0 with format 'extreme', which has a rating; expected 1 or more")
        if not self.shard:
            object.__setattr__(self, "shard", max(1, ROWS_A_SHARD // (self.augment + 1)))
        whole("puzzles a shard", self.shard, 1, MOST_ROWS_A_SHARD // (self.augment + 1))
        _check_split(self.split)

    @property
    def splits(self) -> tuple[str, ...]:
        """Names of the splits."""
        return tuple(name for name, _ in self.split)

    @property
    def shards(self) -> int:
        """How many shards there are."""
        return -(-self.source.n // self.shard)

    @property
    def rows(self) -> int:
        """How many rows there are: each puzzle, and its morphs."""
        return self.source.n * (self.augment + 1)

    def shard_range(self, i: int) -> range:
        """The numbers of the puzzles of shard ``i``."""
        whole("shard number", i, 0, self.shards - 1)
        return range(i * self.shard, min((i + 1) * self.shard, self.source.n))

    def rows_of(self, i: int) -> int:
        """How many rows shard ``i`` has."""
        return len(self.shard_range(i)) * (self.augment + 1)

    def bounds(self) -> NDArray[np.uint64]:
        """uint64, one less than there are splits: the classes where one split ends and the next begins."""
        total, ends = Fraction(0), []
        for _, share in self.split[:-1]:
            total += Fraction(share)
            ends.append(int(total * (1 << 64)))
        return np.array(ends, np.uint64)

    def record(self) -> dict[str, Any]:
        """The request as JSON has it."""
        kind = type(self.source).__name__.lower()
        source = {"kind": kind, **asdict(self.source)}
        if isinstance(self.source, Given):
            source["left_out"] = dict(self.source.left_out)
        else:
            source["clues"] = list(self.source.clues) if self.source.clues else None
            source["guesses"] = list(self.source.guesses)
        return {**asdict(self), "source": source, "split": [list(share) for share in self.split], "by": "class"}


def _check_split(split: tuple[tuple[str, str], ...]) -> None:
    names = [name for name, _ in split]
    for name, share in split:
        if not re.fullmatch(r"[A-Za-z0-9_-]{1,64}", name):
            raise RequestError(f"split {name!r}; expected a name of letters, digits, - and _")
        if not re.fullmatch(r"[0-9]{0,3}\.?[0-9]{1,18}", share) or not Fraction(share):
            raise RequestError(f"split {name}={share}; expected a share above 0, such as {name}=0.1")
    if len(set(names)) < len(names):
        raise RequestError(f"split {', '.join(names)}; expected each name once")
    total = sum(Fraction(share) for _, share in split)
    if total != 1:
        raise RequestError(f"the shares of the split add up to {float(total):g}; expected 1")


def request_of(record: Mapping[str, Any]) -> Request:
    """The request of a record. Raises ``RequestError`` for one that no request has."""
    try:
        fields = dict(record)
        source = dict(fields.pop("source"))
        if fields.pop("by") != "class":
            raise RequestError("a split that is not by class")
        made: Generated | Given
        if source.pop("kind") == "given":
            made = Given(**source | {"left_out": tuple(source["left_out"].items())})
        else:
            clues = None if source["clues"] is None else tuple(source["clues"])
            made = Generated(**source | {"clues": clues, "guesses": tuple(source["guesses"])})
        return Request(made, **fields | {"split": tuple((name, share) for name, share in fields["split"])})
    except (KeyError, TypeError, AttributeError, ValueError) as error:
        raise RequestError(f"not a request: {error!r}"[:300]) from None


def versions(to: To) -> dict[str, str]:
    """Versions that the bytes may depend on."""
    found = {"sudoku-jit": __version__, "python": platform.python_version()}
    for name in ("numpy", "numba", *(["pyarrow"] if to == "parquet" else [])):
        try:
            found[name] = installed(name)
        except PackageNotFoundError:
            if name == "pyarrow":
                raise RequestError("Parquet needs an extra: pip install 'sudoku-jit[parquet]'") from None
            raise
    return found


@functools.cache
def installed(name: str) -> str:
    """The version of a package. Raises ``PackageNotFoundError``."""
    return version(name)


def differences(mine: Mapping[str, Any], other: Mapping[str, Any], under: str = "") -> list[str]:
    """Where two records differ, as texts.

    >>> differences({"a": 1, "b": {"c": 2}}, {"a": 1, "b": {"c": 3}})
    ['b.c: 2, there 3']
    """
    found = []
    for name in dict.fromkeys([*mine, *other]):
        left, right = mine.get(name), other.get(name)
        if isinstance(left, Mapping) and isinstance(right, Mapping):
            found += differences(left, right, f"{under}{name}.")
        elif left != right or (name in mine) != (name in other):
            found.append(f"{under}{name}: {_shown(left)}, there {_shown(right)}")
    return found


def _shown(value: Any) -> str:
    text = "nothing" if value is None else str(value)
    return text if len(text) <= 80 else f"{text[:80]}..."
