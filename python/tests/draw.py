"""Random batches, as arrays and as sentences for brute force."""

from __future__ import annotations

from typing import Any

import numpy as np
from brute import Sentence

PARTS = ("siblings", "grandchildren", "grand_siblings", "factors")


class Drawn:
    """A batch: `arguments` for the package, `sentences` for brute force. What must not be looked at is no number."""

    def __init__(
        self, seed: int, dtype: type, parts: tuple[str, ...] = (), sparse: bool = False, most: int = 6, size: int = 6
    ) -> None:
        self.rng = np.random.default_rng(seed)
        self.dtype = dtype
        self.lengths = self.rng.integers(1, most + 1, size)
        self.cells = most + 2
        self.sentences = [Sentence(int(n)) for n in self.lengths]
        self.arguments: dict[str, Any] = {"lengths": self.lengths}
        self._arcs(size)
        for part in parts:
            {"grand_siblings": self._grand_siblings, "factors": self._factors}.get(part, self._words)(part, sparse)

    def numbers(self, shape: Any) -> np.ndarray:
        """Few apart, so that there are ties; floats are eighths."""
        drawn = self.rng.integers(-20, 21, shape)
        return (drawn / 8 if np.dtype(self.dtype).kind == "f" else drawn).astype(self.dtype)

    def _arcs(self, size: int) -> None:
        shape = (size, self.cells, self.cells)
        scores = self.numbers(shape)
        is_float = scores.dtype.kind == "f"
        allowed = self.rng.random(shape) > 0.1
        unused = np.ones(shape, bool)
        for b, sentence in enumerate(self.sentences):
            n = sentence.words
            for m, h in ((m, h) for m in range(1, n + 1) for h in range(n + 1) if h != m):
                unused[b, m, h] = False
                if allowed[b, m, h]:
                    sentence.arcs[m, h] = scores[b, m, h].item()
        if is_float:
            # One half by minus infinity, the other by the mask.
            masked = ~allowed & (self.rng.random(shape) < 0.5)
            scores[~allowed & ~masked] = -np.inf
            self.arguments["candidates"] = ~masked
            scores[unused] = np.nan
        else:
            self.arguments["candidates"] = allowed
            scores[unused] = np.iinfo(scores.dtype).max
        self.arguments["arcs"] = scores

    def _words(self, part: str, sparse: bool) -> None:
        size = len(self.sentences)
        scores = self.numbers((size, self.cells, self.cells, self.cells))
        kept = self.rng.random(scores.shape) > (0.5 if sparse else 0)
        for b, sentence in enumerate(self.sentences):
            words = range(sentence.words + 1)
            of = getattr(sentence, part)
            of.update({
                (m, h, r): scores[b, m, h, r].item() for m in words for h in words for r in words if kept[b, m, h, r]
            })
            if sparse:
                kept[b, sentence.words + 1 :] = kept[b, :, sentence.words + 1 :] = kept[b, :, :, sentence.words + 1 :] = False
                kept[b, 0] = False
        if part == "grandchildren" and sparse:
            kept[..., 0] = False
        if sparse:
            index = np.argwhere(kept)
            order = self.rng.permutation(len(index))
            self.arguments[part] = (index[order], scores[kept][order])
        else:
            self.arguments[part] = scores

    def _grand_siblings(self, part: str, sparse: bool) -> None:
        index = []
        for b, sentence in enumerate(self.sentences):
            n = sentence.words
            drawn = {
                (b, *(int(self.rng.integers(low, n + 1)) for low in (1, 0, 0, 0))) for _ in range(60)
            }
            index += sorted(drawn)
        scores = self.numbers(len(index))
        for (b, *words), score in zip(index, scores):
            self.sentences[b].grand_siblings[tuple(words)] = score.item()
        self.arguments[part] = (np.array(index).reshape(-1, 5), scores)

    def _factors(self, part: str, sparse: bool) -> None:
        width, sentence_of, arcs = 4, [], []
        for b, sentence in enumerate(self.sentences):
            n = sentence.words
            for _ in range(int(self.rng.integers(0, 12))):
                size = int(self.rng.integers(1, width + 1))
                rows = [[int(self.rng.integers(1, n + 1)), int(self.rng.integers(0, n + 1))] for _ in range(size)]
                sentence_of.append(b)
                arcs.append(rows + [[-1, -1]] * (width - size))
        order = self.rng.permutation(len(sentence_of))
        sentence_of, arcs = np.array(sentence_of, int)[order], np.array(arcs, int).reshape(-1, width, 2)[order]
        scores = self.numbers(len(order))
        for b, rows, score in zip(sentence_of, arcs, scores):
            real = [(int(m), int(h)) for m, h in rows if m > 0]
            self.sentences[b].factors.append((real, score.item()))
        self.arguments[part] = (sentence_of, arcs, scores)
