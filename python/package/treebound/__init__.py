"""Exact dependency parsing of your own scores, with a proof.

Scores come as NumPy arrays for a padded batch of sentences, and answers go back as such. With ``B`` sentences of at most
``N`` words, ``arcs[b, modifier, head]`` has the shape ``(B, N + 1, N + 1)``: words are numbered from 1, and 0 is the root.
Row 0, the diagonal, and what lies behind a sentence's length are not looked at.

* `decode`: the best tree of each sentence, and whether that is proven;
* `kbest`: the best trees in order;
* `marginals`, `entropy`: the probabilities of arcs where a tree is drawn in proportion to ``exp(score)``;
* `mbr`: the tree with most expected right heads.

Arrays may hold integers, float32 or float64. Anything that `numpy.asarray` takes will do, PyTorch tensors on the CPU too.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any, Literal, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

from . import _core

__all__ = ["Decoded", "KBest", "Limits", "Marginals", "decode", "entropy", "kbest", "marginals", "mbr"]

Parts: TypeAlias = ArrayLike | tuple[ArrayLike, ArrayLike]
"""Scores of parts: an array with an axis for each word, or a tuple ``(index, scores)`` of those that have one."""

Factors: TypeAlias = tuple[ArrayLike, ArrayLike, ArrayLike]
"""Factors: ``(sentence, arcs, scores)`` of the shapes ``(K,)``, ``(K, width, 2)`` and ``(K,)``."""

Trees: TypeAlias = Literal["projective", "non-projective"]
Roots: TypeAlias = Literal["one", "several"]

_STATUSES = np.array(_core.STATUSES)

_SOLID: list[Literal["C", "A"]] = ["C", "A"]
"""What the compiled part asks of the memory of arrays."""


@dataclass(frozen=True)
class Limits:
    """When a search gives up. Limits are counts, so that answers do not depend on the machine.

    Attributes:
        calls: Most passes of the dynamic program for one sentence; None for no limit.
        nodes: Most nodes of branch and bound for one sentence.
        bytes: Most bytes of a sentence's graph, its decoding and its search.
    """

    calls: int | None = None
    nodes: int | None = None
    bytes: int | None = None


@dataclass(frozen=True)
class Decoded:
    """The best trees of a batch.

    Attributes:
        heads: ``(B, N + 1)``, int64: the head of each word. -1 for the root, for padding, and where there is no tree.
        score: ``(B,)``: the score of each tree, int64 for integers and float64 otherwise. Without a tree it is the least
            integer, or -inf.
        bound: ``(B,)``: no tree scores more. Equal to `score` where that is proven; the greatest integer, or inf, where a search
            stopped before it had one.
        status: ``(B,)``, strings: ``optimal``, ``infeasible`` (there is no tree), or which limit stopped the search:
            ``dp-call-limit``, ``node-limit``, ``memory-limit``.
        calls: ``(B,)``, int64: passes of the dynamic program.
        nodes: ``(B,)``, int64: nodes of branch and bound.
        step: ``(B,)``: scores are whole multiples of this power of two, the grid; 1 for integers.
        error: ``(B,)``: floats are rounded to the grid. That changes the score of any tree by at most this. So no tree scores
            more than ``bound + error`` before rounding, and an optimal one is within ``2 * error`` of the best. 0 where all
            scores are multiples of the step, as integers are.
    """

    heads: NDArray[np.int64]
    score: NDArray[Any]
    bound: NDArray[Any]
    status: NDArray[np.str_]
    calls: NDArray[np.int64]
    nodes: NDArray[np.int64]
    step: NDArray[np.float64]
    error: NDArray[np.float64]

    @property
    def optimal(self) -> NDArray[np.bool_]:
        """``(B,)``: where the tree is proven to be a best one, to within ``2 * error``."""
        return np.asarray(self.status == "optimal")


@dataclass(frozen=True)
class KBest:
    """The best trees of a batch in order.

    Attributes:
        heads: ``(B, k, N + 1)``, int64, as in `Decoded`; -1 throughout beyond `count`.
        score: ``(B, k)``: descending.
        count: ``(B,)``, int64: trees found; fewer than k if there are no more.
        status: ``(B,)``, strings: ``optimal`` if the list is proven, to within the error; otherwise as in `Decoded`.
        step, error: as in `Decoded`.
    """

    heads: NDArray[np.int64]
    score: NDArray[Any]
    count: NDArray[np.int64]
    status: NDArray[np.str_]
    step: NDArray[np.float64]
    error: NDArray[np.float64]


class Marginals(NamedTuple):
    """Sums over all trees.

    Attributes:
        arcs: ``(B, N + 1, N + 1)``, float64: the probability of each arc; 0 for what is no arc.
        log_z: ``(B,)``, float64: the logarithm of the sum of ``exp(score)``; -inf where there is no tree.
    """

    arcs: NDArray[np.float64]
    log_z: NDArray[np.float64]


@dataclass
class _Arguments:
    """What the compiled functions share: arrays of the types that they take, without gaps."""

    lengths: NDArray[np.int64]
    candidates: NDArray[np.bool_] | None
    prior: NDArray[np.float64] | None
    siblings: Any
    grandchildren: Any
    grand_siblings: Any
    factors: Any
    projective: bool
    single_root: bool
    threads: int


def decode(
    arcs: ArrayLike,
    siblings: Parts | None = None,
    grandchildren: Parts | None = None,
    grand_siblings: tuple[ArrayLike, ArrayLike] | None = None,
    factors: Factors | None = None,
    trees: Trees = "projective",
    roots: Roots = "one",
    prior: ArrayLike | None = None,
    limits: Limits | Mapping[str, int | None] | None = None,
    *,
    lengths: ArrayLike | None = None,
    candidates: ArrayLike | None = None,
    grid: float | None = None,
    threads: int = 1,
) -> Decoded:
    """The best tree of each sentence.

    The score of a tree is the sum of those of its arcs and of what else is given. A dynamic program finds it where there are
    no factors, in cubic time for arcs and siblings. With factors it is branch and bound; and with anything but arcs where arcs
    may cross.

    Args:
        arcs: ``arcs[b, modifier, head]``, of the shape ``(B, N + 1, N + 1)``. -inf rules an arc out.
        siblings: ``siblings[b, modifier, head, inner]``: `inner` is the next modifier of `head` towards it, on the same
            side; or `head` itself if `modifier` is the first there. An array of the shape ``(B, N + 1, N + 1, N + 1)``, or a
            tuple ``(index, scores)``: the rows of `index`, of the shape ``(K, 4)``, say which parts the ``(K,)`` scores are
            of, and all others have 0.
        grandchildren: ``grandchildren[b, modifier, head, child]``: `child` is the outermost modifier of `modifier` on its
            side. An array or a tuple as for `siblings`.
        grand_siblings: a tuple of ``index``, rows ``[b, modifier, head, inner, grandparent]`` where `grandparent` is the head
            of `head`, and scores.
        factors: a tuple ``(sentence, arcs, scores)``: factor ``k`` of sentence ``sentence[k]`` counts when the tree has all
            arcs ``arcs[k]``, rows ``[modifier, head]``. Rows of -1 pad factors with fewer arcs.
        trees: ``"projective"`` or ``"non-projective"``.
        roots: whether ``"one"`` word or ``"several"`` may have the root for its head.
        prior: ``prior[b, modifier, head]``, probabilities, by which a search with factors begins. They can save calls, and
            never change a proven score.
        limits: when a search gives up, as `Limits` or a mapping.
        lengths: ``(B,)``, the words of each sentence; N if not given.
        candidates: ``(B, N + 1, N + 1)``, booleans: False rules an arc out, whatever its score.
        grid: floats are rounded to multiples of the largest power of two up to this. If it is not given, to the finest for
            which all sums are exact: see `Decoded.error`. A coarser one can make a search shorter.
        threads: sentences are shared out over so many threads; 0 for one per processor. Answers do not depend on it.

    Raises:
        ValueError: if a shape, an index, or a score is not as above, naming the array and the index.
        TypeError: if an array holds no numbers.
    """
    scores, arguments = _arguments(
        arcs, siblings, grandchildren, grand_siblings, factors, trees, roots, prior, lengths, candidates, threads
    )
    answer = _core.decode(scores, arguments, _grid(grid), _limits(limits))
    answer["status"] = _STATUSES[answer["status"]]
    return Decoded(**answer)


def kbest(
    arcs: ArrayLike,
    k: int,
    siblings: Parts | None = None,
    grandchildren: Parts | None = None,
    grand_siblings: tuple[ArrayLike, ArrayLike] | None = None,
    factors: Factors | None = None,
    trees: Trees = "projective",
    roots: Roots = "one",
    prior: ArrayLike | None = None,
    limits: Limits | Mapping[str, int | None] | None = None,
    *,
    lengths: ArrayLike | None = None,
    candidates: ArrayLike | None = None,
    grid: float | None = None,
    threads: int = 1,
) -> KBest:
    """The best `k` trees of each sentence, best first. Arguments and errors are those of `decode`."""
    if k < 1:
        raise ValueError(f"k is {k}; ask for one tree at least")
    scores, arguments = _arguments(
        arcs, siblings, grandchildren, grand_siblings, factors, trees, roots, prior, lengths, candidates, threads
    )
    answer = _core.kbest(scores, arguments, k, _grid(grid), _limits(limits))
    answer["status"] = _STATUSES[answer["status"]]
    answer["score"] = np.stack(answer["score"], axis=1)
    return KBest(**answer)


def marginals(
    arcs: ArrayLike,
    siblings: Parts | None = None,
    grandchildren: Parts | None = None,
    grand_siblings: tuple[ArrayLike, ArrayLike] | None = None,
    trees: Trees = "projective",
    roots: Roots = "one",
    *,
    lengths: ArrayLike | None = None,
    candidates: ArrayLike | None = None,
    scale: float = 1.0,
    threads: int = 1,
) -> Marginals:
    """The probability of each arc, where a tree is drawn in proportion to ``exp(score / scale)``.

    Arguments and errors are otherwise those of `decode`. Where arcs may cross, they alone may have scores.
    """
    scores, arguments = _arguments(
        arcs, siblings, grandchildren, grand_siblings, None, trees, roots, None, lengths, candidates, threads
    )
    return Marginals(**_core.marginals(scores, arguments, _positive("scale", scale)))


def entropy(
    arcs: ArrayLike,
    siblings: Parts | None = None,
    grandchildren: Parts | None = None,
    grand_siblings: tuple[ArrayLike, ArrayLike] | None = None,
    trees: Trees = "projective",
    roots: Roots = "one",
    *,
    lengths: ArrayLike | None = None,
    candidates: ArrayLike | None = None,
    scale: float = 1.0,
    threads: int = 1,
) -> NDArray[np.float64]:
    """The entropy of the trees of each sentence in nats, drawn as for `marginals`: ``(B,)``, NaN where there is no tree."""
    scores, arguments = _arguments(
        arcs, siblings, grandchildren, grand_siblings, None, trees, roots, None, lengths, candidates, threads
    )
    return _core.entropy(scores, arguments, _positive("scale", scale))


def mbr(
    arcs: ArrayLike,
    siblings: Parts | None = None,
    grandchildren: Parts | None = None,
    grand_siblings: tuple[ArrayLike, ArrayLike] | None = None,
    trees: Trees = "projective",
    roots: Roots = "one",
    *,
    lengths: ArrayLike | None = None,
    candidates: ArrayLike | None = None,
    scale: float = 1.0,
    threads: int = 1,
) -> Decoded:
    """The tree with most expected right heads (minimum Bayes risk) of each sentence, drawn as for `marginals`.

    The answer's scores are expected numbers of right heads.
    """
    probabilities = marginals(
        arcs,
        siblings,
        grandchildren,
        grand_siblings,
        trees,
        roots,
        lengths=lengths,
        candidates=candidates,
        scale=scale,
        threads=threads,
    )
    allowed = np.asarray(arcs) != -np.inf
    if candidates is not None:
        allowed &= np.asarray(candidates, dtype=bool)
    return decode(
        probabilities.arcs, trees=trees, roots=roots, lengths=lengths, candidates=allowed, threads=threads
    )


def _arguments(
    arcs: ArrayLike,
    siblings: Parts | None,
    grandchildren: Parts | None,
    grand_siblings: tuple[ArrayLike, ArrayLike] | None,
    factors: Factors | None,
    trees: Trees,
    roots: Roots,
    prior: ArrayLike | None,
    lengths: ArrayLike | None,
    candidates: ArrayLike | None,
    threads: int,
) -> tuple[NDArray[Any], _Arguments]:
    """Arrays of one type of numbers, their shapes checked."""
    scores = np.asarray(arcs)
    shape = scores.shape
    if len(shape) != 3 or shape[1] != shape[2] or shape[1] < 2:
        raise ValueError(
            f"arcs has the shape {shape}, not (sentences, N + 1, N + 1) with N >= 1 words; a single sentence is arcs[None]"
        )
    if trees not in ("projective", "non-projective"):
        raise ValueError(f'trees is {trees!r}, not "projective" or "non-projective"')
    if roots not in ("one", "several"):
        raise ValueError(f'roots is {roots!r}, not "one" or "several"')
    if threads < 0:
        raise ValueError(f"threads is {threads}; give a number, or 0 for one per processor")

    # Each array of scores as it is, then all of the type that loses nothing.
    raw: dict[str, NDArray[Any]] = {"arcs": scores}
    index: dict[str, NDArray[np.int64]] = {}
    for name, parts, axes in (
        ("siblings", siblings, 4),
        ("grandchildren", grandchildren, 4),
        ("grand_siblings", grand_siblings, 5),
    ):
        if parts is None:
            continue
        if isinstance(parts, tuple):
            if len(parts) != 2:
                raise ValueError(f"{name} is a tuple of {len(parts)}, not of index and scores")
            rows, raw[name] = _integers(f"the index of {name}", parts[0]), np.asarray(parts[1])
            if rows.ndim != 2 or rows.shape[1] != axes or raw[name].shape != rows.shape[:1]:
                raise ValueError(
                    f"{name} has an index of the shape {rows.shape} and scores of {raw[name].shape},"
                    f" not (K, {axes}) and (K,)"
                )
            index[name] = rows
        else:
            raw[name] = np.asarray(parts)
            if axes == 5:
                raise ValueError(f"{name} must be a tuple of index and scores: an array would have five axes")
            if raw[name].shape != (*shape, shape[1]):
                raise ValueError(f"{name} has the shape {raw[name].shape}, not {(*shape, shape[1])}")
    if factors is not None:
        if not isinstance(factors, tuple) or len(factors) != 3:
            raise ValueError("factors must be a tuple of sentence, arcs and scores")
        sentence = _integers("the sentences of factors", factors[0])
        ends = _integers("the arcs of factors", factors[1])
        raw["factors"] = np.asarray(factors[2])
        count = raw["factors"].shape
        if len(count) != 1 or sentence.shape != count or ends.ndim != 3 or (ends.shape[0], ends.shape[2]) != (*count, 2):
            raise ValueError(
                f"factors have sentences of the shape {sentence.shape}, arcs of {ends.shape} and scores of {count},"
                " not (K,), (K, width, 2) and (K,)"
            )
    for name, array in raw.items():
        if array.dtype.kind not in "biuf":
            raise TypeError(f"{name} holds {array.dtype}, not integers or floating-point numbers")
    common = np.result_type(*{array.dtype for array in raw.values()})
    if common.kind != "f":
        dtype: np.dtype[Any] = np.dtype(np.int64)
        for name, array in raw.items():
            if array.dtype == np.uint64 and array.size and int(array.max()) > np.iinfo(np.int64).max:
                raise ValueError(f"{name} holds integers beyond 64 bits with a sign")
    else:
        dtype = np.dtype(np.float32 if common.itemsize <= 4 else np.float64)
    scored = {name: np.require(array, dtype, _SOLID) for name, array in raw.items()}

    def part(name: str) -> Any:
        return (index[name], scored[name]) if name in index else scored.get(name)

    sentences, cells = shape[0], shape[1]
    if lengths is None:
        words = np.full(sentences, cells - 1, dtype=np.int64)
    else:
        words = _integers("lengths", lengths)
        if words.shape != (sentences,):
            raise ValueError(f"lengths has the shape {words.shape}, not ({sentences},)")
        wrong = np.flatnonzero((words < 1) | (words >= cells))
        if wrong.size:
            b = int(wrong[0])
            raise ValueError(f"lengths[{b}] is {words[b]}; arcs has room for 1 to {cells - 1} words")
    arguments = _Arguments(
        lengths=words,
        candidates=_like_arcs("candidates", candidates, shape, np.bool_),
        prior=_like_arcs("prior", prior, shape, np.float64),
        siblings=part("siblings"),
        grandchildren=part("grandchildren"),
        grand_siblings=part("grand_siblings"),
        factors=None if factors is None else (sentence, ends, scored["factors"]),
        projective=trees == "projective",
        single_root=roots == "one",
        threads=threads or os.cpu_count() or 1,
    )
    return scored["arcs"], arguments


def _limits(limits: Limits | Mapping[str, int | None] | None) -> tuple[int | None, int | None, int | None]:
    if isinstance(limits, Mapping):
        unknown = set(limits) - {field.name for field in fields(Limits)}
        if unknown:
            raise ValueError(f"limits: unknown {sorted(unknown)}; there are calls, nodes and bytes")
        limits = Limits(**limits)
    limits = limits or Limits()
    for name, limit in (("calls", limits.calls), ("nodes", limits.nodes), ("bytes", limits.bytes)):
        if limit is not None and limit < 0:
            raise ValueError(f"limits: {name} is {limit}; a limit is 0 or more, or None")
    return limits.calls, limits.nodes, limits.bytes


def _integers(name: str, values: ArrayLike) -> NDArray[np.int64]:
    array = np.asarray(values)
    if array.dtype.kind not in "iu" and array.size:
        raise TypeError(f"{name} must be integers, not {array.dtype}")
    return np.require(array, np.int64, _SOLID)


def _like_arcs(name: str, values: ArrayLike | None, shape: tuple[int, ...], dtype: type[Any]) -> NDArray[Any] | None:
    if values is None:
        return None
    array = np.asarray(values)
    if array.shape != shape:
        raise ValueError(f"{name} has the shape {array.shape}, not that of arcs, {shape}")
    if dtype is np.bool_ and array.dtype != np.bool_:
        raise TypeError(f"{name} must be booleans, not {array.dtype}")
    if array.dtype.kind not in "biuf":
        raise TypeError(f"{name} holds {array.dtype}, not numbers")
    return np.require(array, dtype, _SOLID)


def _positive(name: str, value: float) -> float:
    if not 0 < value < np.inf:
        raise ValueError(f"{name} is {value}; it must be a positive number")
    return float(value)


def _grid(grid: float | None) -> float | None:
    return None if grid is None else _positive("grid", grid)
