"""Files of all known formats, and damage to them."""

import gzip
import io
import random
from collections.abc import Callable
from functools import cache
from typing import NamedTuple

import numpy as np

from tests.helpers import DATA, INSTANCES, ROOT, SAMPLES
from tests.helpers.formats import TEXTS

MAX_SAMPLE_BYTES = 12_000
LONG = 70_000  # characters, more than the head that is examined to detect formats

# Tokens that have a meaning in some format, or that readers are known to stumble over.
TOKENS = [
    *(b"|", b":", b"#", b",", b'"', b"-", b"{", b"}", b"[", b"]", b"\\", b"%", b"\t", b" "),
    *(b".", b"=", b"a", b"a ", b"ROWS\n", b"universe", b"N4Ig"),
    *(b"0", b"1", b"-1", b"+1", b"1.5", b"1e9", b"00", b"2:1|", b"0:0|", b"|0", b"a:b:c", b"true"),
    *(b"99999999999999999999", b"9223372036854775807", b"4294967296", b"2147483648", b"NaN"),
    *(b"\0", b"\x0b", b"\x0c", b"\x1c", b"\x1e", b"\x7f", b"\x80", b"\xff", b"\xff\xfe"),
    *(text.encode() for text in ("\ufeff", "²", "٣", "é", "\x85", "\u2028", "\u00a0", "😀")),
    *(b"\n", b"\r", b"\r\n", b"\n\n", b"null", b"\\ud800", b"puzzle,solution", b"-------|---"),
    *(b"There are 2 solutions to the puzzle.", b"Difficulty: Easy", b"Puzzle has no solution."),
]


class Sample(NamedTuple):
    """A file, and whether it contains an exact cover problem."""

    name: str
    content: bytes
    is_problem: bool


@cache
def samples() -> list[Sample]:
    """Return small files of all formats that `solve`, `cover` and `show` read."""
    paths = [
        *SAMPLES.rglob("*.txt"),
        *INSTANCES.glob("*.dlx"),
        *INSTANCES.glob("*.ec"),
        *DATA.glob("*.txt"),
    ]
    paths += (ROOT / "docs" / "examples").iterdir()
    found = [
        Sample(path.name, path.read_bytes(), path.suffix in (".dlx", ".ec", ".json"))
        for path in sorted(paths)
        if path.is_file()
    ]
    found = [
        each._replace(content=_first_lines(each.content))
        for each in found
        if not each.is_problem or len(each.content) <= MAX_SAMPLE_BYTES
    ]
    return found + _generated_samples()


def _first_lines(content: bytes) -> bytes:
    return content[: content.rfind(b"\n", 0, MAX_SAMPLE_BYTES) + 1] or content


def _generated_samples() -> list[Sample]:
    matrix = np.array([[0, 0, 1, 0, 1, 1, 0], [1, 0, 0, 1, 0, 0, 1], [0, 1, 1, 0, 0, 1, 0]])
    indptr, indices = np.array([0, 3, 6, 9]), np.array([2, 4, 5, 0, 3, 6, 1, 2, 5])
    text = "\n".join("".join(map(str, row)) for row in matrix.tolist())
    found = [Sample("matrix.txt", text.encode(), True)]
    counted = b"7 4\n3 3 5 6\n3 1 4 7\n3 2 3 6\n2 1 4\n"
    found.append(Sample("counted.txt", counted, True))
    for dtype in (np.uint8, np.bool_, np.float64, np.dtype(">i4")):
        file = io.BytesIO()
        np.save(file, matrix.astype(dtype))
        found.append(Sample(f"{np.dtype(dtype).name}.npy", file.getvalue(), True))
    for save in (np.savez, np.savez_compressed):
        file = io.BytesIO()
        arrays = {"indptr": indptr, "indices": indices, "data": np.ones(9)}
        save(file, format=np.array(b"csr"), shape=np.array(matrix.shape), **arrays)
        found.append(Sample("csr.npz", file.getvalue(), True))
    letters = "ABCDEFGHIJKLMNOP"
    rows = [letters[k // 4 + k % 4 * 4 :] + letters[: k // 4 + k % 4 * 4] for k in range(16)]
    board = "".join(rows)
    found.append(Sample("16x16.txt", (board[:200] + "." * 56 + "\n" + board).encode(), False))
    found.append(Sample("16x16-rows.txt", "\n".join(rows).encode(), False))
    numbers = "\n".join(" ".join(str(ord(c) - 64) for c in row) for row in rows)
    found.append(Sample("16x16-numbers.txt", numbers.encode(), False))
    found += [
        Sample(f"boards-{number}.txt", text.text.encode(), False)
        for number, text in enumerate(TEXTS.values())
    ]
    return found


def mutate(data: bytes, rng: random.Random, max_mutations: int = 4) -> bytes:
    """Return a damaged copy, possibly compressed, and possibly damaged after that."""
    data = _mutate_some(data, rng, rng.randint(0, max_mutations))
    if rng.random() < 0.1:
        data = gzip.compress(data, rng.randint(0, 9), mtime=0)
        data = _mutate_some(data, rng, rng.randint(0, 2))
    return data


def _mutate_some(data: bytes, rng: random.Random, number: int) -> bytes:
    for _ in range(number):
        data = rng.choice(MUTATIONS)(data, rng)
    return data


def _flip_bit(data: bytes, rng: random.Random) -> bytes:
    at = rng.randrange(len(data) or 1)
    return (
        data[:at]
        + bytes(byte ^ 1 << rng.randrange(8) for byte in data[at : at + 1])
        + data[at + 1 :]
    )


def _change_byte(data: bytes, rng: random.Random) -> bytes:
    at = rng.randrange(len(data) or 1)
    return data[:at] + rng.randbytes(1) + data[at + 1 :]


def _range(data: bytes, rng: random.Random) -> tuple[int, int]:
    start = rng.randint(0, len(data))
    return start, min(len(data), start + rng.choice([1, 2, 9, 81, rng.randint(0, len(data))]))


def _delete(data: bytes, rng: random.Random) -> bytes:
    start, end = _range(data, rng)
    return data[:start] + data[end:]


def _duplicate(data: bytes, rng: random.Random) -> bytes:
    start, end = _range(data, rng)
    return data[:end] + data[start:end] * rng.choice([1, 1, 1, 10]) + data[end:]


def _truncate(data: bytes, rng: random.Random) -> bytes:
    return data[: rng.randint(0, len(data))]


def _insert(data: bytes, rng: random.Random) -> bytes:
    at = rng.randint(0, len(data))
    return data[:at] + rng.choice(TOKENS) + data[at:]


def _insert_noise(data: bytes, rng: random.Random) -> bytes:
    at = rng.randint(0, len(data))
    return data[:at] + rng.randbytes(rng.choice([1, 3, 40])) + data[at:]


def _replace_word(data: bytes, rng: random.Random) -> bytes:
    """Replace a word, such as a number, by a token."""
    words = data.split(b" ")
    words[rng.randrange(len(words))] = rng.choice(TOKENS)
    return b" ".join(words)


def _with_lines(change: Callable[[list[bytes], random.Random], None]) -> "Mutation":
    def mutation(data: bytes, rng: random.Random) -> bytes:
        lines = data.splitlines(keepends=True) or [b""]
        change(lines, rng)
        return b"".join(lines)

    return mutation


def _delete_line(lines: list[bytes], rng: random.Random) -> None:
    del lines[rng.randrange(len(lines))]


def _duplicate_line(lines: list[bytes], rng: random.Random) -> None:
    line = rng.choice(lines)
    lines.insert(rng.randint(0, len(lines)), line)


def _shuffle_lines(lines: list[bytes], rng: random.Random) -> None:
    rng.shuffle(lines)


def _foreign_line(lines: list[bytes], rng: random.Random) -> None:
    other = rng.choice(samples()).content.splitlines(keepends=True)
    lines.insert(rng.randint(0, len(lines)), rng.choice(other))


def _change_line_ends(data: bytes, rng: random.Random) -> bytes:
    return data.replace(b"\n", rng.choice([b"\r\n", b"\r", b"\n\r", b"\n\n", b"\x0b", b""]))


def _lengthen(data: bytes, rng: random.Random) -> bytes:
    at, unit = rng.randint(0, len(data)), b"".join(rng.choices(TOKENS, k=rng.randint(1, 3)))
    return data[:at] + unit * (LONG // len(unit)) + data[at:]


def _repeat(data: bytes, rng: random.Random) -> bytes:
    return data * rng.randint(2, 1 + max(1, LONG // (len(data) + 1)))


def _splice(data: bytes, rng: random.Random) -> bytes:
    other = rng.choice(samples()).content
    return data[: rng.randint(0, len(data))] + other[rng.randint(0, len(other)) :]


def _change_case(data: bytes, rng: random.Random) -> bytes:
    return data.swapcase()


Mutation = Callable[[bytes, random.Random], bytes]
_FREQUENT: list[Mutation] = [
    *(_flip_bit, _change_byte, _delete, _duplicate, _truncate, _insert, _replace_word, _splice),
    *map(_with_lines, (_delete_line, _duplicate_line, _shuffle_lines, _foreign_line)),
]
MUTATIONS = [*_FREQUENT * 3, _insert_noise, _change_line_ends, _lengthen, _repeat, _change_case]
