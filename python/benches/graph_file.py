"""Branch and bound through Python, against the same graphs through `treebound decode`.

    treebound data graphs configs/quickstart.toml --grid main -f 'seed=1$' -o graphs
    python benches/graph_file.py graphs/synthetic_test_*grandchild+sibling*.jsonl --treebound target/release/treebound

Times are of the processor, one thread, each the shortest of its repeats: of one call of Python with arrays that are there, and
of the program, which reads the file. Both must find the same scores in the same number of calls. `--page` puts what was measured
into a page, between its two marks.
"""

from __future__ import annotations

import argparse
import json
import resource
import subprocess
import time
from itertools import chain
from pathlib import Path
from typing import Any

import numpy as np

import treebound
from pages import processor, put


def arrays(graphs: list[dict[str, Any]]) -> dict[str, Any]:
    """One batch of all graphs."""
    lengths = np.array([graph["words"] for graph in graphs])
    cells = int(lengths.max()) + 1
    arcs = np.zeros((len(graphs), cells, cells), np.int64)
    candidates = np.zeros(arcs.shape, bool)
    prior = np.zeros(arcs.shape)
    for b, graph in enumerate(graphs):
        h, m, score = np.array(graph["arcs"]).T
        arcs[b, m, h] = score
        candidates[b, m, h] = True
        if "prior" in graph:
            prior[b, m, h] = graph["prior"]

    def parts(name: str, order: list[int]) -> tuple[np.ndarray, np.ndarray]:
        rows = [np.array(graph.get(name) or np.zeros((0, len(order) + 1)), np.int64) for graph in graphs]
        all_rows = np.concatenate(rows)
        b = np.repeat(np.arange(len(graphs)), [len(of_graph) for of_graph in rows])
        return np.column_stack([b, *(all_rows[:, i] for i in order)]), all_rows[:, -1]

    factors = [(b, factor) for b, graph in enumerate(graphs) for factor in graph.get("factors", [])]
    width = max((len(factor["arcs"]) for _, factor in factors), default=1)
    ends = np.full((len(factors), width, 2), -1)
    sizes = np.array([len(factor["arcs"]) for _, factor in factors], int)
    flat = np.array(list(chain.from_iterable(factor["arcs"] for _, factor in factors)), int).reshape(-1, 2)
    ends[np.arange(width) < sizes[:, None]] = flat[:, ::-1]
    return {
        "arcs": arcs,
        "candidates": candidates,
        "lengths": lengths,
        # The file has head, inner, modifier; and head, modifier, child.
        "siblings": parts("siblings", [2, 0, 1]),
        "grandchildren": parts("grandchildren", [1, 0, 2]),
        "factors": (np.array([b for b, _ in factors], int), ends, np.array([f["score"] for _, f in factors], int)),
        "prior": prior if "prior" in graphs[0] else None,
        "roots": "one" if graphs[0].get("single_root", True) else "several",
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("graphs", type=Path)
    parser.add_argument("--treebound", type=Path, required=True)
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--page", type=Path)
    options = parser.parse_args()
    graphs = [json.loads(line) for line in options.graphs.read_text().splitlines()]
    batch = arrays(graphs)
    python = program = float("inf")
    for _ in range(options.repeats):
        start = time.process_time()
        answer = treebound.decode(**batch)
        python = min(python, time.process_time() - start)

        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        output = subprocess.run([options.treebound, "decode", options.graphs], check=True, capture_output=True).stdout
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        program = min(program, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)
    lines = [json.loads(line) for line in output.splitlines()]
    assert [line["score"] for line in lines] == answer.score.tolist()
    assert [line["dp_calls"] for line in lines] == answer.calls.tolist()
    factors, calls = len(batch["factors"][0]), answer.calls.mean()
    lines = [
        f"Branch and bound through Python takes {python:.2f} s for {len(graphs):,} graphs with {factors:,} factors, in",
        f"{calls:.2f} calls a graph; `treebound decode`, which reads them from a file of {options.graphs.stat().st_size / 1e6:.0f} MB,"
        f" takes {program:.1f} s",
        f"for the same answers ({processor()}, one thread).",
    ]
    print("\n".join(lines))
    if options.page:
        put(options.page, "graph file", lines)


if __name__ == "__main__":
    main()
