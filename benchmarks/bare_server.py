"""What the same stack can do at most: Starlette and uvicorn, four sockets a room, and no game.

A message is read with msgspec, written again and sent to the room. `--padding` makes the messages as large as those of
a game. Started by benchmarks.server.
"""

import argparse
from typing import Any

import msgspec
import uvicorn
from msgspec import Struct
from starlette.applications import Starlette
from starlette.routing import WebSocketRoute
from starlette.types import Receive, Scope, Send

from benchmarks.server_setup import pin
from forsale.server.protocol import Act
from forsale.server.transport import Transport


class Said(Struct, tag="said"):
    """What everyone in the room is sent."""

    id: str
    message: Act
    padding: str


class Rooms:
    """All rooms, by their name in the path."""

    def __init__(self, padding: int) -> None:
        self._rooms: dict[str, list[Send]] = {}
        self._padding = "x" * padding
        self._decode = msgspec.json.Decoder(Act).decode
        self._encode = msgspec.json.Encoder().encode

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        room = self._rooms.setdefault(scope["path_params"]["room"], [])
        await receive()
        await send({"type": "websocket.accept"})
        room.append(send)
        while (event := await receive())["type"] == "websocket.receive":
            message = self._decode(event["text"])
            text = self._encode(Said(message.id, message, self._padding)).decode()
            for each in list(room):
                await each({"type": "websocket.send", "text": text})
        room.remove(send)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--port", type=int, required=True)
    parser.add_argument("--core", type=int, required=True)
    parser.add_argument("--padding", type=int, default=0)
    options = parser.parse_args()
    pin(options.core)
    endpoint: Any = Rooms(options.padding)
    app = Starlette(routes=[WebSocketRoute("/rooms/{room}", endpoint)])
    uvicorn.run(
        app,
        host="127.0.0.1",
        port=options.port,
        http="httptools",
        loop="uvloop",
        ws=Transport,
        ws_per_message_deflate=False,
        log_level="error",
        backlog=8192,
    )


if __name__ == "__main__":
    main()
