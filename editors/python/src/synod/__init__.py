"""Synod from Python: run, model-check, measure and draw distributed algorithms.

A program is a path, the name of an algorithm of the library, or a text with several lines. Options are those of the command line:
`synod.run("lelann", on="ring(5)", ids=[3, 1, 5, 2, 4], max_steps=100)` is `synod run lelann --on 'ring(5)' --ids 3,1,5,2,4 --max-steps 100`.
"""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Any, Iterable, Optional

from .command import Program, SynodError, binary, call, call_for, execute
from .results import Measurement, Property, Run, Verification
from .trace import Diagram, Event, Message, Trace

__all__ = [
    "Diagram", "Event", "Measurement", "Message", "Program", "Property", "Run", "SynodError", "Trace", "Verification",
    "binary", "check", "library", "measure", "read_trace", "run", "verify",
]


def check(program: Program) -> list[dict[str, Any]]:
    """Return the diagnostics of a program: none if it is correct."""
    found = call_for("check", program, {})
    return [diagnostic for file in found["files"] for diagnostic in file["diagnostics"]]


def run(program: Program, **options: Any) -> Run:
    """Make one run. Options as of `synod run`: on, ids, seed, schedule, faults, set={"k": 2}, …

    Raises:
        SynodError: The program has errors, or an option is not valid.
    """
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "run.jsonl")
        data = call_for("run", program, {**options, "trace": file})
        return Run(data, Trace.parse(file.read_text(encoding="utf-8")))


def verify(program: Program, **options: Any) -> Verification:
    """Model-check a program. Options as of `synod verify`: on, property="safety", faults, keep_going=True, timeout="10s", …

    A violated property is a result, not an error.

    Raises:
        SynodError: The program has errors, or an option is not valid.
    """
    return Verification(call_for("verify", program, options))


def measure(program: Program, sizes: Optional[Iterable[int]] = None, **options: Any) -> Measurement:
    """Measure costs as the network grows. Options as of `synod measure`: on="ring({n})", runs=20, schedule, …

    Raises:
        SynodError: The program has errors, or an option is not valid.
    """
    return Measurement(call_for("measure", program, {"n": None if sizes is None else list(sizes), **options}))


def library() -> list[dict[str, Any]]:
    """Return the algorithms and problems of the library: names, titles, problems, models."""
    return call(["list"], {})["entries"]


def read_trace(path: "str | Path") -> Trace:
    """Read a trace file in either form.

    Raises:
        SynodError: It is no trace.
    """
    code, output, messages = execute(["trace", "convert", "--to=jsonl", "--", str(path)])
    if code != 0:
        raise SynodError(messages.strip())
    return Trace.parse(output)
