"""Brute force: all trees of a sentence, each scored by the definition of its parts. The specification of the package."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cache
from itertools import product
from typing import Any

Tree = tuple[int, ...]
"""The head of each word; the first is that of word 1."""


@cache
def all_trees(words: int, projective: bool, single_root: bool) -> list[Tree]:
    """All trees over so many words."""
    return [
        heads
        for heads in product(range(words + 1), repeat=words)
        if is_tree(heads)
        and (not projective or is_projective(heads))
        and (not single_root or heads.count(0) == 1)
    ]


def is_tree(heads: Tree) -> bool:
    """Whether every word reaches the root."""
    for word in range(1, len(heads) + 1):
        at = word
        for _ in heads:
            at = heads[at - 1] if at else 0
        if at:
            return False
    return True


def is_projective(heads: Tree) -> bool:
    """Whether no two arcs cross, the root standing before the first word."""
    spans = [(min(h, m), max(h, m)) for m, h in enumerate(heads, 1)]
    return not any(a < c < b < d for a, b in spans for c, d in spans)


@dataclass
class Sentence:
    """Scores by part; parts that are not there have 0, and arcs that are not there may not be used."""

    words: int
    arcs: dict[tuple[int, int], Any] = field(default_factory=dict)
    siblings: dict[tuple[int, int, int], Any] = field(default_factory=dict)
    grandchildren: dict[tuple[int, int, int], Any] = field(default_factory=dict)
    grand_siblings: dict[tuple[int, int, int, int], Any] = field(default_factory=dict)
    factors: list[tuple[list[tuple[int, int]], Any]] = field(default_factory=list)

    def trees(self, projective: bool = True, single_root: bool = True) -> list[Tree]:
        """Those over its arcs."""
        return [
            heads
            for heads in all_trees(self.words, projective, single_root)
            if all((m, h) in self.arcs for m, h in enumerate(heads, 1))
        ]

    def score(self, heads: Tree) -> Any:
        """The sum over the parts of a tree."""
        total = sum(self.arcs[m, h] for m, h in enumerate(heads, 1))
        modifiers = {h: [m for m, g in enumerate(heads, 1) if g == h] for h in range(self.words + 1)}
        for m, h in enumerate(heads, 1):
            # The next modifier towards the head on this side, or the head itself.
            between = [r for r in modifiers[h] if min(h, m) < r < max(h, m)]
            inner = (max(between) if m > h else min(between)) if between else h
            total += self.siblings.get((m, h, inner), 0)
            # A child on the other side of its head's head crosses the arc between these, and has no part with it.
            if h and (m > heads[h - 1]) == (h > heads[h - 1]):
                total += self.grand_siblings.get((m, h, inner, heads[h - 1]), 0)
            for side in ([c for c in modifiers[m] if c < m], [c for c in modifiers[m] if c > m]):
                if side:
                    child = min(side) if side[0] < m else max(side)
                    if (child > h) == (m > h):
                        total += self.grandchildren.get((m, h, child), 0)
        for arcs, score in self.factors:
            if all(heads[m - 1] == h for m, h in arcs):
                total += score
        return total
