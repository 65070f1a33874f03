"""Local web server for the reading page, started by `gradebox read`.

The server listens on this machine only; a proxy such as jupyter-server-proxy can serve the page to others. As
in Jupyter, a token in the address authorizes a browser. All addresses in the page are relative.
"""

import atexit
import html
import json
import re
import secrets
import signal
import tempfile
import webbrowser
from collections.abc import Callable
from importlib.resources import files
from pathlib import Path
from threading import Thread
from typing import Any, NoReturn
from urllib.parse import SplitResult, urlsplit

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
# No requests from or to other hosts, and no scripts except those of this page.
CONTENT_SECURITY_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src data:; "
    "connect-src 'self'; form-action 'none'; frame-ancestors 'none'; base-uri 'none'"
)
MAX_BODY_SIZE = 1_000_000
# Seconds to wait for the headers and for the body of a request.
HEADER_TIMEOUT, BODY_TIMEOUT = 60, 10
SCRIPTS = ("page.js", "elements.js", "server_api.js", "exercise_form.js", "rubric.js")
STATIC_FILES = {"page.html": "text/html", "page.css": "text/css"} | dict.fromkeys(SCRIPTS, "text/javascript")


class BaseHandler(tornado.web.RequestHandler):
    """Base of all request handlers: access control and error responses."""

    problem = "page not found"

    def initialize(
        self, token: str, proxy: SplitResult | None, asks: dict[str, Callable[..., Any]] | None = None
    ) -> None:
        """Set the token, the address at a proxy, and the service's functions (`asks`), by HTTP method."""
        self.token, self.proxy, self.asks = token, proxy, asks or {}

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
        # Include the port, because browsers send the cookies of a host to all its ports.
        return f"gradebox-read-{self.request.host.rpartition(':')[2]}"

    def prepare(self) -> None:
        # Refuse other host names, against DNS rebinding by a remote page.
        try:
            host = urlsplit(f"//{self.request.host}").hostname
        except ValueError:
            self.refuse(400, "the Host header is malformed")
        if host not in (HOST, "localhost", self.proxy and self.proxy.hostname):
            self.refuse(403, "this page is for this machine only: --base-url allows the host of a proxy")
        given = self.get_query_argument("token", "")
        known = given or self.get_cookie(self.cookie, "")
        if not secrets.compare_digest(str(known).encode(), self.token.encode()):
            self.refuse(403, "access token missing or wrong: open the address printed by `gradebox read`")
        if given:
            # Other paths of a hub belong to other people's servers. Browsers don't send a strict cookie after
            # a click on a link in a message, or in the file of `open_browser`.
            path, secure = (self.proxy.path, self.proxy.scheme == "https") if self.proxy else ("/", False)
            self.set_cookie(self.cookie, self.token, httponly=True, samesite="Lax", path=path, secure=secure)
            self.redirect("./")
        elif self.request.method != "GET" and self.request.headers.get("X-Gradebox") != "read":
            # CSRF protection: forms and other pages cannot send this header.
            self.refuse(403, "the request does not come from the reading page")

    def refuse(self, status: int, problem: str) -> NoReturn:
        # Tornado sends reasons as an HTTP header, which cannot contain every name.
        self.problem = problem
        raise tornado.web.HTTPError(status)

    def write_error(self, status_code: int, **_: Any) -> None:
        self.set_header("Content-Type", "application/json")
        self.finish(json.dumps({"problem": self.problem}))

    def log_exception(self, kind: Any, value: Any, trace: Any) -> None:
        # Refused requests are already answered, and the log would contain the token in the address.
        if not isinstance(value, tornado.web.HTTPError):
            super().log_exception(kind, value, trace)

    def answer(self, ask: Callable[[], Any]) -> None:
        """Send the result of `ask` as JSON, or an error message."""
        try:
            found = ask()
        except UnknownItemError:
            self.refuse(404, "unknown question, answer or submission: reload the page")
        except ConflictError:
            self.refuse(409, "somebody else has changed the data in the meantime")
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
            # The gradebook can't store lone surrogates, which JSON can escape.
            json.dumps(found, ensure_ascii=False).encode()
        except (ValueError, RecursionError):
            found = None
        if not isinstance(found, dict):
            self.refuse(400, "the request body is not a JSON object")
        return found


class AssetHandler(BaseHandler):
    def get(self, name: str) -> None:
        name = name or "page.html"
        text = files(__package__).joinpath(name).read_text(encoding="utf-8")
        self.set_header("Content-Type", f"{STATIC_FILES[name]}; charset=utf-8")
        self.finish(f"{build_page_styles()}\n{text}" if name == "page.css" else text)


class ApiHandler(BaseHandler):
    """Handler for API requests of the page."""

    def do(self, *names: str) -> None:
        """Call the service's function with the parts of the address, and with the section or the body."""
        ask = self.asks.get(self.request.method or "")
        if not ask:
            self.refuse(405, self.problem)
        sent: list[Any] = [self.sent] if self.request.method in ("PUT", "POST") else []
        if self.request.method == "GET":
            sent = [self.get_query_argument("section", "")]
        self.answer(lambda: ask(*names, *sent))

    get = put = post = delete = do


class NotFoundHandler(BaseHandler):
    def prepare(self) -> None:
        super().prepare()
        self.refuse(404, "page not found")


def create_application(
    desk: ReadingService, token: str, proxy: SplitResult | None
) -> tornado.web.Application:
    own = r"([0-9a-f]+)"
    shared = {"token": token, "proxy": proxy}
    answers = rf"/api/questions/{own}"
    api: dict[str, dict[str, Callable[..., Any]]] = {
        "/api/questions": {"GET": desk.overview},
        answers: {"GET": desk.answers},
        f"{answers}/states": {"GET": desk.states},
        f"{answers}/empty": {"POST": desk.empty},
        f"{answers}/items": {"POST": desk.add_item},
        f"{answers}/items/{own}": {"PUT": desk.change_item, "DELETE": desk.delete_item},
        f"{answers}/start": {"PUT": desk.save_start},
        f"{answers}/answers/{own}": {"GET": desk.answer, "PUT": desk.give},
        "/api/submissions": {"GET": desk.submissions},
        f"/api/submissions/{own}": {"GET": desk.submission},
        "/api/sections": {"GET": desk.sections},
    }
    return tornado.web.Application(
        [
            (rf"/({'|'.join(map(re.escape, STATIC_FILES))}|)", AssetHandler, shared),
            *((address, ApiHandler, {**shared, "asks": asks}) for address, asks in api.items()),
        ],
        # Do not log requests: they contain the token, or reveal who grades whom.
        log_function=lambda _: None,
        default_handler_class=NotFoundHandler,
        default_handler_args=shared,
    )


def parse_base_url(text: str) -> SplitResult:
    """Return the address at which a proxy serves the page, ending with a slash. Raises CourseError."""
    try:
        found = urlsplit(text)
        is_address = found.scheme in ("http", "https") and found.hostname and not found.query
    except ValueError:
        is_address = False
    if not is_address:
        raise CourseError(f"--base-url {text} is not an address such as https://HUB/user/NAME/proxy/8123/")
    return found._replace(path=f"{found.path.rstrip('/')}/", fragment="")


def serve_reading_page(
    desk: ReadingService, port: int, opened: Callable[[str], None], proxy: SplitResult | None = None
) -> None:
    """Serve the page until Ctrl-C or SIGTERM.

    opened: called with the page's address. proxy: the address at a proxy, if one serves the page. Raises
    OSError.
    """
    token = secrets.token_urlsafe(24)
    (socket, *_) = sockets = bind_sockets(port, HOST)
    server = HTTPServer(
        create_application(desk, token, proxy),
        max_body_size=MAX_BODY_SIZE,
        idle_connection_timeout=HEADER_TIMEOUT,
        body_timeout=BODY_TIMEOUT,
    )
    server.add_sockets(sockets)
    base = proxy.geturl() if proxy else f"http://{HOST}:{socket.getsockname()[1]}/"
    address = f"{base}?token={token}"
    loop = IOLoop.current()
    for number in (signal.SIGINT, signal.SIGTERM):
        # Stop between two requests: an exception in the middle of a write would leave it half done.
        loop.asyncio_loop.add_signal_handler(number, loop.stop)  # type: ignore[attr-defined]
    loop.add_callback(opened, address)
    loop.start()


def open_browser(address: str) -> None:
    """Open an address in a browser, through a private file that redirects to the address.

    Other users can see the command-line arguments of a browser, and the address contains the token.
    """
    descriptor, name = tempfile.mkstemp(suffix=".html", prefix="gradebox-read-")
    with open(descriptor, "w", encoding="utf-8") as file:
        file.write(f'<meta http-equiv="refresh" content="0; url={html.escape(address)}">')
    atexit.register(Path(name).unlink, missing_ok=True)
    # Use a thread: a browser in a terminal blocks until the user quits.
    Thread(target=webbrowser.open, args=(Path(name).as_uri(),), daemon=True).start()
