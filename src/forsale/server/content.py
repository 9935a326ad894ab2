"""What is answered over and over, or is large: gzipped for those who take that, and not sent to one who has it."""

import gzip
import hashlib
import re
from dataclasses import dataclass
from typing import Self

from starlette.requests import Request
from starlette.responses import Response

ASK_AGAIN = "no-cache"
"""To be kept, but asked about each time: the answer is then mostly 304, and nothing else."""

_TAGS = re.compile(r'(?:W/)?"[^"]*"')
_NOT_AT_ALL = re.compile(r";\s*q=0(\.0*)?\s*$")


@dataclass(frozen=True, slots=True)
class Content:
    """Bytes that do not change while the server runs."""

    body: bytes
    small: bytes | None
    """Gzipped, where that is smaller."""
    media: str
    cache: str
    tag: str
    """Weak, as it stands for both forms."""

    @classmethod
    def of(cls, body: bytes, media: str, cache: str = ASK_AGAIN) -> Self:
        small = zipped(body)
        tag = f'W/"{hashlib.sha256(body).hexdigest()[:32]}"'
        return cls(body, small if len(small) < len(body) else None, media, cache, tag)

    def answer(self, request: Request, status: int = 200) -> Response:
        headers = {"Cache-Control": self.cache, "ETag": self.tag, "Vary": "Accept-Encoding"}
        if status == 200 and self._is_known(request.headers.get("if-none-match", "")):
            return Response(None, 304, headers)
        headers["Content-Type"] = self.media
        if self.small is not None and takes_gzip(request):
            return Response(self.small, status, headers | {"Content-Encoding": "gzip"})
        return Response(self.body, status, headers)

    def _is_known(self, tags: str) -> bool:
        return tags.strip() == "*" or any(tag.removeprefix("W/") == self.tag[2:] for tag in _TAGS.findall(tags))


def packed(body: bytes, media: str, request: Request) -> Response:
    """An answer that is made for this one request, and large."""
    headers = {"Content-Type": media, "Vary": "Accept-Encoding"}
    if takes_gzip(request):
        return Response(zipped(body), headers=headers | {"Content-Encoding": "gzip"})
    return Response(body, headers=headers)


def zipped(body: bytes) -> bytes:
    """Without the time of day: the same bytes give the same."""
    return gzip.compress(body, mtime=0)


def takes_gzip(request: Request) -> bool:
    taken = request.headers.get("accept-encoding", "").lower().split(",")
    return any(each.partition(";")[0].strip() == "gzip" and not _NOT_AT_ALL.search(each) for each in taken)
