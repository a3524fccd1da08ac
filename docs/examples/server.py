"""A server that counts the covers of a problem, and takes at most 200 ms for each request.

Run `python server.py PORT`, and send a problem as JSON with POST. The answer is JSON, too:
{"count": 92, "is_complete": true}. SIGTERM lets the requests in progress end, and then the server.
"""

import json
import signal
import sys
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import dlx_numba as dlx

SECONDS = 0.2


class Handler(BaseHTTPRequestHandler):
    """Answers requests, each in a separate thread."""

    def do_POST(self):
        """Count the covers of the problem in the request."""
        text = self.rfile.read(int(self.headers["Content-Length"]))
        try:
            search = dlx.ExactCover.read(text, "json").search()
        except (TypeError, ValueError) as error:
            self.answer(400, {"error": str(error)})
        else:
            count = search.count(seconds=SECONDS)
            self.answer(200, {"count": count, "is_complete": search.done})

    def answer(self, status, content):
        """Send an object as JSON."""
        body = json.dumps(content).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *arguments):
        """Print no line for each request."""


class Server(ThreadingHTTPServer):
    """A server that lets requests in progress end when it is closed."""

    daemon_threads = False
    request_queue_size = 100


if __name__ == "__main__":
    with Server(("127.0.0.1", int(sys.argv[1])), Handler) as server:
        stop = threading.Thread(target=server.shutdown)
        signal.signal(signal.SIGTERM, lambda number, frame: stop.start())
        print(f"listening on port {server.server_port}", flush=True)
        server.serve_forever()
