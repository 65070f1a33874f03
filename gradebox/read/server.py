"""Serves the reading page on this machine only: a token in its address, as Jupyter has, lets a browser in."""

import json
import secrets
from collections.abc import Callable
from importlib.resources import files
from typing import Any

import tornado.web
from tornado.httpserver import HTTPServer
from tornado.ioloop import IOLoop
from tornado.netutil import bind_sockets

from gradebox.read.desk import Conflict, Desk, Unknown, Wrong
from gradebox.report.look import styles

HOST = "127.0.0.1"
# Nothing from elsewhere, nothing to elsewhere, no script but ours.
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src data:; "
    "connect-src 'self'; form-action 'none'; frame-ancestors 'none'; base-uri 'none'"
)
LARGEST = 100_000
STATIC = {"page.html": "text/html", "page.js": "text/javascript", "page.css": "text/css"}


class Handler(tornado.web.RequestHandler):
    """What all addresses share: who may ask, and what goes wrong."""

    desk: Desk
    token: str

    def initialize(self, desk: Desk, token: str) -> None:
        self.desk, self.token = desk, token

    def set_default_headers(self) -> None:
        for name, value in (
            ("Content-Security-Policy", POLICY),
            ("X-Content-Type-Options", "nosniff"),
            ("Referrer-Policy", "no-referrer"),
            ("Cache-Control", "no-store"),
        ):
            self.set_header(name, value)

    @property
    def cookie(self) -> str:
        # Browsers send a host's cookies to all of its ports.
        return f"gradebox-read-{self.request.host.rpartition(':')[2]}"

    def prepare(self) -> None:
        # Another name for this machine could be a page's from elsewhere.
        host = self.request.host.rpartition(":")[0]
        if host not in (HOST, "localhost"):
            raise tornado.web.HTTPError(403, reason="this page is for this machine only")
        given = self.get_query_argument("token", "")
        known = given or self.get_cookie(self.cookie, "")
        if not secrets.compare_digest(str(known).encode(), self.token.encode()):
            raise tornado.web.HTTPError(403, reason="open the address that the command has printed")
        if given:
            self.set_cookie(self.cookie, self.token, httponly=True, samesite="Strict", path="/")
            self.redirect(self.request.path)
        elif self.request.method != "GET" and self.request.headers.get("X-Gradebox") != "read":
            # No form and no other page can send this.
            raise tornado.web.HTTPError(403, reason="the page itself has to ask")

    def write_error(self, status_code: int, **_: Any) -> None:
        self.set_header("Content-Type", "application/json")
        self.finish(json.dumps({"problem": self._reason}))

    def answer(self, ask: Callable[[], Any]) -> None:
        """Send what is found as JSON, or a sentence that says why not."""
        try:
            found = ask()
        except Unknown:
            raise tornado.web.HTTPError(
                404, reason="there is no such thing any more: load the page again"
            ) from None
        except Conflict:
            raise tornado.web.HTTPError(
                409, reason="somebody has changed this answer or its points"
            ) from None
        except Wrong as error:
            raise tornado.web.HTTPError(400, reason=str(error)) from None
        self.set_header("Content-Type", "application/json")
        self.finish(json.dumps(found))

    @property
    def sent(self) -> dict[str, Any]:
        try:
            found = json.loads(self.request.body or b"{}")
        except ValueError:
            found = None
        if not isinstance(found, dict):
            raise tornado.web.HTTPError(400, reason="that is no JSON object")
        return found


class Static(Handler):
    def get(self, name: str) -> None:
        name = name or "page.html"
        text = files(__package__).joinpath(name).read_text(encoding="utf-8")
        self.set_header("Content-Type", f"{STATIC[name]}; charset=utf-8")
        self.finish(f"{styles()}\n{text}" if name == "page.css" else text)


class Questions(Handler):
    def get(self) -> None:
        self.answer(self.desk.overview)


class Answers(Handler):
    def get(self, question: str) -> None:
        self.answer(lambda: self.desk.answers(question))


class Empty(Handler):
    def post(self, question: str) -> None:
        self.answer(lambda: self.desk.empty(question))


class Phrases(Handler):
    def post(self, question: str) -> None:
        self.answer(lambda: self.desk.keep_phrase(question, self.sent))


class Phrase(Handler):
    def delete(self, question: str, phrase: str) -> None:
        self.answer(lambda: self.desk.drop_phrase(question, phrase))


class Answer(Handler):
    def put(self, question: str, grade: str) -> None:
        self.answer(lambda: self.desk.give(question, grade, self.sent))

    def post(self, question: str, grade: str) -> None:
        self.answer(lambda: self.desk.take(question, grade, self.sent))


class Leave(Handler):
    def post(self) -> None:
        self.answer(lambda: self.desk.leave(self.sent))


class Requests(Handler):
    def get(self) -> None:
        self.answer(self.desk.all_requests)


class OneRequest(Handler):
    def put(self, request: str) -> None:
        self.answer(lambda: self.desk.reply(request, self.sent))


def application(desk: Desk, token: str) -> tornado.web.Application:
    own = r"([0-9a-f]+)"
    shared = {"desk": desk, "token": token}
    return tornado.web.Application(
        [
            (r"/(page\.js|page\.css|)", Static, shared),
            (r"/api/questions", Questions, shared),
            (rf"/api/questions/{own}", Answers, shared),
            (rf"/api/questions/{own}/empty", Empty, shared),
            (rf"/api/questions/{own}/phrases", Phrases, shared),
            (rf"/api/questions/{own}/phrases/{own}", Phrase, shared),
            (rf"/api/questions/{own}/answers/{own}", Answer, shared),
            (r"/api/leave", Leave, shared),
            (r"/api/requests", Requests, shared),
            (rf"/api/requests/{own}", OneRequest, shared),
        ]
    )


def serve(desk: Desk, port: int, opened: Callable[[str], None]) -> None:
    """Serve the page until it is interrupted. opened: is given its address. Raises OSError."""
    token = secrets.token_urlsafe(24)
    (socket, *_) = sockets = bind_sockets(port, HOST)
    server = HTTPServer(application(desk, token), max_body_size=LARGEST)
    server.add_sockets(sockets)
    opened(f"http://{HOST}:{socket.getsockname()[1]}/?token={token}")
    IOLoop.current().start()
