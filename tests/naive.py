"""A plain Python solver: the second opinion. It imports nothing from the package and is slow on purpose."""

from collections.abc import Callable, Iterator
from itertools import islice, permutations, product

import numpy as np

PEERS = [
    [
        other
        for other in range(81)
        if other != cell
        and (
            other // 9 == cell // 9
            or other % 9 == cell % 9
            or (other // 27 == cell // 27 and other % 9 // 3 == cell % 9 // 3)
        )
    ]
    for cell in range(81)
]


def parse(text: str) -> list[int]:
    return [int(c) if c.isdigit() else 0 for c in text]


def huffman_blocks(text: str, lengths: dict[str, int]) -> bytes:
    """Zstandard blocks (RFC 8878) of text by a Huffman code with codes of these lengths, a block for each 128 KiB."""
    longest = max(lengths.values())
    codes, taken = {}, 0
    for each in sorted(lengths, key=lambda each: (-lengths[each], each)):
        codes[each] = f"{taken >> longest - lengths[each]:0{lengths[each]}b}"
        taken += 1 << longest - lengths[each]
    weights = [longest + 1 - lengths[chr(k)] if chr(k) in lengths else 0 for k in range(ord(max(lengths)))]
    weights += [0] * (len(weights) % 2)
    tree = bytes([127 + ord(max(lengths))]) + bytes(
        a << 4 | b for a, b in zip(weights[::2], weights[1::2], strict=True)
    )
    out = b""
    for first in range(0, len(text), 1 << 17):
        block = text[first : first + (1 << 17)]
        quarter = len(block) // 4
        streams = []
        for k in range(4):
            bits = "1" + "".join(codes[each] for each in block[k * quarter : (k + 1) * quarter])
            streams.append(int(bits, 2).to_bytes(-(-len(bits) // 8), "little"))
        jumps = b"".join(len(stream).to_bytes(2, "little") for stream in streams[:3])
        literals = tree + jumps + b"".join(streams)
        whole = (len(literals) << 22 | len(block) << 4 | 0b1110).to_bytes(5, "little") + literals + b"\0"
        out += (len(whole) << 3 | 0b100).to_bytes(3, "little") + whole
    return out


def clash(grid: list[int]) -> bool:
    return any(grid[c] and grid[c] == grid[p] for c in range(81) for p in PEERS[c])


def solutions(grid: list[int]) -> Iterator[list[int]]:
    """All solutions, in no special order: the cell with fewest candidates first, by recursion."""
    if clash(grid):
        return
    open_cells = [c for c in range(81) if not grid[c]]
    if not open_cells:
        yield list(grid)
        return
    choices = {c: set(range(1, 10)) - {grid[p] for p in PEERS[c]} for c in open_cells}
    cell = min(open_cells, key=lambda c: len(choices[c]))
    for digit in sorted(choices[cell]):
        grid[cell] = digit
        yield from solutions(grid)
    grid[cell] = 0


def count(text: str, limit: int) -> int:
    return len(list(islice(solutions(parse(text)), limit)))


def is_solution(grid: list[int], puzzle: list[int]) -> bool:
    units = [[r * 9 + c for c in range(9)] for r in range(9)]
    units += [[r * 9 + c for r in range(9)] for c in range(9)]
    units += [[(b // 3 * 3 + k // 3) * 9 + b % 3 * 3 + k % 3 for k in range(9)] for b in range(9)]
    return all(sorted(grid[c] for c in unit) == list(range(1, 10)) for unit in units) and all(
        given in (0, digit) for given, digit in zip(puzzle, grid, strict=True)
    )


def nodes_in_reading_order(text: str, limit: int) -> tuple[int, list[list[int]], int]:
    """The report's search, by recursion: (solutions found, the solutions, digits filled in)."""
    grid = parse(text)
    blanks = [c for c in range(81) if not grid[c]]
    found: list[list[int]] = []
    nodes = 0

    def fill(k: int) -> None:
        nonlocal nodes
        if k == len(blanks):
            found.append(list(grid))
            return
        cell = blanks[k]
        for digit in range(1, 10):
            if all(grid[p] != digit for p in PEERS[cell]):
                grid[cell] = digit
                nodes += 1
                fill(k + 1)
                grid[cell] = 0
                if len(found) == limit:
                    return

    fill(0)
    return len(found), found, nodes


def searched(grid: list[int], order: Callable[[list[int]], list[int]] = list) -> Iterator[list[int]]:
    """All solutions of a grid without a clash, sooner than ``solutions``: digits of a cell in the order given."""
    candidates = [511] * 81
    for cell, digit in enumerate(grid):
        for peer in PEERS[cell] if digit else []:
            candidates[peer] &= ~(1 << digit - 1)

    def fill(candidates: list[int], blanks: list[int]) -> Iterator[list[int]]:
        if not blanks:
            yield list(grid)
            return
        cell = min(blanks, key=lambda blank: candidates[blank].bit_count())
        rest = [blank for blank in blanks if blank != cell]
        for digit in order([digit for digit in range(1, 10) if candidates[cell] >> digit - 1 & 1]):
            left = list(candidates)
            for peer in PEERS[cell]:
                left[peer] &= ~(1 << digit - 1)
            if all(left[blank] for blank in rest):
                grid[cell] = digit
                yield from fill(left, rest)
        grid[cell] = 0

    yield from fill(candidates, [cell for cell in range(81) if not grid[cell]])


def smallest(grid: list[int]) -> list[int]:
    """The solution of a puzzle that comes first in reading order: cell by cell, the least digit that leaves one."""
    best = list(grid)
    for cell in range(81):
        tries = [best[cell]] if best[cell] else range(1, 10)
        best[cell] = next(
            digit
            for digit in tries
            if all(best[peer] != digit for peer in PEERS[cell])
            and any(True for _ in searched([*best[:cell], digit, *best[cell + 1 :]]))
        )
    return best


ORDERS = np.array(
    [
        [3 * big + small for big, three in zip(bigs, smalls, strict=True) for small in three]
        for bigs in permutations(range(3))
        for smalls in product(permutations(range(3)), repeat=3)
    ]
)
"""(1296, 9): the orders of rows that keep the bands together, and of columns."""


def minlex(grid: list[int], puzzle: list[int]) -> tuple[list[int], list[int], int]:
    """The smallest image of a solution grid, the smallest image of the puzzle under the symmetries that lead there, and
    how many of them do: all 2 * 1296 * 1296 arrangements, each relabelled so that its first row is 1 to 9.
    """
    best, given, reached = [9] * 81, [9] * 81, 0
    cells = np.arange(81).reshape(9, 9)
    for square in (cells, cells.T):
        for rows in ORDERS:
            places = square[rows][:, ORDERS].transpose(1, 0, 2).reshape(1296, 81)
            digits = np.array(grid)[places[:, :18]]
            labels = np.zeros((1296, 10), int)
            np.put_along_axis(labels, digits[:, :9], np.arange(1, 10)[None], axis=1)
            second = np.take_along_axis(labels, digits[:, 9:], axis=1) @ 10 ** np.arange(8, -1, -1)
            for at in np.flatnonzero(second <= int("".join(map(str, best[9:18])))):
                image = labels[at][np.array(grid)[places[at]]].tolist()
                hint = labels[at][np.array(puzzle)[places[at]]].tolist()
                if (image, hint) < (best, given):
                    best, given, reached = image, hint, 0
                reached += (image, hint) == (best, given)
    return best, given, reached


WORD = (1 << 64) - 1


def mixed(x: int) -> int:
    """The finaliser of SplitMix64."""
    x = ((x ^ (x >> 30)) * 0xBF58476D1CE4E5B9) & WORD
    x = ((x ^ (x >> 27)) * 0x94D049BB133111EB) & WORD
    return x ^ (x >> 31)


def drawn(word: int, n: int) -> int:
    """One of 0 .. n - 1 by the top half of a word of 64 bits."""
    return (word >> 32) * n >> 32


def permuted(index: int, left_range: int, right_range: int, keys: list[int]) -> tuple[int, int]:
    """The Feistel network: the halves of the image of an index."""
    left, right = divmod(index, right_range)
    for even, odd in zip(keys[::2], keys[1::2], strict=True):
        left = (left + drawn(mixed(right ^ even), left_range)) % left_range
        right = (right + drawn(mixed(left ^ odd), right_range)) % right_range
    return left, right


def index_of(left: int, right: int, left_range: int, right_range: int, keys: list[int]) -> int:
    """The inverse of ``permuted``: the rounds undone, the last one first."""
    for even, odd in zip(keys[-2::-2], keys[::-2], strict=True):
        right = (right - drawn(mixed(left ^ odd), right_range)) % right_range
        left = (left - drawn(mixed(right ^ even), left_range)) % left_range
    return left * right_range + right


def ordered(rank: int, items: list[int]) -> list[int]:
    """The order of the items with this rank: the first is chosen by the remainder, and so on."""
    left, order = list(items), []
    while left:
        rank, at = divmod(rank, len(left))
        order.append(left.pop(at))
    return order


def rank_of(order: list[int]) -> int:
    """The inverse of ``ordered`` for items that ascend."""
    if not order:
        return 0
    return sorted(order).index(order[0]) + len(order) * rank_of(order[1:])


BOXES = [[27 * (box // 3) + 3 * (box % 3) + 9 * (k // 3) + k % 3 for k in range(9)] for box in range(9)]
DIAGONAL = [BOXES[0], BOXES[4], BOXES[8]]
FACTORIAL = 362_880


def halves(first_digit: int) -> tuple[int, int, int]:
    """How many orders the first of the diagonal boxes has, and the ranges of both halves of a triple's rank."""
    orders = FACTORIAL // 9 if first_digit else FACTORIAL
    return orders, orders * 630, FACTORIAL * 576


def diagonal_boxes(index: int, first_digit: int, keys: list[int]) -> list[list[int]]:
    """The diagonal boxes of grid ``index``."""
    orders, left_range, right_range = halves(first_digit)
    left, right = permuted(index, left_range, right_range, keys)
    digits = list(range(1, 10))
    begun = [first_digit] if first_digit else []
    first = begun + ordered(left % orders, [digit for digit in digits if digit not in begun])
    return [
        first,
        ordered(right % FACTORIAL, digits),
        ordered(left // orders * 576 + right // FACTORIAL, digits),
    ]


def index_of_boxes(boxes: list[list[int]], first_digit: int, keys: list[int]) -> int:
    """The inverse of ``diagonal_boxes``."""
    orders, left_range, right_range = halves(first_digit)
    first, second, third = (rank_of(box) for box in (boxes[0][1:] if first_digit else boxes[0], *boxes[1:]))
    left, right = third // 576 * orders + first, third % 576 * FACTORIAL + second
    return index_of(left, right, left_range, right_range, keys)


def values(index: int, keys: list[int]) -> list[int]:
    """What grid ``index`` calls the digits 1 .. 9 while it is searched."""
    word = mixed(mixed((index + keys[0]) & WORD) ^ keys[1])
    return ordered(drawn(word, FACTORIAL), list(range(1, 10)))
