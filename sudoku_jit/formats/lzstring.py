"""LZString in base64, the packing of f-puzzles and SudokuPad links.

An LZ78 code: two or more bits a code, lowest bit first, with 0 and 1 for a new character of 8 or 16
bits and 2 for the end. Written here because a link may be hostile, and what unpacks it has to stop
at a size.
"""

ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
LARGEST = 1 << 20
"""Characters that are unpacked at most."""

_VALUES = {character: f"{value:06b}" for value, character in enumerate(ALPHABET)}
_END = 2


def decompress(packed: str) -> str:
    """Unpack. Raises ``ValueError`` for what is not LZString, ends early or is too large.

    >>> decompress(compress("banana banana"))
    'banana banana'
    """
    try:
        bits = "".join(_VALUES[character] for character in packed.rstrip("="))
    except KeyError as error:
        raise ValueError(f"character {error.args[0]!r}") from None
    at = 0

    def code(width: int) -> int:
        nonlocal at
        if at + width > len(bits):
            raise ValueError("it ends early")
        at += width
        return int(bits[at - width : at][::-1], 2)

    words = ["", "", ""]
    width, room = 2, 1
    word = ""
    out: list[str] = []
    size = 0
    while (number := code(width)) != _END:
        if number < _END:
            words.append(chr(code(8 << number)))
            number = len(words) - 1
            room -= 1
            if room == 0:
                room = 1 << width
                width += 1
        if number < len(words):
            entry = words[number]
        elif number == len(words) and word:
            entry = word + word[0]
        else:
            raise ValueError(f"code {number} of {len(words)}")
        out.append(entry)
        size += len(entry)
        if size > LARGEST:
            raise ValueError(f"more than {LARGEST} characters")
        if word:
            words.append(word + entry[0])
            room -= 1
            if room == 0:
                room = 1 << width
                width += 1
        elif width == 2:
            width, room = 3, 4
        word = entry
    return "".join(out).encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")


def compress(text: str) -> str:
    """Pack ASCII text.

    >>> compress('{"size":9}')
    'N4IgzglgXgpiBcBOAvkA'
    """
    bits: list[str] = []
    codes: dict[str, int] = {}
    fresh: set[str] = set()
    width, room = 2, 2

    def count() -> None:
        nonlocal width, room
        room -= 1
        if room == 0:
            room = 1 << width
            width += 1

    def put(number: int, size: int) -> None:
        bits.append(f"{number:0{size}b}"[::-1])

    def emit(word: str) -> None:
        if word in fresh:
            fresh.remove(word)
            put(0, width)
            put(ord(word), 8)
            count()
        else:
            put(codes[word], width)
        count()

    word = ""
    for character in text:
        if character not in codes:
            codes[character] = len(codes) + 3
            fresh.add(character)
        if word + character in codes:
            word += character
        else:
            emit(word)
            codes[word + character] = len(codes) + 3
            word = character
    if word:
        emit(word)
    put(_END, width)
    whole = "".join(bits)
    whole += "0" * (6 - len(whole) % 6)
    packed = "".join(ALPHABET[int(whole[k : k + 6], 2)] for k in range(0, len(whole), 6))
    return packed + "=" * (-len(packed) % 4)
