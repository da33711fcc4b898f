"""Traces: recorded runs, event by event."""

from __future__ import annotations

import json
import os
import tempfile
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Iterator, Optional

from .command import call

if TYPE_CHECKING:
    import pandas


@dataclass(frozen=True)
class Message:
    """A message that an event sends, receives or loses."""

    id: int
    text: str
    #: The process at the other end, by its position.
    peer: int


@dataclass(frozen=True)
class Event:
    """An event: one step of one process."""

    index: int
    #: The process, by its position.
    process: int
    action: str
    received: tuple[Message, ...]
    sent: tuple[Message, ...]
    lost: tuple[Message, ...]
    #: The new values of changed variables, as texts, by name.
    changes: dict[str, str]
    #: The length of the longest causal chain of messages that ends here.
    depth: int
    #: The event as the trace file has it, with rarer fields.
    fields: dict[str, Any] = field(repr=False, compare=False)


def _event(fields: dict[str, Any]) -> Event:
    def messages(name: str) -> tuple[Message, ...]:
        return tuple(Message(m["id"], m["text"], m["peer"]) for m in fields.get(name, ()))

    return Event(
        index=fields["index"],
        process=fields["process"],
        action=fields["action"],
        received=messages("received"),
        sent=messages("sent"),
        lost=messages("lost"),
        changes={change["name"]: change["value"] for change in fields.get("changes", ())},
        depth=fields["depth"],
        fields=fields,
    )


class Diagram:
    """A picture as SVG. Jupyter shows it."""

    def __init__(self, svg: str):
        self.svg = svg

    def _repr_svg_(self) -> str:
        return self.svg

    def save(self, path: "str | os.PathLike[str]") -> None:
        """Write the picture to a file."""
        Path(path).write_text(self.svg, encoding="utf-8")


class Trace:
    """A recorded run. It has a length, an order, and events by index."""

    def __init__(self, lines: list[dict[str, Any]]):
        #: The first line of the file: algorithm, network, ids, seed, initial values, and what the run violates.
        self.header = lines[0]
        self.events = [_event(line) for line in lines[1:] if "index" in line]
        #: How the run ended, such as quiescent; None if the file is cut off.
        self.outcome: Optional[str] = next((line["end"] for line in lines if "end" in line), None)
        self._lines = lines

    @classmethod
    def parse(cls, text: str) -> "Trace":
        """Return the trace of a text in JSON Lines."""
        return cls([json.loads(line) for line in text.splitlines() if line.strip()])

    @property
    def violated_at(self) -> Optional[int]:
        """The index of the event that violates a property."""
        return self.header.get("violated_at")

    def __len__(self) -> int:
        return len(self.events)

    def __iter__(self) -> Iterator[Event]:
        return iter(self.events)

    def __getitem__(self, index: int) -> Event:
        return self.events[index]

    def __repr__(self) -> str:
        return f"<Trace of {self.header['algorithm']} on {self.header['network']}: {len(self)} events>"

    def text(self) -> str:
        """Return the trace as JSON Lines, which every command of Synod reads."""
        return "".join(json.dumps(line, ensure_ascii=False, separators=(",", ":")) + "\n" for line in self._lines)

    def save(self, path: "str | os.PathLike[str]") -> None:
        """Write the trace to a file."""
        Path(path).write_text(self.text(), encoding="utf-8")

    def diagram(self, kind: str = "svg", **options: Any) -> Diagram:
        """Draw the run: kind is svg (the space-time diagram), topology, filmstrip or animation; options as of `synod draw`."""
        with tempfile.TemporaryDirectory() as folder:
            source, picture = Path(folder, "run.trace"), Path(folder, "run.svg")
            self.save(source)
            call(["draw", str(source)], {"to": kind, "output": picture, **options})
            return Diagram(picture.read_text(encoding="utf-8"))

    def _repr_svg_(self) -> str:
        return self.diagram().svg

    def to_pandas(self) -> "pandas.DataFrame":
        """Return a table with a row for each event."""
        import pandas

        rows = [
            {
                "event": event.index,
                "process": event.process,
                "action": event.action,
                "received": ", ".join(m.text for m in event.received),
                "sent": ", ".join(m.text for m in event.sent),
                "changes": ", ".join(f"{name} = {value}" for name, value in event.changes.items()),
                "depth": event.depth,
            }
            for event in self.events
        ]
        return pandas.DataFrame(rows, columns=["event", "process", "action", "received", "sent", "changes", "depth"]).set_index("event")
