"""The server of the documentation answers many clients in time, and ends gracefully."""

import json
import signal
import subprocess
import sys
from contextlib import closing
from http.client import HTTPConnection

import pytest

import dlx_numba as dlx
from tests.helpers import ROOT
from tests.helpers.hosts import in_threads, wait_until

N_CLIENTS = 20

pytestmark = [pytest.mark.processes, pytest.mark.compiled]


@pytest.fixture
def server():
    process = subprocess.Popen(
        [sys.executable, str(ROOT / "docs/examples/server.py"), "0"],
        stdout=subprocess.PIPE,
        text=True,
        cwd=ROOT,
    )
    yield process, process.stdout.readline().split()[-1]
    process.kill()
    process.communicate()


def post(port, text):
    """Return the status and the content of the answer."""
    with closing(HTTPConnection("127.0.0.1", int(port), timeout=60)) as connection:
        connection.request("POST", "/", text.encode())
        answer = connection.getresponse()
        return answer.status, json.loads(answer.read())


def test_clients_get_complete_or_partial_counts(server):
    process, port = server
    small, large = (dlx.example("queens", n=n).cover().write(kind="json") for n in (8, 20))

    def use(k):
        return [post(port, text) for text in (small, large, "no problem", small)]

    for answers in in_threads(N_CLIENTS, use):
        for status, content in (answers[0], answers[3]):
            assert status == 200
            assert content["count"] == 92 if content["is_complete"] else content["count"] <= 92
        status, content = answers[1]
        assert (status, content["is_complete"]) == (200, False)
        assert answers[2][0] == 400
        assert "not valid JSON" in answers[2][1]["error"]
    wait_until(lambda: post(port, small) == (200, {"count": 92, "is_complete": True}))
    process.send_signal(signal.SIGTERM)
    assert process.wait(timeout=60) == 0
