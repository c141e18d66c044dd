"""Every function and argument against brute force, up to six words."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations

import numpy as np
import pytest
import treebound
from draw import PARTS, Drawn

DTYPES = (np.int64, np.int16, np.float32, np.float64)
SUBSETS = [subset for size in range(len(PARTS) + 1) for subset in combinations(PARTS, size)]


def check_tree(sentence, heads, score, **trees):
    """The heads are those of a tree of the sentence with that score, and -1 elsewhere."""
    n = sentence.words
    assert heads[0] == -1 and (heads[n + 1 :] == -1).all()
    tree = tuple(int(h) for h in heads[1 : n + 1])
    assert tree in sentence.trees(**trees)
    assert sentence.score(tree) == score


@pytest.mark.parametrize("trees", ["projective", "non-projective"])
@pytest.mark.parametrize("roots", ["one", "several"])
@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("sparse", [False, True])
@pytest.mark.parametrize("parts", SUBSETS, ids="+".join)
def test_best_tree(parts, sparse, dtype, roots, trees):
    which = {"single_root": roots == "one", "projective": trees == "projective"}
    seen = set()
    for seed in range(3):
        drawn = Drawn(seed, dtype, parts, sparse, most=6 if which["projective"] else 5)
        answer = treebound.decode(**drawn.arguments, roots=roots, trees=trees)
        assert (answer.error == 0).all() and answer.heads.dtype == np.int64
        for b, sentence in enumerate(drawn.sentences):
            all_trees = sentence.trees(**which)
            seen.add(bool(all_trees))
            if all_trees:
                best = max(map(sentence.score, all_trees))
                assert (answer.status[b], answer.score[b], answer.bound[b]) == ("optimal", best, best)
                check_tree(sentence, answer.heads[b], best, **which)
            else:
                assert answer.status[b] == "infeasible" and (answer.heads[b] == -1).all()
    assert seen == {True, False}


@pytest.mark.parametrize("parts", [(), ("siblings",), ("grandchildren", "factors")], ids="+".join)
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("grid", [None, 0.1, 2.0])
def test_floats_are_within_the_error(parts, dtype, grid):
    """Scores of no grid: sums are exact as fractions."""
    for seed in range(5):
        drawn = Drawn(seed, dtype, most=5)
        rng = np.random.default_rng(seed)
        shape = drawn.arguments["arcs"].shape
        arcs = rng.normal(size=shape).astype(dtype)
        given = {"arcs": arcs}
        for part in parts:
            if part == "factors":
                rows = np.array([[[2, 1], [3, 2]], [[1, 0], [2, 1]]])
                given[part] = (np.zeros(2, int), rows, rng.normal(size=2).astype(dtype))
            else:
                given[part] = rng.normal(size=(*shape, shape[1])).astype(dtype)
        lengths = np.full(shape[0], 4)
        answer = treebound.decode(**given, lengths=lengths, grid=grid)
        assert answer.optimal.all()
        if grid:
            assert (answer.step <= grid).all() and (answer.step > grid / 2).all()
        for b, sentence in enumerate(drawn.sentences):
            sentence.words = 4
            words = range(5)
            sentence.arcs = {(m, h): Fraction(float(arcs[b, m, h])) for m in words for h in words}
            for part in set(parts) - {"factors"}:
                scores = given[part]
                part_of = {(m, h, r): Fraction(float(scores[b, m, h, r])) for m in words for h in words for r in words}
                setattr(sentence, part, part_of)
            if "factors" in parts and b == 0:
                _, rows, scores = given["factors"]
                sentence.factors = [([tuple(arc) for arc in arcs_], Fraction(float(s))) for arcs_, s in zip(rows, scores)]
            step, error = Fraction(answer.step[b]), Fraction(answer.error[b])
            best = max(map(sentence.score, sentence.trees()))
            own = sentence.score(tuple(int(h) for h in answer.heads[b, 1:5]))
            assert (Fraction(answer.score[b]) / step).denominator == 1
            assert abs(own - Fraction(answer.score[b])) <= error
            assert own >= best - 2 * error and best <= Fraction(answer.bound[b]) + error
            assert (error > 0 or not grid) and error <= 5 * 4 * step


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("parts", [p for p in SUBSETS if "factors" in p], ids="+".join)
def test_limits_and_priors_never_lie(parts, dtype):
    stopped = 0
    for seed in range(6):
        drawn = Drawn(seed, dtype, parts)
        prior = drawn.rng.random(drawn.arguments["arcs"].shape)
        for limits in ({"calls": 1}, treebound.Limits(nodes=1), {"bytes": 1}):
            answer = treebound.decode(**drawn.arguments, prior=prior, limits=limits)
            for b, sentence in enumerate(drawn.sentences):
                trees = sentence.trees()
                best = max(map(sentence.score, trees), default=None)
                if answer.status[b] == "memory-limit":
                    assert "bytes" in str(limits) and answer.bound[b] >= 2**40
                    continue
                assert (answer.status[b] == "infeasible") == (not trees)
                if trees:
                    assert answer.score[b] <= best <= answer.bound[b]
                    assert answer.optimal[b] <= (answer.score[b] == best)
                    check_tree(sentence, answer.heads[b], answer.score[b])
                stopped += not answer.optimal[b] and bool(trees)
        assert (treebound.decode(**drawn.arguments, limits={"bytes": 1}).status == "memory-limit").all()
        free = treebound.decode(**drawn.arguments, prior=prior)
        assert (free.score == treebound.decode(**drawn.arguments).score).all()
    # The third-order program has no use for a second call on sentences this short.
    assert stopped or "grand_siblings" in parts


@pytest.mark.parametrize("roots", ["one", "several"])
@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("parts", [p for p in SUBSETS if "factors" not in p], ids="+".join)
def test_sums_over_trees(parts, dtype, roots):
    for seed in range(3):
        drawn = Drawn(seed, dtype, parts, sparse=bool(seed % 2))
        scale = 3.0 if np.dtype(dtype).kind == "i" else 1.0
        given = {**drawn.arguments, "roots": roots, "scale": scale}
        sums, entropy, answer = treebound.marginals(**given), treebound.entropy(**given), treebound.mbr(**given)
        for b, sentence in enumerate(drawn.sentences):
            trees = sentence.trees(single_root=roots == "one")
            if not trees:
                assert sums.log_z[b] == -np.inf and np.isnan(entropy[b]) and (sums.arcs[b] == 0).all()
                continue
            scores = np.array([sentence.score(tree) / scale for tree in trees], float)
            log_z = np.logaddexp.reduce(scores)
            p = np.exp(scores - log_z)
            truth = np.zeros_like(sums.arcs[b])
            for tree, probability in zip(trees, p):
                for m, h in enumerate(tree, 1):
                    truth[m, h] += probability
            np.testing.assert_allclose(sums.log_z[b], log_z, atol=1e-9)
            np.testing.assert_allclose(sums.arcs[b], truth, atol=1e-9)
            np.testing.assert_allclose(entropy[b], -(p * np.log(p)).sum(), atol=1e-9)
            # The tree with most expected right heads.
            expected = [sum(truth[m, h] for m, h in enumerate(tree, 1)) for tree in trees]
            np.testing.assert_allclose(answer.score[b], max(expected), atol=1e-9)


@pytest.mark.parametrize("roots", ["one", "several"])
@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("trees", ["projective", "non-projective"])
@pytest.mark.parametrize("parts", SUBSETS, ids="+".join)
@pytest.mark.parametrize("k", [1, 7])
def test_best_trees_in_order(parts, dtype, roots, k, trees):
    which = {"single_root": roots == "one", "projective": trees == "projective"}
    for seed in range(2):
        drawn = Drawn(seed, dtype, parts, sparse=bool(seed % 2), most=5)
        answer = treebound.kbest(**drawn.arguments, k=k, roots=roots, trees=trees)
        for b, sentence in enumerate(drawn.sentences):
            truth = sorted(map(sentence.score, sentence.trees(**which)), reverse=True)[:k]
            count = int(answer.count[b])
            assert count == len(truth) and list(answer.score[b, :count]) == truth
            assert answer.status[b] == ("optimal" if truth else "infeasible")
            found = {tuple(heads) for heads in answer.heads[b, :count]}
            assert len(found) == count and (answer.heads[b, count:] == -1).all()
            for heads, score in zip(answer.heads[b, :count], truth):
                check_tree(sentence, heads, score, **which)


@pytest.mark.parametrize("roots", ["one", "several"])
@pytest.mark.parametrize("dtype", DTYPES)
def test_trees_that_may_cross(dtype, roots):
    which = {"projective": False, "single_root": roots == "one"}
    crossing = 0
    for seed in range(4):
        drawn = Drawn(seed, dtype, most=5)
        given = {**drawn.arguments, "trees": "non-projective", "roots": roots}
        best, ordered = treebound.decode(**given), treebound.kbest(**given, k=5)
        sums, entropy, risk = treebound.marginals(**given), treebound.entropy(**given), treebound.mbr(**given)
        for b, sentence in enumerate(drawn.sentences):
            trees = sentence.trees(**which)
            if not trees:
                assert best.status[b] == "infeasible" and ordered.count[b] == 0 and sums.log_z[b] == -np.inf
                continue
            scores = np.array([float(sentence.score(tree)) for tree in trees])
            assert best.optimal[b] and best.score[b] == scores.max()
            check_tree(sentence, best.heads[b], best.score[b], **which)
            crossing += scores.max() > max(map(sentence.score, sentence.trees(single_root=roots == "one")), default=-np.inf)
            truth = sorted(scores, reverse=True)[:5]
            assert list(ordered.score[b, : len(truth)]) == truth and ordered.count[b] == len(truth)
            for heads, score in zip(ordered.heads[b], truth):
                check_tree(sentence, heads, score, **which)
            log_z = np.logaddexp.reduce(scores)
            p = np.exp(scores - log_z)
            of_arc = np.zeros_like(sums.arcs[b])
            for tree, probability in zip(trees, p):
                for m, h in enumerate(tree, 1):
                    of_arc[m, h] += probability
            np.testing.assert_allclose(sums.log_z[b], log_z, atol=1e-9)
            np.testing.assert_allclose(sums.arcs[b], of_arc, atol=1e-9)
            np.testing.assert_allclose(entropy[b], -(p * np.log(p, where=p > 0, out=np.zeros_like(p))).sum(), atol=1e-9)
            expected = max(sum(of_arc[m, h] for m, h in enumerate(tree, 1)) for tree in trees)
            np.testing.assert_allclose(risk.score[b], expected, atol=1e-9)
    assert crossing


@pytest.mark.parametrize("threads", [0, 2, 5])
def test_threads_change_nothing(threads):
    drawn = Drawn(3, np.float64, PARTS, size=40)
    one, more = treebound.decode(**drawn.arguments), treebound.decode(**drawn.arguments, threads=threads)
    for name in ("heads", "score", "bound", "status", "calls", "nodes", "step", "error"):
        np.testing.assert_array_equal(getattr(one, name), getattr(more, name))


def test_large_integers_are_exact():
    """Sums beyond the 53 bits of a float differ by one."""
    rng = np.random.default_rng(5)
    for siblings in (False, True):
        arcs = rng.integers(2**57, 2**57 + 3, (8, 6, 6))
        given = {"siblings": rng.integers(0, 2, (8, 6, 6, 6))} if siblings else {}
        answer = treebound.decode(arcs, **given)
        for b in range(8):
            drawn = Drawn(0, np.int64, size=1)
            sentence = drawn.sentences[0]
            sentence.words = 5
            words = range(6)
            sentence.arcs = {(m, h): int(arcs[b, m, h]) for m in words for h in words}
            if siblings:
                of = {(m, h, r): int(given["siblings"][b, m, h, r]) for m in words for h in words for r in words}
                sentence.siblings = of
            assert int(answer.score[b]) == max(map(sentence.score, sentence.trees()))
    with pytest.raises(ValueError, match="sentence 0: .* do not fit 64 bits"):
        treebound.decode(np.full((1, 8, 8), 2**61))
