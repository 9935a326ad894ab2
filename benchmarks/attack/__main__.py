"""Attack a server of our own in every way that we know, and say what became of it: `make attack`.

Each scenario has a fresh server on loopback, and a bystander who plays meanwhile. It holds if the server stays under
150 MB, the bystander's ping p99 under 50 ms, every attack is answered or disconnected, and the scenario's own
conditions hold. Linux only: memory and descriptors are read from /proc.
"""

import argparse
import sys

from benchmarks.attack.page import endings, row, section, sent, write
from benchmarks.attack.scenario import Report, execute
from benchmarks.attack.scenarios import SCENARIOS


def main() -> None:
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.attack", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("names", nargs="*", metavar="SCENARIO", help="which to run; all if none is named")
    parser.add_argument("--list", action="store_true", help="name the scenarios, and stop")
    parser.add_argument("--short", action="store_true", help="with as little as `make test` sends")
    parser.add_argument("--write", action="store_true", help="write the results into docs/hosting.md")
    options = parser.parse_args()
    if options.list:
        for name, scenario in SCENARIOS.items():
            print(f"{name:16}{scenario.about}")
        return
    unknown = [name for name in options.names if name not in SCENARIOS]
    if unknown:
        parser.error(f"no such scenario: {', '.join(unknown)}; there are {', '.join(SCENARIOS)}")
    if options.write and (options.names or options.short):
        parser.error("--write needs all scenarios in full")
    reports = []
    for name in options.names or SCENARIOS:
        report = execute(SCENARIOS[name], full=not options.short)
        _show(report)
        reports.append(report)
    if options.write:
        write(reports)
    else:
        print(section(reports))
    sys.exit(0 if all(report.passed for report in reports) else 1)


def _show(report: Report) -> None:
    _, _, _, memory, ping, probe, bot, defaults, log, _ = row(report)
    print(f"{'ok  ' if report.passed else 'FAIL'} {report.name}: {report.about} ({report.seconds:.0f} s)")
    print(f"     sent {sent(report)}; {endings(report)}")
    print(f"     memory {memory} MB; ping {ping} ms; /healthz {probe} ms; a bot {bot} s; log {log} kB")
    print(f"     {defaults} default moves")
    for line in report.notes:
        print(f"     {line}")
    for line in report.broken + report.slow:
        print(f"   ! {line}")
    sys.stdout.flush()


if __name__ == "__main__":
    main()
