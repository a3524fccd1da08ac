"""Puzzles with rules: JSON objects, those of f-puzzles, links, and files of them."""

import io
import json
import random
import re
from contextlib import suppress

import pytest

from dlx_numba import DlxError, SudokuRules
from dlx_numba.cli.board_run import board_from_argument
from dlx_numba.puzzles.variants.compressed import decompress, expand
from dlx_numba.puzzles.variants.fpuzzles import (
    CELLS,
    COSMETIC,
    COSMETIC_CELL_FIELDS,
    NOTICES,
    decompress_link,
    is_link,
)
from dlx_numba.puzzles.variants.puzzle import parse_puzzle
from dlx_numba.puzzles.variants.read import find_reader
from dlx_numba.sudoku.box import Box
from dlx_numba.sudoku.io.read import read_records
from tests.helpers.boards import read as read_boards
from tests.helpers.seeds import seeds
from tests.helpers.variants import NAMES, random_variant

PAIR = {"cells": ["R1C1", "R1C2"]}
CAGE = {"cells": [[0, 0]], "value": "1"}
LINE, A = {"lines": [["R1C1", "R1C2", "R2C3"]]}, [[0, 1, 6]]


def fpuzzle(n=4, **values):
    """A puzzle of f-puzzles without givens, with these constraints."""
    return {"size": n, "grid": [[{} for _ in range(n)] for _ in range(n)], **values}


def rules_of(found):
    return SudokuRules.from_json(found if isinstance(found, str) else json.dumps(found))


def read(text, **options):
    return list(read_records(io.BytesIO(text.encode()), find_reader=find_reader, **options))


@pytest.mark.parametrize(
    ("values", "expected"),
    [
        (
            {"antiknight": True, "antiking": False, "disjointgroups": True},
            {"anti_knight": True, "disjoint_groups": True},
        ),
        ({"antiking": True, "nonconsecutive": True}, {"anti_king": True, "non_consecutive": True}),
        ({"diagonal+": True, "diagonal-": True}, {"diagonals": True}),
        ({"diagonal+": True}, {"extra_regions": [[3, 6, 9, 12]]}),
        ({"diagonal-": True}, {"extra_regions": [[0, 5, 10, 15]]}),
        (
            {"thermometer": [{"lines": [["R1C1", "R1C2"], ["R4C4", "R3C4"]]}]},
            {"thermometers": [[0, 1], [15, 11]]},
        ),
        ({"difference": [PAIR, PAIR | {"value": "3"}]}, {"differences": [(0, 1, 1), (0, 1, 3)]}),
        (
            {"ratio": [PAIR], "xv": [PAIR | {"value": "V"}]},
            {"ratios": [(0, 1, 2)], "sums": [(0, 1, 5)]},
        ),
        ({"clone": [{"cells": ["R1C1"], "cloneCells": ["R2C3"]}]}, {"clones": [[0, 6]]}),
        ({"palindrome": [LINE]}, {"palindromes": [[0, 1, 6]]}),
        ({"slowthermometer": [LINE]}, {"slow_thermometers": [[0, 1, 6]]}),
        ({"betweenline": [LINE], "lockout": [LINE]}, {"between_lines": A, "lockouts": A}),
        ({"renban": [LINE], "parityline": [LINE]}, {"renban": A, "parity_lines": A}),
        (
            {"regionsumline": [LINE], "entropicline": [LINE], "zipperline": [LINE]},
            {"region_sum_lines": A, "entropic_lines": A, "zipper_lines": A},
        ),
        (
            {"whispers": [LINE, {"value": 2, "lines": [["R1C1", "R1C2", "R2C2", "R1C1"]]}]},
            {"whispers": [(None, [0, 1, 6]), (2, [0, 1, 5]), (2, [5, 0])]},
        ),
        (
            {name: [{"cell": "R2C2"}, {"cell": "R1C4"}] for name in CELLS},
            {name: [5, 3] for name in CELLS},
        ),
        (
            {"negative": ["xv", "ratio"], "xv": [PAIR | {"value": ""}]},
            {"negative": ["sums", "ratios"]},
        ),
        (
            {"sandwichsum": [{"cell": "R0C2", "value": "0"}, {"cell": "R1C0", "value": ""}]},
            {"sandwiches": [(0, [1, 5, 9, 13])]},
        ),
        (
            {name: [{"cell": "R2C5", "value": "3"}] for name in ("xsum", "skyscraper")},
            {name: [(3, [7, 6, 5, 4])] for name in ("x_sums", "skyscrapers")},
        ),
        (
            {"numberedroom": [{"cell": "R5C1", "value": "3"}]},
            {"numbered_rooms": [(3, [12, 8, 4, 0])]},
        ),
        (
            {"rowindexer": [PAIR], "columnindexer": [PAIR], "boxindexer": [PAIR]},
            {"indexers": [(kind, [0, 1]) for kind in ("row", "column", "box")]},
        ),
        ({"quadruple": [PAIR | {"values": [3, 1]}]}, {"quadruples": [([1, 3], [0, 1])]}),
        (
            {"arrow": [{"cells": ["R1C2", "R1C1"], "lines": [["R1C2", "R2C2", "R3C3"]]}]},
            {"arrows": [[[0, 1], 5, 10]]},
        ),
        ({"extraregion": [{"cells": ["R1C1", "R2C3"]}]}, {"extra_regions": [[0, 6]]}),
        ({"killercage": [PAIR | {"value": "5"}, PAIR]}, {"cages": [(5, [0, 1]), (None, [0, 1])]}),
        (
            {"arrow": [{"cells": ["R1C1"], "lines": [["R1C1", "R1C2"], ["R1C1", "R2C2", "R3C3"]]}]},
            {"arrows": [[0, 1], [0, 5, 10]]},
        ),
        (
            {"littlekillersum": [PAIR | {"value": "6", "direction": "DR"}, PAIR | {"value": ""}]},
            {"little_killers": [(6, [0, 1])]},
        ),
        (
            {"grid": [[{"parity": "Odd"}, {"parity": "Even"}, {}, {}], *[[{}] * 4] * 3]},
            {"odd": [0], "even": [1]},
        ),
        (dict.fromkeys(COSMETIC - NOTICES.keys(), "x"), {}),
    ],
)
def test_constraints_of_fpuzzles(values, expected):
    assert rules_of(fpuzzle(**values)) == SudokuRules(**expected)


def test_what_only_hides_or_draws_is_said():
    for name, notice in NOTICES.items():
        with pytest.warns(UserWarning, match=re.escape(notice)):
            assert rules_of(fpuzzle(**{name: [{}]})) == SudokuRules()


def sudokupad(**values):
    """A puzzle of SudokuPad without givens."""
    regions = [[[r + k // 2, c + k % 2] for k in range(4)] for r in (0, 2) for c in (0, 2)]
    return {"cells": [[{} for _ in range(4)] for _ in range(4)], "regions": regions, **values}


def test_objects_of_sudokupad():
    cages = [
        {"cells": [[0, 0], [0, 1]], "value": "5"},
        {"cells": [[1, 0], [1, 1]], "unique": True},
        {"cells": [[2, 0], [3, 1]], "value": 4, "unique": False},
        {"value": "title: cages"},
    ]
    found = sudokupad(cages=cages, metadata={"title": "cages", "antiknight": True})
    found["cells"][0][2] = {"value": "3"}
    puzzle = parse_puzzle(json.dumps(found))
    assert puzzle.board.tolist() == [0, 0, 3] + [0] * 13
    assert SudokuRules(**puzzle.constraints) == SudokuRules(
        anti_knight=True, cages=[(5, [0, 1]), (None, [4, 5])], little_killers=[(4, [8, 13])]
    )
    [records] = read(json.dumps(found))
    assert records.rules.cages
    assert parse_puzzle(json.dumps(sudokupad(regions=[]))).box == Box(1, 4)
    between = sudokupad(cages=[{"cells": [[0, 0.5]], "value": "5"}])
    with pytest.raises(ValueError, match=re.escape("a 4x4 board has no cell [[0, 0.5]]")):
        parse_puzzle(json.dumps(between))


def test_fields_of_sudokupad_are_read_or_named():
    remarks = {"source": "Sudoku Maker", "msgcorrect": "Yes", "bgimageopacity": 0.5, "grids": []}
    plain = sudokupad(id="abc", cellSize=50, settings={"nogrid": 1}, videos=[{}], solution="1" * 16)
    assert rules_of(plain | {"metadata": remarks, "diagonals": False}) == SudokuRules()
    found = sudokupad(metaData={"antiking": True}, **{"global": ["antiknight", "disjoint"]})
    expected = SudokuRules(anti_king=True, anti_knight=True, disjoint_groups=True)
    assert rules_of(found) == expected
    with pytest.warns(UserWarning, match="the rules in words are not read: Killer"):
        rules_of(sudokupad(rules="Killer"))


@pytest.mark.parametrize(
    ("fields", "named"),
    [
        ({"thermometers": [[15, 14]], "anti_king": True}, "anti_king, thermometers"),
        ({"thermos": [{"line": [[0, 0], [0, 1]]}]}, "thermos"),
        ({"diagonal+": True, "windoku": "yes"}, r"diagonal\+, windoku"),
        ({"metadata": {"diagonals": True, "norowcol": True}}, "diagonals, norowcol"),
        ({"global": ["antiknight", "antiratio"]}, "global antiratio"),
    ],
)
def test_other_fields_of_sudokupad_may_be_constraints(fields, named):
    with pytest.raises(ValueError, match=f"constraints that are not supported: {named}$"):
        rules_of(sudokupad(**fields))


def test_lines_of_sudokupad_mean_what_its_rules_name():
    lines = [{"wayPoints": [[0.5, 0.5], [0.5, 2.5], [1.5, 3.5]], "color": "#0f0"}]
    with pytest.warns(UserWarning, match="the lines are read as whispers"):
        found = rules_of(sudokupad(lines=lines, metadata={"rules": "Dutch whispers: at least 4"}))
    assert found == SudokuRules(whispers=[(4, [0, 1, 2, 7])])
    with pytest.raises(ValueError, match="a 4x4 board has no cell"):
        rules_of(
            sudokupad(
                lines=[{"wayPoints": [[-0.5, 0.5], [1.5, 0.5]]}], metadata={"rules": "Renban"}
            )
        )
    for words in ("", "Renban and whispers"):
        with pytest.raises(ValueError, match="lines without a meaning"):
            rules_of(sudokupad(lines=lines, metadata={"rules": words}))
    with pytest.raises(ValueError, match="arrows, overlays without a meaning"):
        rules_of(sudokupad(arrows=[{}], overlays=[{"text": "V"}]))
    with pytest.warns(UserWarning, match="the rules in words are not read: Killer"):
        rules_of(sudokupad(metadata={"rules": "Killer"}))
    with pytest.warns(UserWarning, match="fog is ignored"):
        rules_of(sudokupad(foglight=[[0, 0]]))


@pytest.mark.parametrize("link", ["https://sudokupad.app/abc123", "https://tinyurl.com/xyz"])
def test_short_links_name_puzzles_on_a_server(link):
    with pytest.raises(ValueError, match="only its name on a server, which is not asked"):
        SudokuRules.from_json(link)


def test_grids_of_fpuzzles():
    found = fpuzzle()
    cells = [cell for row in found["grid"] for cell in row]
    cells[0] |= {"value": 3, "given": True}
    cells[1] |= {"value": 4, "centerPencilMarks": [1, 2]}  # entered by a solver
    assert parse_puzzle(json.dumps(found)).board.tolist() == [3] + [0] * 15
    for cell, region in zip(cells, "0011001122332233", strict=True):
        cell["region"] = int(region)
    assert rules_of(found) == SudokuRules()
    cells[1]["region"], cells[8]["region"] = 2, 0
    assert rules_of(found) == SudokuRules(regions="0211 0011 0233 2233")
    assert parse_puzzle(json.dumps(fpuzzle(5))).box == Box(1, 5)
    tall = fpuzzle(6)
    for k in range(36):
        tall["grid"][k // 6][k % 6] = {"region": k // 18 * 3 + k % 6 // 2}
    assert (parse_puzzle(json.dumps(tall)).box, rules_of(tall)) == (Box(3, 2), SudokuRules())
    for name in COSMETIC_CELL_FIELDS:
        cells[2][name] = "x"
    assert rules_of(found).regions is not None


@pytest.mark.parametrize(
    ("found", "reason"),
    [
        (fpuzzle(nabner=[{}], modularline=[{}]), "not supported: nabner, modularline"),
        (fpuzzle(negative=["quadruple"]), "not supported: negative quadruple"),
        ({"grid": [["A", "B"], ["A", "B"]]}, "the cells of the grid must be objects"),
        ({"cells": [[0, 0], [0, 1]], "sum": 3}, "the cells must be objects; cages are written as"),
        (fpuzzle(xsum=[{"cell": "R0C0", "value": "1"}]), "'R0C0' is not beside a row or a column"),
        ({"grid": [[{"parity": "Prime"}] * 4] * 4}, "invalid constraint: 'Prime'"),
        ({"size": 1, "grid": [[{"givenPencilMarks": [1]}]]}, "not supported: givenPencilMarks"),
        ({"size": 4, "grid": [[{}] * 4] * 3}, "the grid must have `size` rows of `size` cells"),
        ({"size": 3, "grid": [[{}] * 4] * 4}, "the grid must have `size` rows"),
        ({"grid": [[{"value": 5, "given": True}] * 4] * 4}, "the value 5 is not in the range"),
        ('{"cells": [[{"value": 1e999}]]}', "expected an integer, not 'inf'"),
        ({"grid": [[{"region": None}] * 4] * 4}, "regions must assign the cells"),
        (fpuzzle(thermometer=[{"lines": [["R5C1"]]}]), "a 4x4 board has no cell 'R5C1'"),
        (fpuzzle(thermometer=[{}]), "invalid constraint: 'lines'"),
        (fpuzzle(thermometer=True), "invalid constraint: 'bool' object is not iterable"),
        (fpuzzle(killercage=[{"cells": ["R1C1"], "value": "a"}]), "an integer, not 'a'"),
        (fpuzzle(killercage=[PAIR | {"value": 0}]), "cages: the numbers must be 1 or more, not 0"),
        (fpuzzle(littlekillersum=[PAIR | {"value": 0}]), "little_killers: the numbers must be 1"),
        (fpuzzle(killercage=[PAIR | {"negated": True}]), "not supported: negated of killercage"),
        ({"grid": [[{"value": 1.5, "given": True}] * 4] * 4}, "an integer, not '1.5'"),
        ({"grid": [[{"region": -(k == 0)} for k in range(4)]] * 4}, "regions must assign"),
        ({"cells": [[{"value": 1.5}]]}, "an integer, not '1.5'"),
        ({"cells": [[{"candidates": [1]}]]}, "not supported: candidates"),
        ({"cells": [[{}]], "cages": [CAGE | {"negated": True}]}, "negated of a cage"),
        ({"cells": [[{}]], "cages": [CAGE | {"sum": 2}]}, "the value '1' and the sum 2"),
        (fpuzzle(xv=[PAIR | {"value": "L"}]), "xv: expected X or V, not 'L'"),
        ({"diagonals": True, "arrow": 1}, "not supported: arrow; did you mean 'arrows'"),
        ({"diagonals": 5}, "diagonals must be True or False"),
        ({"clones": [["a"]]}, "a cell in clones must be an integer"),
        ([], "expected a JSON object, not list"),
        (f'{{"puzzle": {"[" * 600}{"]" * 600}}}', "recursion depth"),
        ({"puzzle": "." * 16, "cages": [{"sum": 3, "cells": ["r1c1"]}]}, "cages must be a list"),
        ('{"cages": [[3, [0, 1]]], "cages": []}', "the key 'cages' appears twice"),
        (f'{{"cages": [[{"9" * 5000}, [0]]]}}', "4300"),
    ],
)
def test_unsupported_objects(found, reason):
    with pytest.raises((ValueError, TypeError), match=reason):
        rules_of(found)


def test_links():
    lzstring = pytest.importorskip("lzstring", reason="pip install 'dlx-numba[lzstring]'")
    found = fpuzzle(antiknight=True)
    compressed = lzstring.LZString().compressToBase64(json.dumps(found))
    for link in (
        compressed,
        f"https://f-puzzles.com/?load={compressed.replace('+', '%2B')}",
        f"https://sudokupad.app/?puzzleid=fpuzzles{compressed}",
        f"https://sudokupad.app/fpuzzles{compressed}\n",
    ):
        assert SudokuRules.from_json(link) == SudokuRules(anti_knight=True)
    assert board_from_argument(f"f-puzzles.com/?load={compressed}") is not None
    with pytest.raises(DlxError, match=r"damaged|not a JSON object"):
        SudokuRules.from_json(compressed[:40])
    with pytest.raises(TypeError, match="rules must be a text, not"):
        SudokuRules.from_json({"anti_knight": True})
    [records] = read(f"{compressed}\n" * 3)
    assert len(records) == 3
    assert records.rules == SudokuRules(anti_knight=True)


def test_quotes_in_short_strings():
    text = r"""{a:"a\"b",b:'a\"b',c:'it\'s',d:'"'}"""
    assert [*json.loads(expand(text)).values()] == ['a"b', 'a"b', "it's", '"']


def shortened(text):
    """Return a JSON object as SudokuPad shortens it, text by text."""
    words = ["cells:ce", "value:v", "cages:ca", "regions:re", "title:t"]
    words += ["metadata", "unique", "antiknight"]
    keys = {word.split(":")[0]: word.split(":")[-1] for word in words}
    for name, short in keys.items():
        text = text.replace(f'"{name}":', f"{short}:")
    text = text.replace(":true", ":t").replace(":false", ":f").replace('"#FFFFFF"', "#F")
    return text.replace("{}", "").replace("'", "\\'").replace('"', "'")


def test_links_in_the_short_form_of_sudokupad():
    lzstring = pytest.importorskip("lzstring", reason="pip install 'dlx-numba[lzstring]'")
    cages = [
        {"cells": [[0, 0], [0, 1]], "value": 5},
        {"cells": [[1, 0], [1, 1]], "unique": True},
        {"cells": [[2, 0], [3, 1]], "value": 4, "unique": False},
    ]
    found = sudokupad(cages=cages, metadata={"title": "It's, [a] {title}", "antiknight": True})
    found["cells"][0][2] = {"value": 3}
    short = shortened(json.dumps(found, separators=(",", ":")))
    assert short.startswith("{ce:[[,,{v:3},],[,,,]")
    compressed = lzstring.LZString().compressToBase64(short)
    expected = parse_puzzle(json.dumps(found))
    for link in (f"https://sudokupad.app/scl{compressed}", f"scl{compressed}"):
        puzzle = parse_puzzle(link)
        assert puzzle.constraints == expected.constraints
        assert puzzle.board.tolist() == expected.board.tolist()
        [records] = read(link + "\n")
        assert records.rules.cages


@pytest.mark.parametrize("alphabet", ['{"a": 01}', "aé€字", "a"])
def test_compressed_texts(alphabet):
    """The package `lzstring` is the oracle; damaged texts have its result, or none."""
    lzstring = pytest.importorskip("lzstring").LZString()
    for seed in seeds(100):
        rng = random.Random(seed)
        text = "".join(rng.choices(alphabet, k=rng.choice([0, 1, 9, 3000])))
        compressed = lzstring.compressToBase64(text)
        assert decompress(compressed, len(text)) == text
        place = rng.randrange(len(compressed))
        damaged = f"{compressed[:place]}{rng.choice('Aa/=')}{compressed[place + 1 :]}"
        with suppress(ValueError, LookupError, NameError, TypeError):
            assert lzstring.decompressFromBase64(damaged) in (None, decompress(damaged, 10**6))


@pytest.mark.slow
def test_the_content_of_a_link_is_limited():
    """Numbers that repeat the last text with one more character grow without limit."""
    lzstring = pytest.importorskip("lzstring").LZString()
    bomb = lzstring.compressToBase64('{"title": "' + "0" * 2 * 10**6)
    assert len(bomb) < 10_000
    with pytest.raises(ValueError, match="the compressed puzzle has more than 1,048,576 char"):
        decompress_link(bomb)


@pytest.mark.parametrize("text", ["N4Ig" + " " * 10**6 + "!", "https://" + "/N4Ig" * 10**6 + "!"])
def test_time_of_detecting_links_is_linear(text):
    assert not is_link(text)


def test_files():
    """Chunks have puzzles of the same rules and size; other text is marked."""
    for seed in seeds(30):
        rng = random.Random(seed)
        lines, expected = [], []
        while len(lines) < 12:
            board, rules = random_variant(Box(2, 2), rng.sample(NAMES, 2), rng, 3)
            puzzle = "".join(map(str, board))
            for _ in range(rng.randint(1, 3)):
                lines.append(json.dumps({**rules, "puzzle": puzzle}))
                expected.append((SudokuRules(**rules), board, len(lines)))
            lines.append(rng.choice(["", "no object", '{"diagonals": true, "puzzle": "1"}']))
        found = [
            (records.rules, board.tolist(), line)
            for records in read("\n".join(lines), chunk_boards=2)
            for board, line in zip(records.boards, records.lines.tolist(), strict=True)
        ]
        assert found == expected


def test_bad_records():
    objects = ['{"windows": true, "puzzle": "%s"}', '{"diagonals": true}', '{"diagonals": 1']
    assert read_boards("\n".join(objects) % ("." * 36), find_reader=find_reader).bad == [
        (0, 1, "windows need square boxes, such as 3x3, not 2x3"),
        (0, 2, "no board in the JSON object"),
        (0, 3, "the JSON object is not closed"),
    ]


def test_constraints_with_unknown_names():
    """Puzzles are not solved without them, but with other fields."""
    constraints = (
        *("sandwich", "anti-knight", "antiknight", "antiKnight", "diagnols", "diagonal+", "cage"),
        *("killercage", "thermometer", "lessthan", "Ratio", "rules", "constraints", "variant"),
    )
    others = ("name", "date", "url", "duration", "checksum", "iterations", "index", "event")
    for name in constraints + others:
        plain, found = ({"puzzle": "1" + "." * 15, name: value} for value in (False, [[0, [1]]]))
        result = read_boards(f"{json.dumps(plain)}\n{json.dumps(found)}", find_reader=find_reader)
        reason = f"constraints that are not supported: {name}"
        assert result.bad == [(1, 2, reason)] * (name in constraints)
        assert len(result.boards) == 2 - (name in constraints)


def test_rules_after_plain_puzzles():
    """A reader that does not know rules marks the puzzle instead of ignoring them."""
    plain = json.dumps({"puzzle": "1" + "." * 15})
    with_rules = json.dumps({"puzzle": "1" + "." * 15, "diagonals": True})
    for text in (f"{plain}\n{with_rules}\n", f"[{plain},\n{with_rules}]"):
        found = read_boards(text)
        assert len(found.boards) == 1
        assert found.bad == [(1, 2, "the puzzle has rules, and is not solved without them")]
        assert [each.rules for each in read(text)] == [SudokuRules(), SudokuRules(diagonals=True)]
