"""What can go wrong between a client and its server."""


class ClientError(Exception):
    """The server cannot be reached, or does not speak this protocol: one sentence."""


class DealError(ClientError):
    """The cards were not dealt as promised: one sentence."""


class Refused(ClientError):
    """The server said no: a code for programs (see docs/protocol.md), a sentence for people."""

    def __init__(self, code: str, sentence: str) -> None:
        super().__init__(code, sentence)
        self.code = code
        self.sentence = sentence

    def __str__(self) -> str:
        return f"{self.code}: {self.sentence}"
