"""One thing that can be asked over HTTP."""

from dataclasses import dataclass
from typing import Any

from forsale.server.asked import Handler
from forsale.server.refusal import Code
from forsale.server.reply import JSON, STATUS, TEXT


@dataclass(frozen=True, slots=True)
class Route:
    """What can be asked: how, what for, with which body, what comes back, and why it may be refused."""

    method: str
    path: str
    handler: Handler
    summary: str
    answer: Any = None
    """The type of a JSON answer; None where it is not JSON."""
    status: int = 200
    media: str = JSON
    body: type | None = None
    """What is sent: a struct as JSON, or `bytes`: a record, as text."""
    query: tuple[str, ...] = ()
    """What may stand behind the ? of the address."""
    refusals: tuple[Code, ...] = ()
    """Besides those that any route has."""
    needs_guest: bool = False

    @property
    def body_media(self) -> str:
        return TEXT if self.body is bytes else JSON

    @property
    def codes(self) -> tuple[Code, ...]:
        """Every reason for which it may be refused."""
        found: list[Code] = [*self.refusals, "request/bad", "request/too-many", "server/storage"]
        if self.method != "GET":
            found.append("request/origin")
        if self.body is not None:
            found.append("request/too-large")
        if self.needs_guest:
            found.append("guest/unknown")
        if "{name}" in self.path:
            found.append("request/unknown")
        if "{id}" in self.path:
            found.append("table/unknown")
        return tuple(sorted(set(found)))

    @property
    def problems(self) -> dict[int, list[Code]]:
        """The same by the status that it is answered with."""
        found: dict[int, list[Code]] = {}
        for code in self.codes:
            found.setdefault(STATUS[code], []).append(code)
        return dict(sorted(found.items()))
