"""The reports as tables: on the screen, and in docs/hosting.md between its marks."""

import os
import platform
from collections.abc import Sequence
from textwrap import fill

from benchmarks.attack.scenario import MAX_PEAK, MAX_PING_P99, Report
from benchmarks.attack.server import ROOT

FILE = ROOT / "docs" / "hosting.md"
BEGIN, END = "<!-- made: attack -->\n", "<!-- end -->\n"

HEAD = (
    "attack",
    "sent",
    "how it ended",
    "memory: peak, after (MB)",
    "ping: p50, p99, max (ms)",
    "`/healthz` p99 (ms)",
    "longest wait for a bot (s)",
    "default moves",
    "log (kB)",
    "held",
)


def row(report: Report) -> tuple[str, ...]:
    seen = report.bystander
    pings = " / ".join(f"{seen[f'ping_{name}'] * 1000:.1f}" for name in ("p50", "p99", "max"))
    return (
        report.name,
        sent(report),
        endings(report),
        f"{report.peak:.0f} / {report.memory_after:.0f}",
        pings,
        f"{seen['probe_p99'] * 1000:.1f}",
        f"{seen['longest_bot_wait']:.2f}",
        str(report.default_moves.total()),
        f"{report.log_bytes / 1000:.1f}",
        "yes" if report.passed else "**no**",
    )


def sent(report: Report) -> str:
    parts = [
        f"{report.bytes_sent / 1e6:.1f} MB" if report.bytes_sent else "",
        f"{report.requests:,} requests" if report.requests else "",
        f"{report.connections:,} connections" if report.connections else "",
    ]
    return ", ".join(part for part in parts if part) or "–"


def endings(report: Report) -> str:
    return ", ".join(f"{count:,} {ending}" for ending, count in report.endings.most_common() if count) or "–"


def section(reports: Sequence[Report]) -> str:
    """What stands between the marks."""
    machine = f"{os.cpu_count()} cores, Python {platform.python_version()}"
    longest = max(report.ping_p99 for report in reports) * 1000
    peak = max(report.peak for report in reports)
    held = sum(report.passed for report in reports)
    summary = (
        f"On a machine with {machine}: {held} of {len(reports)} attacks held. The server's memory peaked at "
        f"{peak:.0f} MB (limit {MAX_PEAK:.0f}), and the bystander's ping p99 was at most {longest:.1f} ms (limit "
        f"{MAX_PING_P99 * 1000:.0f})."
    )
    table = "".join(f"| {' | '.join(cells)} |\n" for cells in (HEAD, ("---",) * len(HEAD), *map(row, reports)))
    about = "".join(_item(report) for report in reports)
    return f"\n{fill(summary, 120)}\n\n{table}\n{about}\n"


def _item(report: Report) -> str:
    text = f"**{report.name}**: {report.about}."
    if report.notes:
        text += f" Measured: {'; '.join(report.notes)}."
    if not report.passed:
        text += f" Not held: {'; '.join(report.broken + report.slow)}."
    return fill(f"- {text}", 120, subsequent_indent="  ", break_on_hyphens=False, break_long_words=False) + "\n"


def write(reports: Sequence[Report]) -> None:
    """Put the section in the place of the one that is there."""
    before, rest = FILE.read_text(encoding="utf-8").split(BEGIN)
    _, after = rest.split(END)
    FILE.write_text(before + BEGIN + section(reports) + END + after, encoding="utf-8")
