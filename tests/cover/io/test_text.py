"""Names and covers as text."""

import json

import dlx_numba as dlx


def test_names_that_are_not_strings_are_written_as_text() -> None:
    cover = dlx.ExactCover([[("row", 1), ("s", 2)], [3]], items=[("row", 1), 3], secondary=["s"])
    assert cover.to_knuth() == "row,1 3 | s\nrow,1 s:2\n3\n"
    assert json.loads(cover.to_json())["options"] == [["row,1", ["s", 2]], [3]]
    assert cover.option(0) == [("row", 1), ("s", 2)]
    assert cover.format([0, 1]) == "0 1"
    assert cover.format([0, 1], "names") == "row,1 s:2; 3"
    assert (
        cover.format([0, 1], "json") == '{"options": [0, 1], "items": [["row,1", ["s", 2]], [3]]}'
    )


def test_cost_is_written_after_an_empty_cover() -> None:
    assert dlx.ExactCover([], costs=[]).format([], "names") == " |0"
