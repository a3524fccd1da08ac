"""Archives of arrays and a header: damaged ones, and those that might exhaust the memory."""

import io

import numpy as np
import pytest

from dlx_numba.runtime.archive import HEADER, check_integers, pack, unpack

ARRAYS = {"a": np.arange(10), "b": np.zeros((2, 3))}


def saved(save=np.savez, **arrays):
    stream = io.BytesIO()
    save(stream, **{HEADER: np.frombuffer(b"{}", np.uint8), **arrays})
    return stream.getvalue()


def test_damaged_content_is_rejected():
    content = bytes(pack({}, ARRAYS))
    objects = np.array([{}], object)
    for damaged in (
        b"",
        content[:-1],
        content[:100],
        content[:300] + bytes([content[300] ^ 1]) + content[301:],
        b"a text",
        content.replace(b"{}", b"{]"),
        content.replace(b"descr", b"descs"),
        saved(a=objects),
        saved(np.savez_compressed, a=np.zeros(100_000)),
        saved(**{HEADER: np.frombuffer(b"[1]", np.uint8)}),
        saved(**{HEADER: np.frombuffer(b"[" * 100_000, np.uint8)}),
    ):
        with pytest.raises(ValueError, match="the file is damaged"):
            unpack(damaged)


@pytest.mark.parametrize(
    "values",
    [[1.0], [True], ["1"], [None], [-1], [6], [2**70], 3, None, {}, "12"]
    + [np.array(values) for values in ([1.0], [True], [-1], [6], [[1]], ["1"])],
)
def test_invalid_integers_are_rejected(values):
    with pytest.raises(ValueError, match="expected integers from 0 to 5"):
        check_integers(values, 0, 5)


def test_valid_integers_are_returned_as_an_array():
    for values in ([], [0, 5], np.array([0, 5], np.uint8), np.array([0, 5], ">i4")):
        checked = check_integers(values, 0, 5)
        assert checked.dtype == np.int64
        assert checked.tolist() == list(values)
