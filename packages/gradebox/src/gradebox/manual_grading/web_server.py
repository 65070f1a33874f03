"""Serves the reading page on this machine only: a token in its address, as Jupyter has, lets a browser in."""

import atexit
import html
import json
import secrets
import signal
import tempfile
import webbrowser
from collections.abc import Callable
from importlib.resources import files
from pathlib import Path
from threading import Thread
from typing import Any, NoReturn
from urllib.parse import urlsplit

import tornado.web
from sqlalchemy.exc import SQLAlchemyError
from tornado.httpserver import HTTPServer
from tornado.ioloop import IOLoop
from tornado.netutil import bind_sockets

from gradebox.course import CourseError
from gradebox.manual_grading.grading_service import (
    ConflictError,
    InvalidInputError,
    ReadingService,
    UnknownItemError,
)
from gradebox.printable_text import format_exception
from gradebox.reports.page_theme import build_page_styles

HOST = "127.0.0.1"
# Nothing from elsewhere, nothing to elsewhere, no script but ours.
CONTENT_SECURITY_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src data:; "
    "connect-src 'self'; form-action 'none'; frame-ancestors 'none'; base-uri 'none'"
)
MAX_BODY_SIZE = 100_000
STATIC_FILES = {"page.html": "text/html", "page.js": "text/javascript", "page.css": "text/css"}


class BaseHandler(tornado.web.RequestHandler):
    """What all addresses share: who may ask, and what goes wrong."""

    problem = "there is no such page"

    def initialize(self, token: str, asks: dict[str, Callable[..., Any]] | None = None) -> None:
        """asks: what of the desk answers, by the request's method."""
        self.token, self.asks = token, asks or {}

    def set_default_headers(self) -> None:
        for name, value in (
            ("Content-Security-Policy", CONTENT_SECURITY_POLICY),
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
        if urlsplit(f"//{self.request.host}").hostname not in (HOST, "localhost"):
            self.refuse(403, "this page is for this machine only")
        given = self.get_query_argument("token", "")
        known = given or self.get_cookie(self.cookie, "")
        if not secrets.compare_digest(str(known).encode(), self.token.encode()):
            self.refuse(403, "open the address that the command has printed")
        if given:
            self.set_cookie(self.cookie, self.token, httponly=True, samesite="Strict", path="/")
            self.redirect(self.request.path)
        elif self.request.method != "GET" and self.request.headers.get("X-Gradebox") != "read":
            # No form and no other page can send this.
            self.refuse(403, "the page itself has to ask")

    def refuse(self, status: int, problem: str) -> NoReturn:
        # A header, where Tornado has reasons, holds no sentence with a name in it.
        self.problem = problem
        raise tornado.web.HTTPError(status)

    def write_error(self, status_code: int, **_: Any) -> None:
        self.set_header("Content-Type", "application/json")
        self.finish(json.dumps({"problem": self.problem}))

    def log_exception(self, kind: Any, value: Any, trace: Any) -> None:
        # What was refused was said, and an address would have the token in it.
        if not isinstance(value, tornado.web.HTTPError):
            super().log_exception(kind, value, trace)

    def answer(self, ask: Callable[[], Any]) -> None:
        """Send what is found as JSON, or a sentence that says why not."""
        try:
            found = ask()
        except UnknownItemError:
            self.refuse(404, "there is no such thing any more: load the page again")
        except ConflictError:
            self.refuse(409, "somebody has changed this meanwhile")
        except InvalidInputError as error:
            self.refuse(400, str(error))
        except (SQLAlchemyError, CourseError) as error:
            self.refuse(503, f"the gradebook can't be used now, try again: {format_exception(error)}")
        self.set_header("Content-Type", "application/json")
        self.finish(json.dumps(found))

    @property
    def sent(self) -> dict[str, Any]:
        try:
            found = json.loads(self.request.body or b"{}")
        except ValueError:
            found = None
        if not isinstance(found, dict):
            self.refuse(400, "that is no JSON object")
        return found


class AssetHandler(BaseHandler):
    def get(self, name: str) -> None:
        name = name or "page.html"
        text = files(__package__).joinpath(name).read_text(encoding="utf-8")
        self.set_header("Content-Type", f"{STATIC_FILES[name]}; charset=utf-8")
        self.finish(f"{build_page_styles()}\n{text}" if name == "page.css" else text)


class ApiHandler(BaseHandler):
    """What the page asks of the desk, and tells it."""

    def do(self, *names: str) -> None:
        """Ask the desk about what the address names; what has a body is passed on with it."""
        ask = self.asks.get(self.request.method or "")
        if not ask:
            self.refuse(405, self.problem)
        sent = [self.sent] if self.request.method in ("PUT", "POST") else []
        self.answer(lambda: ask(*names, *sent))

    get = put = post = delete = do


class NotFoundHandler(BaseHandler):
    def prepare(self) -> None:
        super().prepare()
        self.refuse(404, "there is no such page")


def create_application(desk: ReadingService, token: str) -> tornado.web.Application:
    own = r"([0-9a-f]+)"
    shared = {"token": token}
    answers = rf"/api/questions/{own}"
    api: dict[str, dict[str, Callable[..., Any]]] = {
        "/api/questions": {"GET": desk.overview},
        answers: {"GET": desk.answers},
        f"{answers}/states": {"GET": desk.states},
        f"{answers}/empty": {"POST": desk.empty},
        f"{answers}/phrases": {"POST": desk.save_phrase},
        f"{answers}/phrases/{own}": {"DELETE": desk.delete_phrase},
        f"{answers}/answers/{own}": {"PUT": desk.give, "POST": desk.take},
        "/api/leave": {"POST": desk.leave},
        "/api/requests": {"GET": desk.all_requests},
        f"/api/requests/{own}": {"PUT": desk.reply},
    }
    return tornado.web.Application(
        [
            (r"/(page\.js|page\.css|)", AssetHandler, shared),
            *((address, ApiHandler, {**shared, "asks": asks}) for address, asks in api.items()),
        ],
        # What is asked has the token in it, or says who reads whom.
        log_function=lambda _: None,
        default_handler_class=NotFoundHandler,
        default_handler_args=shared,
    )


def serve_reading_page(desk: ReadingService, port: int, opened: Callable[[str], None]) -> None:
    """Serve the page until it is interrupted. opened: is given its address then. Raises OSError."""
    token = secrets.token_urlsafe(24)
    (socket, *_) = sockets = bind_sockets(port, HOST)
    server = HTTPServer(create_application(desk, token), max_body_size=MAX_BODY_SIZE)
    server.add_sockets(sockets)
    address = f"http://{HOST}:{socket.getsockname()[1]}/?token={token}"
    # A job in the background is told to end in another way.
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    IOLoop.current().add_callback(opened, address)
    IOLoop.current().start()


def open_browser(address: str) -> None:
    """Open an address in a browser, by a file of one's own: everybody sees what a program is called with."""
    descriptor, name = tempfile.mkstemp(suffix=".html", prefix="gradebox-read-")
    with open(descriptor, "w", encoding="utf-8") as file:
        file.write(f'<meta http-equiv="refresh" content="0; url={html.escape(address)}">')
    atexit.register(Path(name).unlink, missing_ok=True)
    # A browser in a terminal ends when its user ends it.
    Thread(target=webbrowser.open, args=(Path(name).as_uri(),), daemon=True).start()
