"""The log of a run: a line of JSON for each lesson."""

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

NAME = "log.jsonl"


def append(folder: Path, lesson: Mapping[str, Any]) -> None:
    with (folder / NAME).open("a", encoding="utf-8") as log:
        log.write(json.dumps(lesson) + "\n")


def read(folder: Path) -> Iterator[dict[str, Any]]:
    """Lesson by lesson; where a run went on from an earlier checkpoint, the later telling of a lesson counts."""
    lessons: dict[int, dict[str, Any]] = {}
    path = folder / NAME
    for line in path.read_text(encoding="utf-8").splitlines() if path.exists() else ():
        try:
            lesson = json.loads(line)
        except ValueError:  # the last one of a run that was killed
            continue
        lessons[lesson["lesson"]] = lesson
    yield from (lessons[number] for number in sorted(lessons))
