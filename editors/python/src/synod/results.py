"""Results of commands. Each keeps the whole JSON in `data`, which `docs/schema` of Synod describes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Optional

from .trace import Diagram, Trace

if TYPE_CHECKING:
    import pandas


@dataclass(frozen=True)
class Property:
    """The verdict of a property."""

    name: str
    #: invariant, stable, eventually, …
    kind: str
    #: holds, violated, or why it is not decided.
    verdict: str
    why: Optional[str]
    #: Whether the algorithm claims it.
    promised: bool

    @property
    def holds(self) -> bool:
        return self.verdict == "holds"


class _Result:
    def __init__(self, data: dict[str, Any]):
        self.data = data

    @property
    def algorithm(self) -> str:
        return self.data["algorithm"]


class _WithProperties(_Result):
    @property
    def properties(self) -> dict[str, Property]:
        """The properties by name."""
        found = [Property(p["name"], p["kind"], p["verdict"], p["why"], p["promised"]) for p in self.data["properties"]]
        return {p.name: p for p in found}

    @property
    def violated(self) -> list[Property]:
        return [p for p in self.properties.values() if p.verdict == "violated"]

    @property
    def topology(self) -> str:
        return self.data["network"]["topology"]


class Run(_WithProperties):
    """One run, with its trace."""

    def __init__(self, data: dict[str, Any], trace: Trace):
        super().__init__(data)
        self.trace = trace

    @property
    def outcome(self) -> str:
        """terminated, quiescent, stuck, aborted, limit, …"""
        return self.data["outcome"]

    @property
    def messages(self) -> int:
        """The number of messages between processes."""
        return self.data["messages"]["total"]

    @property
    def steps(self) -> int:
        return self.data["steps"]

    @property
    def processes(self) -> list[dict[str, Any]]:
        """The final state of each process: `vars` and `outputs` by name."""
        return self.data["processes"]

    def diagram(self, kind: str = "svg", **options: Any) -> Diagram:
        """Draw the run: see `Trace.diagram`."""
        return self.trace.diagram(kind, **options)

    def _repr_svg_(self) -> str:
        return self.diagram().svg

    def __repr__(self) -> str:
        return f"<Run of {self.algorithm} on {self.topology}: {self.outcome} after {self.steps} steps, {self.messages} messages>"


class Verification(_WithProperties):
    """The verdicts of model checking."""

    @property
    def verdict(self) -> str:
        """holds, violated, or why it is not decided."""
        return self.data["verdict"]

    @property
    def holds(self) -> bool:
        """Whether every property that was checked holds."""
        return self.verdict == "holds"

    @property
    def configurations(self) -> int:
        return self.data["configurations"]

    @property
    def counterexamples(self) -> list[Trace]:
        """A trace for each violation that was found."""
        return [Trace(found["trace"]) for found in self.data["counterexamples"] if found.get("trace")]

    def __repr__(self) -> str:
        return f"<Verification of {self.algorithm} on {self.topology}: {self.verdict}, {self.configurations} configurations>"


class Measurement(_Result):
    """Costs on networks of several sizes."""

    @property
    def rows(self) -> list[dict[str, Any]]:
        """For each size: `n`, `runs`, and `messages`, `bits`, `time`, … with least, median, greatest and mean."""
        return self.data["rows"]

    @property
    def growth(self) -> list[dict[str, Any]]:
        """The functions of n that fit the costs."""
        return self.data["growth"]

    def to_pandas(self) -> "pandas.DataFrame":
        """Return a table with a row for each size, and a column `messages_mean` for `messages` and `mean`."""
        import pandas

        table = []
        for row in self.rows:
            flat: dict[str, Any] = {}
            for name, value in row.items():
                if isinstance(value, dict):
                    flat.update({f"{name}_{key}": item for key, item in value.items()})
                elif not isinstance(value, list) and value is not None:
                    flat[name] = value
            for kind, count in zip(self.data["kinds"], row["sent"]):
                flat[f"{kind}_mean"] = count["mean"]
            table.append(flat)
        return pandas.DataFrame(table)

    def __repr__(self) -> str:
        sizes = ", ".join(str(row["n"]) for row in self.rows)
        return f"<Measurement of {self.algorithm} on {self.data['topology']}: n = {sizes}>"
