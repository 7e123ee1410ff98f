"""The table of formats: what each is called, how it begins, who reads and writes it."""

import re
from importlib import import_module
from typing import Any, NamedTuple

from sudoku_jit.errors import RequestError


class Format(NamedTuple):
    """One format.

    ``family``: the module that reads it with ``read(name, source)`` and, where ``writes``, writes
    it with ``writer(name, ...)``. ``begins``: pattern of the text that may be this format, from its
    first byte. ``extensions``: of files that are this format if they begin so.
    """

    name: str
    family: str
    what: str
    begins: str
    writes: bool = False
    extensions: tuple[str, ...] = ()

    @property
    def module(self) -> Any:
        """The family, imported."""
        return import_module(f"sudoku_jit.formats.{self.family}")

    def fits(self, head: bytes) -> bool:
        """Whether a text that begins with ``head`` may be this format."""
        return re.match(self.begins.encode("latin-1"), head) is not None


_SKIP = r"(?:[ \t]*\n|#[^\n]*\n)*+"
_CELL = r"[0-9.*_$Xx-]"
_ROW = rf"[ \t]*+(?:{_CELL}[ \t,]*+){{9}}\n"
_WEB = r"\s*+(?:https?://)?(?:www\.)?"
_PUZZLE_COLUMN = r'(?i:[^\n]*(?<![^,;\t\n"])(?:puzzles?|quiz|quizzes|questions?)(?:[",;\t\n]|\Z))'

# The most particular first: the first of several that read the same is taken, and its message is given
# where none can read the text. Quantifiers that could take from each other are possessive: a pattern is
# tried on any file, and must not take more time than its size.
_TABLE = (
    Format("npy", "arrays", "NumPy array, uint8 (n, 81)", r"\x93NUMPY", True, (".npy",)),
    Format("parquet", "parquet", "Parquet table (extra: parquet)", r"PAR1", True, (".parquet",)),
    Format(
        "opensudoku",
        "opensudoku",
        "OpenSudoku XML, versions 1 to 3",
        r"\s*<(?:\?xml|!|opensudoku)",
        True,
        (".opensudoku", ".xml"),
    ),
    Format("jsonl", "jsonl", "JSON, one object a line", r"\s*\{", True, (".jsonl", ".ndjson")),
    Format("fpuzzles", "links", "f-puzzles link", rf"{_WEB}f-puzzles\.com|\s*N4Ig", True),
    Format(
        "sudokupad",
        "links",
        "SudokuPad link",
        rf"{_WEB}(?:sudokupad\.app|app\.crackingthecryptic\.com)"
        r"|\s*(?:scf|fpuz(?:zles)?|scl|ctc|classic)[A-Za-z0-9+/]",
    ),
    Format("sudokucoach", "links", "sudoku.coach link", rf"{_WEB}sudoku\.coach|\s*SCv\d"),
    Format("sudokuwiki", "links", "SudokuWiki link", r"\s*+\S*\?bd="),
    Format("gameid", "codes", "game ID of Simon Tatham's Solo", rf"{_SKIP}\d+(?:x\d+|j)[a-z]*:"),
    Format("hodoku", "codes", "HoDoKu library line", rf"{_SKIP}:[^:\n]*+:[^:\n]*+:[^:\n]*+:"),
    Format(
        "dnstoys",
        "codes",
        "dns.toys: nine rows joined by full stops",
        rf"{_SKIP}[0-9]{{9}}(?:\.[0-9]{{9}}){{8}}[ \t]*(?:\n|\Z)",
    ),
    Format(
        "bank",
        "tables",
        "Sudoku Exchange bank: hash, cells, rating",
        rf"{_SKIP}[0-9a-f]{{12}} +{_CELL}{{81}} ",
    ),
    Format(
        "gsf",
        "tables",
        "gsf's taxonomy: cells in the fifth of six and more comma fields",
        rf"{_SKIP}(?:[^,\n]*+,){{4}}{_CELL}{{81}},[^,\n]*+,",
    ),
    Format(
        "extreme",
        "tables",
        "CSV as sudoku-extreme has it: source,question,answer,rating",
        r"\s*source,question,answer,rating[ \t]*(?:\n|\Z)",
        True,
        (".csv",),
    ),
    Format(
        "csv",
        "tables",
        "CSV with a header that names a puzzle column",
        _PUZZLE_COLUMN,
        True,
        (".csv", ".tsv"),
    ),
    Format(
        "rrn",
        "tables",
        "puzzle,solution without a header",
        rf"{_SKIP}{_CELL}{{81}},[1-9]{{81}}[ \t]*(?:\n|\Z)",
    ),
    Format(
        "candidates",
        "pencil",
        "nine candidates a cell, 729 characters a line",
        rf"{_SKIP}[1-9.]{{729}}[ \t]*(?:\n|\Z)",
    ),
    Format(
        "sdx",
        "sudocue",
        "SudoCue work in progress (.sdx)",
        rf"{_SKIP}(?=(?:[^\n]*\n){{0,8}}[^\n]*\bu[1-9])u?[1-9]+(?: u?[1-9]+){{8}}[ \t]*\n",
        False,
        (".sdx",),
    ),
    Format(
        "pencilmarks",
        "pencil",
        "grid of nine by nine candidate groups",
        rf"{_SKIP}(?:[^1-9\n]*+\n)?[^1-9\n]*+[1-9]++(?:[ |:\t]++[1-9]++){{8}}[ |:\t]*+(?:\n|\Z)",
    ),
    Format("ss", "ss", "Simple Sudoku (.ss)", rf"{_SKIP}[ \t]*\*-{{11}}\*", True, (".ss",)),
    Format(
        "boxed",
        "boxed",
        "rows with frames of | - + = or Unicode boxes",
        rf"{_SKIP}(?!{_ROW})[^\n]*(?:\||---|===|\xe2[\x94\x95][\x80-\xbf])",
        True,
    ),
    Format(
        "euler",
        "rows",
        "Project Euler 96: a Grid NN line, then nine rows",
        rf"{_SKIP}(?i:grid)[ \t]*[0-9]+[ \t]*\n",
    ),
    Format(
        "norvig",
        "rows",
        "nine rows, a line of = between puzzles",
        rf"(?:=+\n)?(?:{_SKIP}{_ROW}){{9}}=+[ \t]*(?:\n|\Z)",
    ),
    Format("sdk", "sudocue", "SadMan and SudoCue (.sdk)", r"\s*(?:#[ABCDLSU]\S|(?i:\[puzzle\]))", True, (".sdk",)),
    Format(
        "block",
        "rows",
        "nine rows of nine, a blank line between puzzles",
        rf"{_SKIP}[ \t]*+(?:[^\s,][ \t,]*+){{9}}(?:\n|\Z)",
        True,
    ),
    Format(
        "line",
        "lines",
        "81 cells a line, any text after them",
        rf"{_SKIP}(?:[^\s#]{{10}}|[1-9 ]{{81}}(?:\n|\Z))",
        True,
    ),
    Format(
        "sdm",
        "lines",
        "81 cells a line, 0 for a blank (.sdm)",
        rf"{_SKIP}[0-9.]{{81}}[ \t]*(?:\n|\Z)",
        True,
        (".sdm",),
    ),
)
FORMATS = {format.name: format for format in _TABLE}
READABLE = tuple(FORMATS)
WRITABLE = tuple(format.name for format in _TABLE if format.writes)


def named(name: str) -> Format:
    """The format of a name. Raises ``RequestError``.

    >>> named("ss").what
    'Simple Sudoku (.ss)'
    """
    if name not in FORMATS:
        raise RequestError(f"format {name!r}; expected one of {', '.join(READABLE)}")
    return FORMATS[name]


def candidates(head: bytes, file: str) -> list[Format]:
    """The formats that a text may be; those that the file's extension names, if there are any.

    >>> [format.name for format in candidates(b"." * 81, "a.txt")]
    ['line', 'sdm']
    """
    fitting = [format for format in _TABLE if format.fits(head)]
    bare = re.sub(r"\.(gz|xz|zstd?)$", "", file.lower())
    extended = [format for format in fitting if bare.endswith(format.extensions or ("\0",))]
    return extended or fitting
