"""The command `synod`: options from keyword arguments, results from its JSON."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from pathlib import Path
from typing import Any, Mapping, Optional, Union

#: A program: a path, the name of an algorithm of the library, or the text of a program.
Program = Union[str, "os.PathLike[str]"]

#: The forms of JSON that this package reads.
SCHEMA = "synod/1"


class SynodError(Exception):
    """A command that has no result, such as one about a program with errors."""

    def __init__(self, message: str, hint: Optional[str] = None, diagnostics: Optional[list[dict[str, Any]]] = None):
        self.message = message
        self.hint = hint
        #: The diagnostics of the program, as `synod check --json` describes them.
        self.diagnostics = diagnostics or []
        lines = [message if hint is None else f"{message} (hint: {hint})"]
        for found in self.diagnostics:
            place = found["place"]
            lines.append(f"{place['file']}:{place['line']}:{place['column']}: {found['severity']} {found['code']}: {found['message']}")
            if found.get("hint"):
                lines.append(f"  hint: {found['hint']}")
        super().__init__("\n".join(lines))


def binary() -> str:
    """Return the path of the command: the variable SYNOD, otherwise `synod` in PATH.

    Raises:
        SynodError: There is no such file.
    """
    given = os.environ.get("SYNOD")
    found = shutil.which(given or "synod")
    if found is None:
        raise SynodError(f"there is no command {given or 'synod'}", "install Synod, or set SYNOD to the path of its binary")
    return found


def arguments(options: Mapping[str, Any]) -> list[str]:
    """Return the options of the command line for keyword arguments.

    `max_steps=9` is `--max-steps 9`; True is an option without a value; None and False are left out; the items of a list are joined by commas.
    `set` and `property` may be repeated: a dict of parameters, and a list of names.
    """
    out: list[str] = []
    for name, value in options.items():
        flag = "--" + name.replace("_", "-")
        if value is None or value is False:
            continue
        if value is True:
            out.append(flag)
        elif isinstance(value, Mapping):
            for key, item in value.items():
                out += [flag, f"{key}={_text(item)}"]
        elif name == "property" and not isinstance(value, str):
            for item in value:
                out += [flag, str(item)]
        else:
            out.append(f"{flag}={_text(value)}")
    return out


def _text(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, (list, tuple)):
        return ",".join(_text(item) for item in value)
    return str(value)


def _subject(program: Program) -> tuple[str, Optional[str]]:
    """Return the argument for a program, and what to write to the standard input."""
    if isinstance(program, str) and "\n" in program:
        return "-", program
    text = os.fspath(program)
    # An option is no file.
    return (str(Path(text)) if not text.startswith("-") else os.path.join(".", text)), None


def execute(words: list[str], text: str = "") -> tuple[int, str, str]:
    """Execute the command with these words and this standard input. Return its exit code, output and messages."""
    ended = subprocess.run(
        [binary(), *words], input=text, stdout=subprocess.PIPE, stderr=subprocess.PIPE, encoding="utf-8", check=False
    )
    return ended.returncode, ended.stdout, ended.stderr


def call(words: list[str], options: Mapping[str, Any], text: str = "") -> dict[str, Any]:
    """Execute a command, and return its JSON. A finding, such as a violated property, is a result.

    Raises:
        SynodError: The command has no result.
    """
    code, output, messages = execute([*words, "--json", *arguments(options)], text)
    try:
        result: dict[str, Any] = json.loads(output)
    except ValueError:
        message = f"synod {words[0]} ended with exit code {code} and without a result"
        raise SynodError(messages.strip() or message) from None
    if result.get("schema") != SCHEMA:
        raise SynodError(f"this package reads {SCHEMA}, the command writes {result.get('schema')}", "install versions that belong together")
    error = result.get("error")
    if error:
        raise SynodError(error["message"], error.get("hint"), result.get("diagnostics"))
    return result


def call_for(verb: str, program: Program, options: Mapping[str, Any]) -> dict[str, Any]:
    """Execute a command about a program: see `call`."""
    name, text = _subject(program)
    return call([verb, name], options, text or "")
