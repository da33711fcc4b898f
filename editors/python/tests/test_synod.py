"""The package, with the binary that SYNOD names."""

import os
import tempfile
import unittest
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import synod

HASTY = """algorithm hasty
assumes unidirectional ring, unique ids
message Candidate(of: Id)
var leader : Bool
state begin
  send Candidate(id)
  become listening
state listening
  on Candidate(of) ->
    if of > id -> send Candidate(of)
    [] otherwise -> leader := true
    fi
invariant safety: size({ p in processes | p.leader }) <= 1
"""


class Programs(unittest.TestCase):
    def test_a_run_of_the_library(self):
        run = synod.run("lelann", on="ring(5)", ids=[3, 1, 5, 2, 4])
        self.assertEqual((run.algorithm, run.topology, run.outcome, run.messages), ("lelann", "ring(5)", "terminated", 25))
        self.assertTrue(run.properties["agreement"].holds)
        self.assertEqual(run.violated, [])
        self.assertEqual([process["outputs"]["leader"] for process in run.processes], [False, False, True, False, False])
        self.assertEqual(len(run.trace), run.steps)
        self.assertEqual(sum(len(event.sent) for event in run.trace), run.messages)
        self.assertEqual(run.trace.outcome, "terminated")

    def test_the_same_seed_gives_the_same_run(self):
        one, same, other = (synod.run("lelann", schedule="random", seed=seed).trace.text() for seed in (1, 1, 2))
        self.assertEqual(one, same)
        self.assertNotEqual(one, other)

    def test_a_program_is_a_path_or_a_text(self):
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder, "-hasty 1.syn")
            path.write_text(HASTY, encoding="utf-8")
            here = os.getcwd()
            os.chdir(folder)
            try:
                runs = [synod.run(program) for program in (HASTY, path, str(path), path.name)]
            finally:
                os.chdir(here)
        self.assertEqual(len({run.trace.text() for run in runs}), 1)

    def test_a_counterexample(self):
        verification = synod.verify(HASTY, on="ring(3)")
        self.assertFalse(verification.holds)
        self.assertEqual([found.name for found in verification.violated], ["safety"])
        (trace,) = verification.counterexamples
        self.assertEqual(trace.violated_at, len(trace) - 1)
        self.assertEqual(trace[trace.violated_at].changes, {"leader": "true"})
        self.assertIn("hasty", repr(trace))

    def test_what_holds(self):
        verification = synod.verify("lelann", on="ring(3)", property=["agreement", "E1"])
        self.assertTrue(verification.holds)
        self.assertGreater(verification.configurations, 10)
        self.assertEqual(verification.counterexamples, [])

    def test_parameters_and_flags(self):
        with self.assertRaisesRegex(synod.SynodError, "nosuch"):
            synod.run("lelann", set={"nosuch": 1})
        self.assertTrue(synod.verify("lelann", on="ring(2)", no_reduction=True, keep_going=False).holds)

    def test_costs(self):
        measurement = synod.measure("lelann", [3, 5], runs=2, start="together")
        self.assertEqual([row["messages"]["mean"] for row in measurement.rows], [9.0, 25.0])

    def test_the_library(self):
        self.assertIn("chang_roberts", [entry["name"] for entry in synod.library()])

    def test_pandas(self):
        try:
            import pandas  # noqa: F401
        except ImportError:
            self.skipTest("pandas is not installed")
        table = synod.measure("lelann", [3, 5], runs=2, start="together").to_pandas()
        self.assertEqual(list(table["messages_mean"]), [9.0, 25.0])
        self.assertEqual(list(table["Token_mean"]), [9.0, 25.0])
        run = synod.run("lelann", on="ring(3)")
        self.assertEqual(len(run.trace.to_pandas()), run.steps)


class Traces(unittest.TestCase):
    def test_a_trace_is_written_and_read(self):
        trace = synod.run("ricart_agrawala", on="complete(3)").trace
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder, "run.trace")
            trace.save(file)
            again = synod.read_trace(file)
        self.assertEqual(again.events, trace.events)
        self.assertEqual(again.header, trace.header)

    def test_what_is_no_trace(self):
        with self.assertRaises(synod.SynodError):
            synod.read_trace("nosuch.trace")

    def test_pictures(self):
        run = synod.run("lelann", on="ring(3)")
        for kind in ("svg", "topology", "filmstrip", "animation"):
            self.assertTrue(ElementTree.fromstring(run.diagram(kind).svg).tag.endswith("svg"))
        self.assertEqual(run._repr_svg_(), run.trace.diagram().svg)
        with self.assertRaises(synod.SynodError):
            run.diagram("svg", process="p9")


class Errors(unittest.TestCase):
    def test_diagnostics(self):
        wrong = HASTY.replace("Bool", "Boole")
        (found,) = [found for found in synod.check(wrong) if found["severity"] == "error"]
        self.assertEqual(found["place"]["line"], 4)
        with self.assertRaises(synod.SynodError) as caught:
            synod.run(wrong)
        self.assertEqual(caught.exception.diagnostics[0]["code"], found["code"])
        self.assertIn(":4:", str(caught.exception))

    def test_no_such_file_option_or_value(self):
        for program, options in (("nosuch", {}), ("lelann", {"on": "ring(0)"}), ("lelann", {"nosuch": 1}), ("", {})):
            with self.subTest(program=program, options=options), self.assertRaises(synod.SynodError) as caught:
                synod.run(program, **options)
            self.assertNotEqual(caught.exception.message, "")

    def test_no_command(self):
        before = os.environ["SYNOD"]
        os.environ["SYNOD"] = "no-such-synod"
        try:
            with self.assertRaisesRegex(synod.SynodError, "no-such-synod"):
                synod.run("lelann")
        finally:
            os.environ["SYNOD"] = before


if __name__ == "__main__":
    unittest.main()
