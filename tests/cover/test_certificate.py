import random
import subprocess
import sys
from time import process_time

import pytest

import dlx_numba as dlx
from dlx_numba import verify_certificate as verifier
from dlx_numba.cover import certificate as certificates
from dlx_numba.jit import compile as jit_compile
from scripts.fuzzing.certificates import unconditional, verify, verify_certificates
from tests.helpers import INSTANCES, ROOT, oracles
from tests.helpers.counting import pigeons
from tests.helpers.diagnoses import tiling
from tests.helpers.processes import invoke
from tests.helpers.seeds import seeds


def boards(rows, columns, missing=(), length=2):
    """Straight pieces on a board."""
    return tiling(rows, columns, "#" * length, missing)


def certificate(cover, path, claim="count"):
    cover.certify(path, claim)
    return path.read_text()


def written(proof, claim="covers 0"):
    return f"{verifier.HEADER}\ngiven\nforbidden\n{proof}\n{claim}\n"


@pytest.fixture
def run_verifier(tmp_path, capsys):
    """Verify a certificate of a problem, both as text, and return the output and the errors."""

    def run(problem, text, name="problem.dlx"):
        paths = [tmp_path / name, tmp_path / "certificate"]
        for path, content in zip(paths, (problem, text), strict=True):
            path.write_bytes(content if isinstance(content, bytes) else content.encode())
        status = verifier.main(list(map(str, paths)))
        out, err = capsys.readouterr()
        assert (status, err.startswith("not verified: ")) == ((0, False) if out else (1, True))
        return out, err

    return run


def test_random_certificates_are_verified_and_changed_ones_are_rejected_or_true(tmp_path):
    for seed in seeds(1000):
        verify_certificates(random.Random(seed), tmp_path, 10)


@pytest.mark.parametrize(
    ("cover", "claim", "kind", "expected"),
    [
        (boards(8, 8), "count", "graph", "12988816 covers"),
        (boards(3, 3), "count", "graph", "no cover"),
        (boards(18, 18, length=4), "count", "coloring", "no cover"),
        (dlx.ExactCover([["a"], ["a"]]), "count", "graph", "2 covers"),
        (dlx.ExactCover([["a"]], ["a", "b"]), "count", "tree", "no cover"),
        (dlx.ExactCover([], items=["a"]), "count", "tree", "no cover"),
        (dlx.ExactCover([["a"]] * 4, multiplicity={"a": (1, 2)}), "count", "tree", "10 covers"),
        # Without weights, the tree would be too large.
        (pigeons(19).replace(costs=[5] * 380), "count", "tree", "no cover"),
        (
            dlx.ExactCover([["a"], ["a"], ["b"]], costs=[3, 2, 2]),
            "cost",
            "prices",
            "no cover costs less than 4",
        ),
        (
            dlx.ExactCover([["a"], ["b"], ["a", "b"]], given=[0], forbidden=[2]),
            "count",
            "graph",
            "1 cover; only covers that contain 0; only covers that do not contain 2",
        ),
    ],
)
def test_the_program_prints_what_a_certificate_proves(
    tmp_path, run_verifier, cover, claim, kind, expected
):
    text = certificate(cover, tmp_path / "certificate", claim)
    assert text.splitlines()[3].split()[0] == kind
    assert run_verifier(unconditional(cover).write(kind="knuth"), text) == (expected + "\n", "")
    assert run_verifier(unconditional(cover).write(kind="json"), text, "problem.json") == (
        expected + "\n",
        "",
    )


@pytest.mark.filterwarnings("error:.* cannot run as stored machine code")
def test_the_bound_of_a_large_problem_is_proven_by_prices(tmp_path, monkeypatch):
    monkeypatch.setattr(jit_compile, "_has_warned", False)
    rng = random.Random(1)
    options = [rng.sample(range(20), rng.randint(1, 6)) for _ in range(100)]
    options += [[item] for item in range(20)]
    costs = [rng.randint(10, 60) * len(option) for option in options]
    cover = dlx.ExactCover(options, costs=costs, presolve=True)
    text = certificate(cover, tmp_path / "certificate", "cost")
    lowest = cover.cheapest()[0].cost
    assert "\n$ " in text
    assert verify(cover, text) == f"no cover costs less than {lowest}"
    with pytest.raises(verifier.CertificateError):
        verify(cover, text.replace(f"prices {lowest}", f"prices {lowest + 1}"))


@pytest.mark.parametrize(
    ("options", "bounds", "claim", "expected"),
    [
        ([["a", "s"]], {"a": 2}, "count", "no cover"),
        ([["a", "s"], ["b", "s"], ["a", "b"]], {}, "cost", "no cover costs less than 3"),
    ],
)
def test_colors_of_an_option_that_is_in_no_cover(
    tmp_path, monkeypatch, options, bounds, claim, expected
):
    monkeypatch.setattr(certificates, "MAX_SUBTREE", 0)
    options = [*options, [("s", "red")]]
    costs = [1, 1, 3, 0][: len(options)]
    cover = dlx.ExactCover(options, secondary=["s"], exactly=bounds, costs=costs)
    assert verify(cover, certificate(cover, tmp_path / "certificate", claim)) == expected


def test_a_coloring_proves_that_there_is_no_cover():
    corners = boards(4, 4, [(0, 0), (3, 3)])
    words = " ".join(f"{k}:{(-1) ** (r + c)}" for k, (r, c) in enumerate(corners.items))
    for modulus in (0, 3):
        assert verify(corners, written(f"coloring\n{modulus} {words}")) == "no cover"
    loose = dlx.ExactCover([["a", "b"]], multiplicity={"a": (0, 1)})
    secondary = dlx.ExactCover([["a", "s"]], secondary=["s"])
    lines = [f"2 {words}", f"0 {words[:-6]}", f"0 {words} 0:-1", "0", "", f"-3 {words}"]
    wrong = [(corners, line) for line in [*lines, f"0 {words} 99:0"]]
    wrong += [(boards(4, 4), f"3 {words.replace('13:', '15:')}")]
    for cover, line in [*wrong, (loose, "2 0:1"), (secondary, "2 1:1")]:
        with pytest.raises(verifier.CertificateError):
            verify(cover, written(f"coloring\n{line}"))


BODIES = [  # after the header, for a problem with the options a and a
    "given\nforbidden\ntree\n" + "9" * 5000 + "\ncovers 2\n",
    "given " + "9" * 4000 + "\nforbidden\ntree\n0\ncovers 2\n",
    "given -1\nforbidden\ntree\n0\ncovers 2\n",
    "given 0 0\nforbidden\ntree\n0\ncovers 2\n",
    "given 0\nforbidden 0\ntree\ncovers 1\n",
    "given\nforbidden\ntree\n" + "1\n" * 9,
]
PROOFS = [
    ("tree\n" + "9" * 30, "covers 2"),
    ("tree 0\n0", "covers 0"),
    ("graph 0\n0 * *", "covers 2"),
    ("prices\n0", "covers 0"),
    ("prices 2\n$ 0 0:9", "covers 0"),
    ("prices 2\n$ -1 0:9", "covers 0"),
    ("prices 2\n$ 1 0:9 00:9", "covers 0"),
    ("prices 2\n$ 1 2:-9", "covers 0"),
    ("tree\n$ 1 0:9", "covers 0"),
    ("graph\n0 1 1\n2", "covers 2"),
    ("graph\n0 0 0", "covers 2"),
    ("graph\n0 * -0", "covers 1"),
    ("graph\n0 * *", "covers 2\ncovers 2"),
    ("graph\n0 * *", "covers 02"),
]
HOSTILE = [b"", b"\xff\xfe", b"\n" * 1000, b"given\n" * 9, b"9" * 100_000]
HOSTILE += [f"{verifier.HEADER}\n{body}".encode() for body in BODIES]
HOSTILE += [written(*proof).encode() for proof in PROOFS]
HOSTILE += [written("tree\n\u0660").encode(), written("graph\n0 * *", "covers 2").encode()[:-1]]

INVALID = [b"", b"\xff", b"a a\n", b"a\nb\n", b"a\na a\n", b"a\na:x\n", b"2:1|a\n", b"a | b | c\n"]
INVALID += [b"a | b\na b:\n", b"0|a\n", b"a\na |x\n", b"9" * 5000 + b"|a\n", b"x:y\n"]
INVALID_JSON = [
    "[]",
    '{"items": ["a"], "options": [["a"]], "given": [0]}',
    '{"items": ["a", "a"], "options": [["a"]]}',
    '{"items": [1, "1"], "options": [[1], ["1"]], "multiplicity": {"1": [2, 2]}}',
    '{"items": ["a"], "options": [["a"]], "costs": [1, 2]}',
    '{"items": ["a"], "options": [["a"]], "multiplicity": {"b": [1, 2]}}',
    '{"items": ["a"], "options": [["a"]], "multiplicity": {"a": [2, 1]}}',
    '{"items": ["a"], "options": [[["a", "red"]]]}',
    '{"items": ["a"], "secondary": ["s"], "options": [["a", ["s", "red", "blue"]]]} ',
]
REJECTED = [("a\na |1\na |1\n", "problem.dlx", content) for content in HOSTILE]
REJECTED += [(text, "problem.dlx", written("tree\n0")) for text in INVALID]
REJECTED += [(text, "problem.json", written("tree\n0", "covers 1")) for text in INVALID_JSON]
# Without primary items, the first option, which would be "1 |0", is no list of items.
NO_ITEMS = '{"items": [], "secondary": ["a", "b"], "options": [["b"], ["b"], ["b"]]}'
REJECTED += [(NO_ITEMS, "problem.json", written("graph\n0 * *", "covers 2"))]
VALUES = '{"items": ["a"], "options": [["a"], ["a"]], "maximize": [3, 4]}'
REJECTED += [(VALUES, "problem.json", written("prices 1\n0", "covers 2"))]
# Other readers skip the comment, which would make an item that no option has.
REJECTED += [(f"{mark} a\na\na\n", "problem.dlx", written("tree\n0")) for mark in ("#", "%", "//")]


@pytest.mark.parametrize(("problem", "name", "content"), REJECTED, ids=range(len(REJECTED)))
def test_invalid_problems_and_other_contents_are_never_verified(
    run_verifier, problem, name, content
):
    assert run_verifier(problem, content, name)[0] == ""


def test_the_program_reads_json(tmp_path, run_verifier):
    rows = [["a b", ("s", "red, dark")], [1, ("s", 1)], [1, ("s", "red, dark")], ["a b"]]
    options, bounds = dict(zip("wxyz", rows, strict=True)), {"a b": (1, 2)}
    cover = dlx.ExactCover(options, secondary=["s"], multiplicity=bounds, costs=[3, 4, 1, 2])
    text = certificate(cover, tmp_path / "proof")
    assert run_verifier(cover.write(kind="json"), text, "problem.json") == ("4 covers\n", "")


def test_the_program_needs_only_the_standard_library(tmp_path, capsys):
    cover = boards(2, 3)
    paths = [tmp_path / "problem.dlx", tmp_path / "certificate"]
    unconditional(cover).write(paths[0])
    cover.certify(paths[1])
    for program in ([verifier.__file__], ["-m", verifier.__name__]):
        command = [sys.executable, "-S", *program, *paths]
        run = subprocess.run(command, capture_output=True, text=True, cwd=ROOT, check=False)
        assert (run.stdout, run.stderr, run.returncode) == ("3 covers\n", "", 0)
    assert verifier.main([]) == 1
    assert "usage: verify_certificate.py PROBLEM CERTIFICATE" in capsys.readouterr().err


@pytest.mark.parametrize("claim", ["count", "cost"])
def test_a_call_that_is_stopped_leaves_the_file_unchanged(tmp_path, claim):
    path = tmp_path / "certificate"
    path.write_text("before")
    with pytest.raises(dlx.Stopped):
        dlx.example("queens", n=20).cover().certify(path, claim, seconds=0)
    assert [each.read_text() for each in tmp_path.iterdir()] == ["before"]


def test_each_option_is_in_the_sets_before_the_next_one_is_made():
    log = []

    class Option(list):
        def __iter__(self):
            log.append("read")
            return super().__iter__()

    def options():  # which may be stopped
        for _ in range(2):
            log.append("made")
            yield Option([(0, None)])

    verifier.ExactCoverProblem(1, 1, options(), {}, [0, 0])
    assert "read" in log[: log.index("made", 1)]


@pytest.mark.parametrize(
    ("arguments", "claim"),
    [(("count",), "92 covers\n"), (("cheapest", "-f", "json"), "no cover costs less than 60\n")],
)
def test_commands_write_certificates(tmp_path, capsys, arguments, claim):
    problem, path = INSTANCES / "queens8.cost.dlx", tmp_path / "proof"
    _, message = invoke(*arguments, "--certificate", path, problem)
    assert "`show --matrix -f json` writes it: python -m dlx_numba.verify_certificate" in message
    assert verifier.main([str(problem), str(path)]) == 0
    assert capsys.readouterr().out == claim


def test_problems_with_pictures_are_verified_as_the_message_says(tmp_path, capsys):
    written, path = tmp_path / "problem.json", tmp_path / "proof"
    count, _ = invoke("count", "--certificate", path, "queens:n=6")
    invoke("show", "--matrix", "-f", "json", "-o", written, "queens:n=6")
    assert verifier.main([str(written), str(path)]) == 0
    assert capsys.readouterr().out == f"{count.strip()} covers\n"


def test_commands_report_what_prevents_a_certificate(tmp_path):
    queens = ROOT / "docs/examples/queens.dlx"
    missing, path = tmp_path / "missing" / "proof", tmp_path / "proof"
    for arguments, status, expected in (
        ((missing,), 2, f"{missing}: No such file"),
        ((path, "--limit", 1), 2, "--certificate cannot be combined with --limit"),
        ((path, "--seconds", 0), 3, "Stopped before the certificate was complete."),
    ):
        assert expected in invoke("count", "--certificate", *arguments, queens, status=status)[1]
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("cover", "message"),
    [
        (dlx.ExactCover([["a"]], costs=[0.5]), "costs that are nonnegative integers"),
        (dlx.ExactCover([["a"]], maximize=[1]), "costs that are nonnegative integers"),
        (dlx.ExactCover([["a"]], totals={"n": ([1], 1, 1)}), "does not support totals"),
        (dlx.ExactCover([["s"]], secondary=["s"]), "needs a problem with primary items"),
    ],
)
def test_a_certificate_is_rejected_before_the_search(cover, message, tmp_path, monkeypatch):
    problem, path = tmp_path / "problem.json", tmp_path / "proof"
    problem.write_text(cover.write(kind="json"))
    monkeypatch.setattr(type(cover), "cheapest", None)
    monkeypatch.setattr(type(cover), "optimizer", None)
    with pytest.raises(ValueError, match=message):
        cover.certify(path, "cost")
    assert message in invoke("cheapest", "--certificate", path, problem, status=2)[1]
    if not cover.problem.n_primary:
        with pytest.raises(ValueError, match=message):
            cover.certify(path)
    assert not path.exists()


@pytest.mark.parametrize("command", ["count", "cheapest"])
def test_a_certificate_overwrites_neither_the_problem_nor_the_output(command, tmp_path):
    problem, output = tmp_path / "problem.dlx", tmp_path / "output"
    problem.write_text("a\na\n")
    _, message = invoke(command, "--certificate", problem, problem, status=2)
    assert "is both input and output" in message
    assert problem.read_text() == "a\na\n"
    for path in (output, "-"):
        arguments = "--certificate", path, "--output", output, problem
        assert "need different files" in invoke(command, *arguments, status=2)[1]
        assert not output.exists()


@pytest.mark.parametrize("seed", [*seeds(300, 20)])
def test_whatever_can_be_certified_is_verified_as_json(seed, tmp_path, run_verifier):
    rng = random.Random(seed)
    options, bounds, secondary = oracles.random_general_problem(seed)
    bounds = {item: (0, 0) if rng.random() < 0.05 else pair for item, pair in bounds.items()}
    costs = [rng.choice([0, 1, 2, rng.choice([0.5, -1, 3])]) for _ in options]
    arguments = {rng.choice(["costs", "costs", "maximize"]): costs}
    penalty = {item: rng.choice([0, 2]) for item in bounds if rng.random() < 0.2}
    forbidden = rng.sample(range(len(options)), len(options) // 8)
    arguments |= {"penalty": penalty, "multiplicity": bounds, "forbidden": forbidden}
    cover = dlx.ExactCover(options, [*bounds], secondary, **arguments)
    cover.write(tmp_path / "problem.json")
    for claim in ("count", "cost"):
        try:
            number = cover.certify(tmp_path / "proof", claim)
        except ValueError as error:
            assert claim == "cost"
            assert "a certificate" in str(error)  # noqa: PT017
            continue
        cheapest = [each.cost for each in cover.cheapest()]
        assert number == (cover.count() if claim == "count" else (cheapest or [None])[0])
        proof, text = (tmp_path / "proof").read_text(), (tmp_path / "problem.json").read_text()
        out, err = run_verifier(text, proof, "problem.json")
        assert (err, out.split()[0]) == ("", str(number or "no") if claim == "count" else "no")


def test_integers_and_their_text_are_different_items(run_verifier, tmp_path):
    options = [["1", ("2", "x")], ["1", ("2", 0)], [1, (2, 0)], [1, ("2", 0)]]
    cover = dlx.ExactCover(options, ["1", 1], ["2", 2])
    proof = certificate(cover, tmp_path / "proof")
    out, _ = run_verifier(cover.write(kind="json"), proof, "problem.json")
    assert out == f"{cover.count()} covers\n" == "3 covers\n"
    text = '{"items": ["1", 1], "multiplicity": {"1": [0, 2]}, "options": [["1"], [1]]}'
    _, err = run_verifier(text, proof, "problem.json")
    assert "two items have the same name" in err


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("sets", "A = {1, 2}\nB = {3}\n"),
        ("p.json", '{"options": {"A": [1, 2], "B": [3]}}'),
        ("p.json", '{"primary_items": [1], "rows": [[1]]}'),
        ("p.json", "1 2\n1\n2\n"),
    ],
)
def test_other_formats_are_called_so(name, text, run_verifier):
    _, err = run_verifier(text, "", name)
    assert f"{name} is neither in Knuth's format nor JSON (.json) as ExactCover.write" in err


def test_sets_of_many_options_take_time_in_proportion_to_their_number():
    start = process_time()
    positions = [*range(1, 1_000_000)]
    assert verifier.bits(verifier.mask_of(positions)) == positions
    assert process_time() - start < 10  # with a step of this length for each, it was a minute


@pytest.mark.parametrize(
    "problem",
    [
        '{"items": ["a"], "options": [["a"]], "options": [["a"], ["a"]]}',
        '{"items": ["a"], "options": {"x": ["a"], "x": ["a"]}}',
        '{"items": ["a"], "options": [["a"]], "multiplicity": {"a": [1, 1], "a": [0, 1]}}',
    ],
)
def test_keys_that_appear_twice_are_rejected(problem):
    with pytest.raises(verifier.CertificateError, match="a key appears twice"):
        verifier.read_problem("problem.json", [problem])
