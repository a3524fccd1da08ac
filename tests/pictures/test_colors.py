"""The colors of pieces: as different as possible for all readers, and the same in all pictures."""

import re
from itertools import combinations

import numpy as np
import pytest

import dlx_numba as dlx
from dlx_numba.cli.terminal import ANSI
from dlx_numba.pictures.filling import Pieces
from dlx_numba.pictures.lines import Lines
from dlx_numba.pictures.palette import COLOR_OF_LETTER, COLORS, INK_ON_COLORS

# Linear RGB to XYZ, and the matrices of Machado, Oliveira and Fernandes (2009) for color blindness
XYZ = np.array(
    [[0.41246, 0.35758, 0.18044], [0.21267, 0.71515, 0.07218], [0.01933, 0.11919, 0.95030]]
)
VISION = {
    "normal": np.eye(3),
    "protanopia": np.array(
        [[0.15229, 1.05258, -0.20487], [0.11450, 0.78628, 0.09922], [-0.00388, -0.04812, 1.05200]]
    ),
    "deuteranopia": np.array(
        [[0.36732, 0.86065, -0.22797], [0.28009, 0.67250, 0.04741], [-0.01182, 0.04294, 0.96888]]
    ),
}
MIN_DISTANCE = 11.5  # CIEDE2000; Paul Tol's "light" scheme of nine colors has 7.9


def linear(color):
    values = np.array([int(color[k : k + 2], 16) / 255 for k in (1, 3, 5)])
    return np.where(values <= 0.04045, values / 12.92, ((values + 0.055) / 1.055) ** 2.4)


def lab(rgb):
    x, y, z = np.cbrt(XYZ @ np.clip(rgb, 0, 1) / (XYZ @ np.ones(3)))  # no color is almost black
    return 116 * y - 16, 500 * (x - y), 200 * (y - z)


def distance(one, other):
    """Return the difference CIEDE2000 of two colors."""
    (l1, a1, b1), (l2, a2, b2) = one, other
    strong = ((np.hypot(a1, b1) + np.hypot(a2, b2)) / 2) ** 7
    scale = 1.5 - 0.5 * np.sqrt(strong / (strong + 25**7))
    c1, c2 = np.hypot(scale * a1, b1), np.hypot(scale * a2, b2)
    h1, h2 = (np.degrees(np.arctan2(b, scale * a)) % 360 for a, b in ((a1, b1), (a2, b2)))
    turn = (h2 - h1 + 180) % 360 - 180
    hue = (h1 + turn / 2) % 360
    lightness, chroma = (l1 + l2) / 2, (c1 + c2) / 2
    cosines = [
        np.cos(np.radians(k * hue + shift)) for k, shift in ((1, -30), (2, 0), (3, 6), (4, -63))
    ]
    t = 1 + np.dot([-0.17, 0.24, 0.32, -0.20], cosines)
    light = (l2 - l1) / (1 + 0.015 * (lightness - 50) ** 2 / np.sqrt(20 + (lightness - 50) ** 2))
    strength = (c2 - c1) / (1 + 0.045 * chroma)
    shade = 2 * np.sqrt(c1 * c2) * np.sin(np.radians(turn / 2)) / (1 + 0.015 * chroma * t)
    rotation = np.sin(np.radians(60 * np.exp(-(((hue - 275) / 25) ** 2))))
    rotation *= -2 * np.sqrt(chroma**7 / (chroma**7 + 25**7))
    return np.sqrt(light**2 + strength**2 + shade**2 + rotation * strength * shade)


def test_distances_are_those_of_the_standard():
    """Pairs of Sharma, Wu and Dalal (2005)."""
    assert distance((50, 2.6772, -79.7751), (50, 0, -82.7485)) == pytest.approx(2.0425, abs=1e-4)
    assert distance((50, 2.5, 0), (73, 25, -18)) == pytest.approx(27.1492, abs=1e-4)
    assert distance((2.0776, 0.0795, -1.1350), (0.9033, -0.0636, -0.5514)) == pytest.approx(
        0.9082, abs=1e-4
    )


@pytest.mark.parametrize("vision", VISION)
def test_all_readers_can_tell_the_colors_apart(vision):
    seen = [lab(VISION[vision] @ linear(color)) for color in COLORS]
    assert len(COLORS) >= 12
    assert min(distance(*pair) for pair in combinations(seen, 2)) > MIN_DISTANCE


def test_dark_text_is_legible_on_all_colors():
    ink, *areas = (XYZ[1] @ linear(color) for color in (INK_ON_COLORS, *COLORS))
    assert min((area + 0.05) / (ink + 0.05) for area in areas) >= 4.5


def test_plain_terminals_have_a_color_for_each_one():
    assert len({*ANSI}) == len(COLORS)


def fills(svg):
    """Return the colors of the areas and the letters of the pieces of a picture."""
    letters = re.findall(r"<text[^>]*>(\w+)</text>", svg)
    return dict(zip(letters, re.findall(r'fill="(#\w{6})"', svg), strict=True))


def test_a_piece_has_its_color_in_puzzle_and_solution():
    puzzle = dlx.example("polyominoes", region="5x12")
    for solution in puzzle.cover().solve(limit=20):
        colors = fills(puzzle.svg(solution))
        assert len({*colors.values()}) == 12
        assert colors.items() >= fills(puzzle.svg(solution[::3])).items()
        assert [*colors.values()] == [COLORS[puzzle.picture.color_of[name]] for name in colors]


def test_a_placed_piece_has_its_color():
    pieces = "AAA\n\nBB\n\nC\n"
    [whole], [part] = (
        dlx.read(f"{board}\n\n{pieces}", kind="pieces") for board in ("2x3", "BB#\n###")
    )
    answer = fills(whole.svg(next(s for s in whole.solutions() if whole.text(s)[:3] == "B B")))
    assert fills(part.svg(part.first())) == answer
    assert fills(part.svg()).items() <= answer.items()


def test_a_letter_has_its_color_in_all_puzzles():
    texts = "2x3\n\nAAA\n\nZZZ\n", "3x3\n\nPPP\n\nN\nN\nN\n\nAAA\n"
    puzzles = [dlx.read(text, kind="pieces")[0] for text in texts]
    for puzzle in (*puzzles, dlx.example("polyominoes")):
        for letter, color in puzzle.picture.color_of.items():
            assert color == COLOR_OF_LETTER[letter]


@pytest.mark.parametrize("names", ["ABCDEFGHIJKLMN", "FILNPTUVWXYZ", "IOTLJSZ"])
def test_letters_that_name_pieces_of_one_set_have_different_colors(names):
    assert len({COLOR_OF_LETTER[name] for name in names}) == len(names)


def test_letters_with_the_same_color_get_another_one():
    [puzzle] = dlx.read("2x4\n\nAAA\n\nBB\n\nW\n\nYY\n", kind="pieces")
    colors = puzzle.picture.color_of
    assert (colors["A"], colors["B"]) == (0, 1)
    assert len({*colors.values()}) == 4
    names = [f"p{k}" for k in range(20)]
    marks = [(((0, k), name), ((1, k), name)) for k, name in enumerate(names)]
    many = Pieces("Many", marks).color_of
    assert [*many.values()] == [k % len(COLORS) for k in range(20)]


def test_colors_in_terminals_are_those_of_the_letters_in_any_order():
    marks = [[((r, c), "A") for c in (0, 1)] for r in (0, 1)]
    picture = Pieces("Copies", marks, copies=[("A", ("B",))])
    colors = picture.color_of
    for chosen in ([0, 1], [1, 0]):
        painted = picture.text(chosen, lambda text, color: f"{text}{color}" if text != " " else " ")
        assert painted == f"A{colors['A']} A{colors['A']}\nB{colors['B']} B{colors['B']}"


def test_words_in_ovals_have_the_same_colors_in_any_order():
    marks = [[((r, c), letter) for c, letter in enumerate("AB")] for r in (0, 1)]
    lines = [(((r, 0), (r, 1)),) for r in (0, 1)]
    picture = Lines("Words", marks, lines=lines, line_style="ovals")
    texts = {
        picture.text(chosen, lambda text, color: f"{text}{color}") for chosen in ([0, 1], [1, 0])
    }
    assert texts == {"A0 0B0\nA1 1B1"}


def test_words_in_ovals_have_the_same_colors_in_texts_and_pictures():
    puzzle = dlx.example("words")
    solution = puzzle.first()
    ovals = re.findall(r'stroke="(#\w{6})"', puzzle.svg(solution))
    drawn = set()
    puzzle.picture.text(solution, lambda text, color: drawn.add(color) or text)
    assert ovals == [COLORS[number] for number in sorted(drawn)]


def test_equal_pieces_without_names_differ_from_their_neighbors():
    puzzle = dlx.example("tilings", region="4x4")
    svg = puzzle.svg(puzzle.first())
    assert len({*re.findall(r'fill="(#\w{6})"', svg)}) > 2
