"""Why a request was not granted: a code for programs, a sentence for people."""

from typing import Literal, get_args

Code = Literal[
    "action/illegal",
    "action/stale",
    "action/too-often",
    "chat/full",
    "chat/off",
    "chat/too-fast",
    "game/not-over",
    "game/not-started",
    "guest/name",
    "guest/unknown",
    "link/expired",
    "message/bad",
    "message/too-fast",
    "plan/too-late",
    "protocol/version",
    "record/bad",
    "request/bad",
    "request/origin",
    "request/too-large",
    "request/too-many",
    "request/unknown",
    "seat/none-free",
    "seat/not-yours",
    "server/fault",
    "server/restarting",
    "server/storage",
    "table/full",
    "table/not-host",
    "table/options",
    "table/started",
    "table/unknown",
    "table/unreadable",
]

CODES: tuple[str, ...] = get_args(Code)


class Refusal(Exception):
    """What a client is told instead of yes."""

    def __init__(self, code: Code, sentence: str) -> None:
        super().__init__(code, sentence)
        self.code: Code = code
        self.sentence = sentence

    def __str__(self) -> str:
        return f"{self.code}: {self.sentence}"
