"""Exact decoding of a small model's scores, with siblings, grandchildren and a constraint.

A log-linear model of arcs is trained with NumPy on a language made here: verbs have a subject to their left, which agrees with
them in number, and an object to their right that may be clauses away. The model sees tags and distance of an arc, no agreement
and no other arcs. Then each sentence of a test set is decoded

* greedily: each word takes its best head, which need not be a tree;
* by arcs: the best projective tree of the arc scores;
* with siblings and grandchildren, which count what pairs of arcs the training trees have;
* and with the constraint that every verb has a subject to its left, if there is a noun that could be one: factors over the arcs
  from the verb to the nouns.

    python examples/python/subjects.py
"""

from __future__ import annotations

import numpy as np

import treebound

TAGS = ["ROOT", "noun", "verb", "adj", "adv", "comp"]
ROOT, NOUN, VERB, ADJ, ADV, COMP = range(len(TAGS))
MOST_DISTANCE = 6


def clause(rng: np.random.Generator, depth: int, words: list[int], heads: list[int], head: int) -> None:
    """Appends a clause whose verb has `head`: subject, adverbs, verb, object or a clause behind a complementiser."""

    def add(tag: int, head: int) -> int:
        words.append(tag)
        heads.append(head)
        return len(words)

    def noun() -> list[int]:
        """A noun behind its adjectives; their places, the noun's last."""
        places = [add(ADJ, 0) for _ in range(int(rng.integers(0, 3)))] + [add(NOUN, 0)]
        for place in places[:-1]:
            heads[place - 1] = places[-1]
        return places

    subject = noun()[-1]
    adverbs = [add(ADV, 0) for _ in range(int(rng.integers(0, 2)))]
    verb = add(VERB, head)
    for place in [subject, *adverbs]:
        heads[place - 1] = verb
    if depth and rng.random() < 0.4:
        complementiser = add(COMP, verb)
        clause(rng, depth - 1, words, heads, complementiser)
    elif rng.random() < 0.8:
        heads[noun()[-1] - 1] = verb
    for _ in range(int(rng.integers(0, 2))):
        add(ADV, verb)


def treebank(rng: np.random.Generator, size: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Tags and heads, padded, with the root first; and lengths. One tag in twelve is wrong, as a tagger's would be."""
    drawn = []
    for _ in range(size):
        words, heads = [], []
        clause(rng, 2, words, heads, 0)
        drawn.append((words, heads))
    lengths = np.array([len(words) for words, _ in drawn])
    tags, heads = (np.full((size, lengths.max() + 1), fill) for fill in (ROOT, -1))
    for b, (words, of) in enumerate(drawn):
        tags[b, 1 : len(words) + 1], heads[b, 1 : len(words) + 1] = words, of
    is_word = np.arange(tags.shape[1])[None] <= lengths[:, None]
    is_word[:, 0] = False
    noise = is_word & (rng.random(tags.shape) < 1 / 12)
    tags[noise] = rng.integers(NOUN, COMP + 1, noise.sum())
    return tags, heads, lengths


def features(tags: np.ndarray) -> np.ndarray:
    """The number of the only feature of each arc, [b, modifier, head]: both tags, direction and distance."""
    place = np.arange(tags.shape[1])
    distance = np.clip(place[:, None] - place[None], -MOST_DISTANCE, MOST_DISTANCE) + MOST_DISTANCE
    pair = tags[:, :, None] * len(TAGS) + tags[:, None, :]
    return pair * (2 * MOST_DISTANCE + 1) + distance[None]


def train(tags: np.ndarray, heads: np.ndarray, lengths: np.ndarray, steps: int = 60) -> np.ndarray:
    """Weights that make the treebank's trees probable: gradient ascent, whose expectations are exact marginals."""
    of_arc = features(tags)
    b, m = np.nonzero(heads >= 0)
    size = len(TAGS) ** 2 * (2 * MOST_DISTANCE + 1)
    seen = np.bincount(of_arc[b, m, heads[b, m]], minlength=size)
    weights = np.zeros(size)
    for _ in range(steps):
        expected = treebound.marginals(weights[of_arc], lengths=lengths, threads=0).arcs
        gradient = seen - np.bincount(of_arc.ravel(), expected.ravel(), minlength=size)
        weights += gradient / (10 + seen) - 0.001 * weights
    return weights


def pair_scores(tags: np.ndarray, heads: np.ndarray, lengths: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """How much more often than by chance tags are inner and modifier of one head, or head and outermost child of one word: logs
    of ratios, as [head, inner, modifier] and [head, modifier, child], from counts of the treebank."""
    counts = np.ones((2, *[len(TAGS)] * 3))
    for tag, head, n in zip(tags, heads, lengths):
        for m in range(1, n + 1):
            h = head[m]
            between = [r for r in range(min(h, m) + 1, max(h, m)) if head[r] == h]
            inner = (max(between) if m > h else min(between)) if between else h
            counts[0, tag[h], tag[inner], tag[m]] += 1
            for side in (range(1, m), range(n, m, -1)):
                child = next((c for c in side if head[c] == m), None)
                if child is not None:
                    counts[1, tag[h], tag[m], tag[child]] += 1
    def ratio(of: np.ndarray, given: int) -> np.ndarray:
        """log P(a, b | c) - log P(a | c) - log P(b | c), where c is the axis `given`."""
        alone = of.sum(tuple(axis for axis in range(3) if axis != given), keepdims=True)
        others = [of.sum(axis, keepdims=True) for axis in range(3) if axis != given]
        return np.log(of * alone / (others[0] * others[1]))

    return 0.5 * ratio(counts[0], 0), 0.5 * ratio(counts[1], 1)


def subject_constraint(tags: np.ndarray, lengths: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Factors by which every verb has a noun to its left for a modifier.

    A tree gains 100 points for each verb that has one, more than other scores can make up for. Each arc from the verb to one
    of the three nearest nouns is worth them, each two arcs take them once, all three give them again: by inclusion and
    exclusion the sum is the same for one such arc and for more.
    """
    gain, sentences, sets, scores = 100.0, [], [], []
    width = 3
    for b, n in enumerate(lengths):
        for v in np.flatnonzero(tags[b, : n + 1] == VERB):
            nouns = [m for m in range(1, v) if tags[b, m] == NOUN][-width:]
            for chosen in range(1, 2 ** len(nouns)):
                arcs = [[m, v] for i, m in enumerate(nouns) if chosen >> i & 1]
                sentences.append(b)
                sets.append(arcs + [[-1, -1]] * (width - len(arcs)))
                scores.append(gain * (-1) ** (len(arcs) + 1))
    return np.array(sentences), np.array(sets), np.array(scores)


def report(name: str, heads: np.ndarray, tags: np.ndarray, gold: np.ndarray, note: str = "") -> None:
    """Accuracy, and how many verbs lack a subject that they could have."""
    words = gold >= 0
    right = (heads == gold)[words].mean()
    lacking = 0
    for tag, head in zip(tags, heads):
        for v in np.flatnonzero(tag == VERB):
            nouns = np.flatnonzero(tag[:v] == NOUN)
            lacking += len(nouns) > 0 and not (head[nouns] == v).any()
    print(f"{name:32} {right:7.2%} right heads, {lacking:3} verbs without a subject{note}")


def main() -> None:
    rng = np.random.default_rng(1)
    tags, heads, lengths = treebank(rng, 400)
    weights = train(tags, heads, lengths)
    of_siblings, of_grandchildren = pair_scores(tags, heads, lengths)

    tags, gold, lengths = treebank(rng, 200)
    arcs = weights[features(tags)]
    place = np.arange(tags.shape[1])
    greedy = np.where(place[None, None] > lengths[:, None, None], -np.inf, arcs)
    greedy[:, place, place] = -np.inf
    report("greedy", np.where(gold >= 0, greedy.argmax(2), -1), tags, gold)

    by_arcs = treebound.decode(arcs, lengths=lengths)
    report("arcs", by_arcs.heads, tags, gold)

    # [b, modifier, head, inner] and [b, modifier, head, child].
    h, m, third = tags[:, None, :, None], tags[:, :, None, None], tags[:, None, None, :]
    parts = {"siblings": of_siblings[h, third, m], "grandchildren": of_grandchildren[h, m, third]}
    second = treebound.decode(arcs, **parts, lengths=lengths)
    report("+ siblings, grandchildren", second.heads, tags, gold)

    exact = treebound.decode(arcs, **parts, factors=subject_constraint(tags, lengths), lengths=lengths)
    note = f"; {exact.optimal.mean():.0%} proven in {exact.calls.mean():.2f} calls, to {2 * exact.error.max():.0e}"
    report("+ every verb has a subject", exact.heads, tags, gold, note)


if __name__ == "__main__":
    main()
