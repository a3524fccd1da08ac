"""Files that a release has written are read by all later ones; newer ones are refused by name.

The files in `saved` are never written again: a later format gets files of its own.
"""

from pathlib import Path

import pytest

import dlx_numba as dlx
from dlx_numba import verify_certificate
from dlx_numba.runtime.archive import pack, unpack
from dlx_numba.search.level_counter import STATE
from tests.helpers import INSTANCES, ROOT
from tests.helpers.counting import tilings
from tests.helpers.hosts import SetAfter

SAVED = Path(__file__).parent / "saved"
QUEENS = INSTANCES / "queens8.dlx"


def test_files_of_0_1_are_read(capsys):
    queens = dlx.ExactCover.read(QUEENS)
    search = dlx.Search.load(SAVED / "search.npz", queens.search())
    assert search.run() == queens.solve()[40:]
    shifts = dlx.ExactCover.read(ROOT / "docs" / "examples" / "shifts.dlx")
    optimizer = dlx.CoverOptimizer.load(SAVED / "optimizer.npz", shifts.optimizer(2))
    assert optimizer.run()
    assert optimizer.result == shifts.cheapest(2)
    assert dlx.CoverDiagram.load(SAVED / "diagram.npz").count() == 92
    assert verify_certificate.main([str(QUEENS), str(SAVED / "queens8.cert")]) == 0
    assert capsys.readouterr().out == "92 covers\n"


@pytest.mark.parametrize("name", ["search", "optimizer", "diagram"])
def test_a_file_of_a_later_version_is_refused_by_its_name(name, tmp_path):
    header, arrays = unpack((SAVED / f"{name}.npz").read_bytes())
    assert header["writer"] == "0.1.0"
    path = tmp_path / name
    path.write_bytes(pack({**header, "version": 99, "writer": "9.8.7"}, arrays))
    load = {"search": dlx.Search, "optimizer": dlx.CoverOptimizer, "diagram": dlx.CoverDiagram}
    reason = rf"saved by dlx_numba 9\.8\.7 in format 99, but {dlx.__version__} reads format \d+$"
    with pytest.raises(dlx.CheckpointError, match=reason):
        load[name].load(path)


def test_a_folder_of_a_later_version_is_refused_by_its_name(tmp_path):
    cover = tilings(12, 12, 2)
    arguments = {"method": "memo", "folder": tmp_path}
    with pytest.raises(dlx.Stopped):
        cover.count(**arguments, stop=SetAfter(40))
    [path] = tmp_path.rglob(STATE)
    header, arrays = unpack(path.read_bytes())
    path.write_bytes(pack({**header, "version": 99, "writer": "9.8.7"}, arrays))
    with pytest.raises(dlx.CheckpointError, match=r"saved by dlx_numba 9\.8\.7 in format 99, but"):
        cover.count(**arguments)


def test_a_certificate_of_a_later_version_is_refused_by_its_name(tmp_path, capsys):
    text = (SAVED / "queens8.cert").read_text()
    path = tmp_path / "certificate"
    path.write_text(text.replace("certificate 1 0.1.0", "certificate 2 9.8.7"))
    assert verify_certificate.main([str(QUEENS), str(path)]) == 1
    reason = "of 'dlx_numba certificate 2 9.8.7', but this program verifies format 1"
    assert reason in capsys.readouterr().err
