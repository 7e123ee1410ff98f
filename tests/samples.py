"""One puzzle as each format has it."""

import base64
import json
import re
import zlib

P = ".....9.2...971.6.562.4........9.6.4.........1..5...2...8.....7.....8.53..72.4...6"
Z = P.replace(".", "0")
S = "157869324349712685628435197231956748764328951895174263583691472416287539972543816"

ROWS = [P[at : at + 9] for at in range(0, 81, 9)]
ZROWS = [Z[at : at + 9] for at in range(0, 81, 9)]
BLOCK = "".join(" ".join(row) + "\n" for row in ZROWS)


def boxed(row, border, top, rows=ROWS):
    lines = [row.format(*text) for text in rows]
    for at in (9, 6, 3, 0):
        lines.insert(at, top if at in (0, 9) else border)
    return "\n".join(line for line in lines if line) + "\n"


QQWING = boxed(" {} {} {} | {} {} {} | {} {} {} ", "-------|-------|-------", "")
FRAMED = boxed("| {} {} {} | {} {} {} | {} {} {} |", *["+-------+-------+-------+"] * 2)
UNICODE = (
    boxed("║ {} │ {} │ {} ║ {} │ {} │ {} ║ {} │ {} │ {} ║", "╠" + "═══╪" * 8 + "═══╣", "T")
    .replace("T", "╔" + "═══╤" * 8 + "═══╗", 1)
    .replace("T", "╚" + "═══╧" * 8 + "═══╝")
)
SS = boxed(" |{}{}{}|{}{}{}|{}{}{}|", " |---+---+---|", " *-----------*")


def peers(cell):
    r, c = divmod(cell, 9)
    return [
        o for o in range(81)
        if o != cell
        and (o // 9 == r or o % 9 == c or (o // 27, o % 9 // 3) == (cell // 27, cell % 9 // 3))
    ]  # fmt: skip


def candidates(text=P):
    """Groups of candidates: what the givens leave."""
    groups = []
    for cell in range(81):
        taken = {text[p] for p in peers(cell)}
        left = "".join(d for d in "123456789" if d not in taken)
        groups.append(text[cell] if text[cell] != "." else left)
    return groups


GROUPS = candidates()
PENCILMARKS = boxed(
    "| {} {} {} | {} {} {} | {} {} {} |", "+-----+-----+-----+", "+-----+-----+-----+",
    [GROUPS[at : at + 9] for at in range(0, 81, 9)],
)  # fmt: skip
FULL_729 = "".join("123456789" if d == "." else "".join(d if e == d else "." for e in "123456789") for d in P)
PASTE = (
    SS + "\n\n"
    + boxed(" |{}{}{}|{}{}{}|{}{}{}|", " |---+---+---|", " *-----------*",
            ["..7869.2.", *ROWS[1:]])
    + "\n\n"
    + boxed(" | {} {} {} | {} {} {} | {} {} {} |", " |-----+-----+-----|", " *-----------------*",
            [GROUPS[at : at + 9] for at in range(0, 81, 9)])
)  # fmt: skip


def progress():
    """A .sdx file: candidates, and 7 placed in row 1 column 3."""
    groups = candidates(P[:2] + "7" + P[3:])
    groups[2] = "u7"
    return "".join(" ".join(groups[at : at + 9]) + "\n" for at in range(0, 81, 9))


FPUZZLES = (
    "N4IgzglgXgpiBcBOANCALhNAbO8QlQEMBXNACwHsAnBfVK4nMGNWgkAcyogBMEBtfsAC+yEWNHipIAG6EsxXCk4QZMAHYI0DGJMmz5ihACZUHV"
    "Rq069AXWRC9YgwqVmLm+NsX65LhAHY3NQ8vXSdfI3gARiDLT2sJcMNcADZYkITpCNwAVnSrbzshZ0i0lWCCsNBsk3z470Tq5IQAFjrQxylO4SK"
    "uxpLXcriO/pr4MvMK+qqfZvg2oYyGkV7uxrWsuZjFyp77Pqa/eDyd6Y3Zo9NTka7VpKOADnbM89G5wOuXu4OLyKfP5a/XLPZYDBAAZhBM2+YPgH"
    "0mw0ysKuCKWM3ukQWqN26zeRwm7l2NhswiAA="
)


def coach():
    state = {"gridSize": 9, "givenDigits": Z, "userDigits": "0" * 81}
    packed = base64.b32hexencode(zlib.compress(json.dumps(state).encode()))
    return "SCv7_32_" + packed.decode().rstrip("=").lower()


def opensudoku(version):
    if version == 3:
        cells = "".join(f"{d}|{0 if d != '0' else 511}|{0 if d != '0' else 1}|" for d in Z)
    else:
        cells = "".join(f"{d}|{'-' if d != '0' else '1,2,'}|{0 if d != '0' else 1}|" for d in Z)
    return (
        f'<opensudoku version="{version}"><folder name="mine" created="1"><game created="1" state="1" '
        f'time="0" last_played="0" data="version: {version}&#10;{cells}" note="" command_stack=""/>'
        "</folder></opensudoku>\n"
    )


def scl(pack):
    cells = [[{"value": int(d)} if d != "." else {} for d in row] for row in ROWS]
    puzzle = {"cellSize": 64, "cells": cells, "cages": [{"value": "title: mine"}], "lines": []}
    return "scl" + pack(json.dumps(puzzle))


def deflated(text):
    packing = zlib.compressobj(9, zlib.DEFLATED, -15)
    data = packing.compress(text.encode()) + packing.flush()
    return base64.urlsafe_b64encode(data).decode().rstrip("=")


SDK_HEADER = "#AMe\n#DA sample\n#B2026-01-02\n#Sa book\n#Leasy\n#Uhttps://example.org\n"
SAMPLES = {
    "line dots": (P + "\n", "line"),
    "line zeros": (Z + "\n", "line"),
    "line dashes": (P.replace(".", "-") + "\n", "line"),
    "line stars": (P.replace(".", "*") + "\n", "line"),
    "line underscores": (P.replace(".", "_") + "\n", "line"),
    "line X": (P.replace(".", "X") + "\n", "line"),
    "line dollars": (P.replace(".", "$") + "\n", "line"),
    "line spaces": (P.replace(".", " ") + "\n", "line"),
    "comments": (f"# my set\n{P} # easy\n", "line"),
    "comment of 81": ("#" + "-" * 80 + f"\n{P}\n", "line"),
    "ALLOWZERO": (f"#ALLOWZERO\n{P}\n", "line"),
    "sdk": ("#AMe\n[Puzzle]\n" + "\n".join(ROWS) + "\n", "sdk"),
    "sdk header": (SDK_HEADER + "\n".join(ROWS) + "\n", "sdk"),
    "sdk sections": (
        SDK_HEADER + "[Puzzle]\n" + "\n".join(ROWS) + "\n[State]\n" + "\n".join(ROWS) + "\n[Colors]\n0\n",
        "sdk",
    ),
    "sdx": (progress(), "sdx"),
    "ss": (SS, "ss"),
    "ss paste": (PASTE, "ss"),
    "qqwing": (QQWING, "boxed"),
    "framed": (FRAMED, "boxed"),
    "framed with dots": (FRAMED.replace("+-------+-------+-------+", ".-------.-------.-------."), "boxed"),
    "unicode": (UNICODE, "boxed"),
    "block": (BLOCK, "block"),
    "rows": ("\n".join(ROWS) + "\n", "block"),
    "rows with tabs": ("\n".join("\t".join(row) for row in ROWS), "block"),
    "rows with commas": ("\n".join(",".join(row) for row in ZROWS), "block"),
    "rows with dashes": ("\n".join(ROWS).replace(".", "-"), "block"),
    "pencilmarks": (PENCILMARKS, "pencilmarks"),
    "candidates": (FULL_729 + "\n", "candidates"),
    "hodoku": (f":0000:x:{P}:::\n", "hodoku"),
    "hodoku 7 colons": (f":0110:7:{P.replace('.....9', '..+7..9')}:123 124:713:-1:x\n", "hodoku"),
    "gsf": (f"99000,99000,1,100,{Z},MyPuzzle,1.00s,0,C25\n", "gsf"),
    "kaggle 1M": (f"quizzes,solutions\n{Z},{S}\n", "csv"),
    "kaggle 3M": (f"id,puzzle,solution,clues,difficulty\n1,{P},{S},25,0.0\n", "csv"),
    "kaggle quoted": (f'"puzzle","solution"\n"{Z}","{S}"\n', "csv"),
    "qqwing csv": (f"Puzzle,Solution,\n{P},{S},\n", "csv"),
    "extreme": (f"source,question,answer,rating\nmine,{P},{S},0\n", "extreme"),
    "rrn": (f"{Z},{S}\n", "rrn"),
    "tdoku test": (f"{P}:1:{S}\n", "line"),
    "tdoku generate": (f"{P} 25 3.5 1.25\n", "line"),
    "tdoku grid tools": (f"{P}\t17\n", "line"),
    "euler": ("Grid 01\n" + "\n".join(ZROWS), "euler"),
    "norvig": ("\n".join(ROWS) + "\n========\n" + "\n".join(ROWS) + "\n", "norvig"),
    "bank": (f"47df7ce1f9a0 {Z}  2.3\n", "bank"),
    "opensudoku 0": (f'<opensudoku><game data="{Z}"/></opensudoku>\n', "opensudoku"),
    "opensudoku 1": (opensudoku(1), "opensudoku"),
    "opensudoku 2": (opensudoku(2).replace("1,2,", ""), "opensudoku"),
    "opensudoku 3": (opensudoku(3), "opensudoku"),
    "fpuzzles": (f"https://f-puzzles.com/?load={FPUZZLES}\n", "fpuzzles"),
    "fpuzzles bare": (FPUZZLES, "fpuzzles"),
    "sudokupad fpuzzles": (f"https://sudokupad.app/fpuzzles{FPUZZLES}\n", "sudokupad"),
    "sudokupad classic": ("classiceJW97BG56CsKJGsULZWwvI5N7CY6\n", "sudokupad"),
    "sudokupad scl deflate": (f"https://sudokupad.app/{scl(deflated)}\n", "sudokupad"),
    "sudokucoach": (f"https://sudoku.coach/en/play/{coach()}\n", "sudokucoach"),
    "sudokucoach bare": (coach(), "sudokucoach"),
    "sudokuwiki": (f"https://www.sudokuwiki.org/sudoku.htm?bd={Z}\n", "sudokuwiki"),
    "gameid": ("3x3:e9a2c9_7_1a6a5_6_2a4h9a6a4i1b5c2c8e7e8a5_3b7_2a4c6\n", "gameid"),
    "dnstoys": (".".join(ZROWS) + "\n", "dnstoys"),
    "jsonl": (json.dumps({"puzzle": P, "rating": 1.5}) + "\n", "jsonl"),
}
"""Text and the format it is told to be, by name. Each holds P, one once and ``norvig`` twice."""

FORMATS = {name: format for name, (_, format) in SAMPLES.items()}
assert re.fullmatch(r"[1-9.]{81}", P)
