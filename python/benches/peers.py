"""Treebound against other decoders from PyPI: the same scores, batches of 64 sentences, one thread, in one run.

    python benches/peers.py TREEBANK.conllu [--repeats 3] [--batches 8] [--page README.md]

Lengths are those of the sentences of the treebank, sorted, so that batches hardly pad; `--batches` takes so many of them, evenly
spread. Scores are drawn. Peers that are not installed are left out. Times are of the processor, each the shortest of its
repeats; the score of every tree is compared. `--page` puts the table into a page, between its two marks.
"""

from __future__ import annotations

import argparse
import platform
import time
import warnings
from collections.abc import Callable
from pathlib import Path

import numpy as np

import treebound
from pages import processor, put

warnings.filterwarnings("ignore")
SIZE = 64


def lengths_of(path: Path) -> list[int]:
    """Words of each sentence of a CoNLL-U file."""
    lengths, words = [], 0
    for line in path.read_text(encoding="utf-8").splitlines():
        if line.strip() and line[0] != "#":
            words += line.split("\t")[0].isdigit()
        elif not line.strip() and words:
            lengths.append(words)
            words = 0
    return lengths + [words] * (words > 0)


def scores_of(arcs: np.ndarray, siblings: np.ndarray | None, heads: np.ndarray, lengths: np.ndarray) -> np.ndarray:
    """The scores of trees; a pair of adjacent modifiers counts, a first modifier alone does not."""
    totals = np.zeros(len(lengths))
    for b, n in enumerate(lengths):
        tree = heads[b]
        totals[b] = sum(arcs[b, m, tree[m]] for m in range(1, n + 1))
        if siblings is not None:
            for m in range(1, n + 1):
                h, step = tree[m], 1 if tree[m] > m else -1
                inner = next((r for r in range(m + step, h, step) if tree[r] == h), None)
                totals[b] += 0 if inner is None else siblings[b, m, h, inner]
    return totals


class Batch:
    """Scores of one batch, and what peers need of it, made before the clock starts."""

    def __init__(self, lengths: np.ndarray, rng: np.random.Generator, second_order: bool) -> None:
        self.lengths = lengths
        cells = int(lengths.max()) + 1
        self.arcs = rng.normal(size=(len(lengths), cells, cells), scale=3).astype(np.float32)
        self.siblings = None
        if second_order:
            self.siblings = rng.normal(size=(len(lengths), cells, cells, cells)).astype(np.float32)
            # A first modifier has no score of its own elsewhere.
            h = np.arange(cells)
            self.siblings[:, :, h, h] = 0


def treebound_heads(batch: Batch) -> np.ndarray:
    return treebound.decode(batch.arcs, siblings=batch.siblings, lengths=batch.lengths).heads


def treebound_crossing(batch: Batch) -> np.ndarray:
    return treebound.decode(batch.arcs, lengths=batch.lengths, trees="non-projective").heads


def treebound_crossing_roots(batch: Batch) -> np.ndarray:
    return treebound.decode(batch.arcs, lengths=batch.lengths, trees="non-projective", roots="several").heads


def peers_of(task: str) -> dict[str, Callable[[Batch], np.ndarray]]:
    """The peers that are installed, by name."""
    found: dict[str, Callable[[Batch], np.ndarray]] = {}
    try:
        import torch

        torch.set_num_threads(1)
        torch.distributions.Distribution.set_default_validate_args(False)
    except ImportError:
        torch = None
    if torch and task in ("arcs", "siblings", "non-projective"):
        try:
            import supar
            from supar.structs import Dependency2oCRF, DependencyCRF
            from supar.structs.fn import mst

            def supar_first(batch: Batch) -> np.ndarray:
                crf = DependencyCRF(torch.from_numpy(batch.arcs), torch.from_numpy(batch.lengths))
                return np.asarray(crf.argmax)

            def supar_second(batch: Batch) -> np.ndarray:
                scores = torch.from_numpy(batch.arcs), torch.from_numpy(batch.siblings)
                return np.asarray(Dependency2oCRF(scores, torch.from_numpy(batch.lengths)).argmax)

            def supar_mst(batch: Batch) -> np.ndarray:
                cells = batch.arcs.shape[1]
                mask = torch.arange(cells)[None] <= torch.from_numpy(batch.lengths)[:, None]
                mask[:, 0] = False
                return np.asarray(mst(torch.from_numpy(batch.arcs), mask))

            name = f"SuPar {supar.__version__}"
            found[name] = {"arcs": supar_first, "siblings": supar_second, "non-projective": supar_mst}[task]
        except ImportError:
            pass
    if torch and task == "arcs":
        try:
            import torch_struct

            def struct(batch: Batch) -> np.ndarray:
                # Heads before modifiers, and the root on the diagonal.
                scores = torch.from_numpy(batch.arcs).transpose(1, 2)
                potentials = scores[:, 1:, 1:].clone()
                i = torch.arange(potentials.shape[1])
                potentials[:, i, i] = scores[:, 0, 1:]
                # It writes into what it is given, which must not be a leaf then.
                potentials = potentials.requires_grad_() * 1
                crf = torch_struct.DependencyCRF(potentials, torch.from_numpy(batch.lengths), multiroot=False)
                head = crf.argmax.argmax(1) + 1
                head[head == i + 1] = 0
                return np.concatenate([np.zeros((len(head), 1), int), head.numpy()], 1)

            found["torch-struct"] = struct
        except ImportError:
            pass
    if task == "several roots":
        try:
            from ufal.chu_liu_edmonds import chu_liu_edmonds

            def ufal(batch: Batch) -> np.ndarray:
                heads = np.zeros(batch.arcs.shape[:2], int)
                for b, n in enumerate(batch.lengths):
                    scores = batch.arcs[b, : n + 1, : n + 1].astype(np.double)
                    heads[b, : n + 1] = chu_liu_edmonds(scores)[0]
                return heads

            found["ufal.chu_liu_edmonds"] = ufal
        except ImportError:
            pass
    return found


def measure(decode: Callable[[Batch], np.ndarray], batches: list[Batch], repeats: int) -> tuple[float, list[np.ndarray]]:
    """The shortest time for all batches, and the trees."""
    heads = [decode(batch) for batch in batches[:1]]
    best = float("inf")
    for _ in range(repeats):
        start = time.process_time()
        heads = [decode(batch) for batch in batches]
        best = min(best, time.process_time() - start)
    return best, heads


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("treebank", type=Path)
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--batches", type=int, default=8)
    parser.add_argument("--page", type=Path)
    options = parser.parse_args()
    lengths = np.sort(lengths_of(options.treebank))
    cut = [lengths[at : at + SIZE] for at in range(0, len(lengths) - SIZE + 1, SIZE)]
    chosen = [cut[i] for i in np.linspace(0, len(cut) - 1, min(options.batches, len(cut))).astype(int)]
    words = sum(int(batch.sum()) for batch in chosen)
    lines = [
        f"{len(chosen)} batches of {SIZE} sentences with the lengths of {options.treebank.parent.name}, {words:,} words, the"
        f" longest {max(int(batch.max()) for batch in chosen)}; float32 scores, drawn.",
        f"{processor()}, one thread, Python {platform.python_version()}, NumPy {np.__version__}{versions()}.",
        "Where trees differ in score, theirs is the lesser.",
        "",
        "| trees | decoder | ms a batch | words/s | times as long | other scores |",
        "| --- | --- | ---: | ---: | ---: | ---: |",
    ]
    for task, title, own in TASKS:
        rng = np.random.default_rng(1)
        batches = [Batch(batch.astype(np.int64), rng, task == "siblings") for batch in chosen]
        ours, trees = measure(own, batches, 3 * options.repeats)
        truth = [scores_of(b.arcs, b.siblings, heads, b.lengths) for b, heads in zip(batches, trees)]
        rows = [("treebound", ours, 0)]
        for name, peer in peers_of(task).items():
            seconds, trees = measure(peer, batches, options.repeats)
            theirs = [scores_of(b.arcs, b.siblings, heads, b.lengths) for b, heads in zip(batches, trees)]
            assert all((t >= u - 1e-3).all() for t, u in zip(truth, theirs)), f"{name} has found a better tree"
            rows.append((name, seconds, sum(int((t - u > 1e-3).sum()) for t, u in zip(truth, theirs))))
        for name, seconds, differ in rows:
            each = 1000 * seconds / len(batches)
            lines.append(f"| {title} | {name} | {each:.2f} | {words / seconds:,.0f} | {seconds / ours:.1f} | {differ} |")
    print("\n".join(lines))
    if options.page:
        put(options.page, "peers", lines)


TASKS = (
    ("arcs", "projective, arcs", treebound_heads),
    ("siblings", "projective, siblings", treebound_heads),
    ("non-projective", "may cross, one root", treebound_crossing),
    ("several roots", "may cross, several roots", treebound_crossing_roots),
)


def versions() -> str:
    """That of PyTorch, if it is there."""
    try:
        import torch
    except ImportError:
        return ""
    return f", PyTorch {torch.__version__}"


if __name__ == "__main__":
    main()
