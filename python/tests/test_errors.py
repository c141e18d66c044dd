"""What is wrong with an argument is told with the array and the index."""

from __future__ import annotations

import numpy as np
import pytest
import treebound

ARCS = np.zeros((2, 4, 4))


def at(array, *index, value):
    changed = np.array(array, copy=True)
    changed[index] = value
    return changed


SIBLINGS = np.zeros((2, 4, 4, 4))
ONE_FACTOR = ([0], [[[1, 0], [2, 1]]], [1.0])


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"arcs": at(ARCS, 1, 2, 3, value=np.nan)}, r"arcs\[1, 2, 3\] is NaN: a score is finite, or -inf"),
        ({"arcs": at(ARCS, 0, 1, 0, value=np.inf).astype("f4")}, r"arcs\[0, 1, 0\] is inf"),
        ({"arcs": at(ARCS, 0, 1, 0, value=np.nan), "candidates": ARCS == 0}, r"arcs\[0, 1, 0\] is NaN"),
        ({"arcs": np.full((1, 4, 4), 1e308)}, "sentence 0: scores are so large"),
        ({"arcs": ARCS[0]}, r"arcs has the shape \(4, 4\), not \(sentences, N \+ 1, N \+ 1\).* arcs\[None\]"),
        ({"arcs": ARCS[:, :3]}, r"arcs has the shape \(2, 3, 4\)"),
        ({"arcs": ARCS[:, :1, :1]}, "N >= 1 words"),
        ({"arcs": ARCS, "lengths": [3, 4]}, r"lengths\[1\] is 4; arcs has room for 1 to 3 words"),
        ({"arcs": ARCS, "lengths": [0, 3]}, r"lengths\[0\] is 0"),
        ({"arcs": ARCS, "lengths": [3]}, r"lengths has the shape \(1,\), not \(2,\)"),
        ({"arcs": ARCS, "siblings": SIBLINGS[:1]}, r"siblings has the shape \(1, 4, 4, 4\), not \(2, 4, 4, 4\)"),
        ({"arcs": ARCS, "siblings": at(SIBLINGS, 1, 3, 0, 2, value=np.nan)}, r"siblings\[1, 3, 0, 2\] is NaN"),
        ({"arcs": ARCS, "siblings": at(SIBLINGS, 1, 3, 0, 0, value=-np.inf)}, r"siblings\[1, 3, 0, 0\] is -inf: .* finite"),
        (
            {"arcs": ARCS, "siblings": at(SIBLINGS, 0, 1, 0, 0, value=np.nan), "factors": ONE_FACTOR},
            r"siblings\[0, 1, 0, 0\] is NaN",
        ),
        ({"arcs": ARCS, "grandchildren": at(SIBLINGS, 0, 1, 0, 2, value=np.nan)}, r"grandchildren\[0, 1, 0, 2\] is NaN"),
        ({"arcs": ARCS, "siblings": ([[0, 1, 0]], [1.0])}, r"siblings has an index of the shape \(1, 3\)"),
        ({"arcs": ARCS, "siblings": ([[0, 1, 0, 0]], [1.0, 2.0])}, r"scores of \(2,\), not \(K, 4\) and \(K,\)"),
        ({"arcs": ARCS, "siblings": ([[0, 1, 0, 0]], [1.0], [2])}, "siblings is a tuple of 3"),
        ({"arcs": ARCS, "siblings": ([[2, 1, 0, 0]], [1.0])}, "siblings: row 0: sentence 2 is not among the 2"),
        ({"arcs": ARCS, "siblings": ([[-1, 1, 0, 0]], [1.0])}, "siblings: row 0: sentence -1"),
        ({"arcs": ARCS, "siblings": ([[0, 4, 0, 0]], [1.0])}, r"siblings: row 0, \[0, 4, 0, 0\]: modifier 4 is not among"),
        ({"arcs": ARCS, "siblings": ([[0, 1, 0, 0]] * 2, [1.0, 2.0])}, r"siblings: row 1, .*: is given twice"),
        ({"arcs": ARCS, "siblings": ([[0, 1, 0, 0]], [np.nan])}, "siblings: the score of row 0 is NaN"),
        ({"arcs": ARCS, "grandchildren": ([[0, 1, 0, 0]], [1.0])}, "grandchildren: row 0, .*: child 0 is not among"),
        ({"arcs": ARCS, "grandchildren": ([[0, 1, 0, 2]] * 2, [1.0, 2.0])}, "grandchildren: row 1, .* twice"),
        ({"arcs": ARCS, "grand_siblings": SIBLINGS}, "grand_siblings must be a tuple"),
        ({"arcs": ARCS, "grand_siblings": ([[0, 2, 1, 1, 9]], [1.0])}, "grandparent 9 is not among the words 0 to 3"),
        ({"arcs": ARCS, "grand_siblings": ([[0, 2, 1, 1, 0]] * 2, [1.0, 2.0])}, "grand_siblings: row 1, .* twice"),
        ({"arcs": ARCS, "factors": ([0], [[[1, 4]]], [1.0])}, "factors: row 0, arc 0: head 4 is not among the words 0 to 3"),
        ({"arcs": ARCS, "factors": ([0], [[[1, -1]]], [1.0])}, "factors: row 0, arc 0: head -1"),
        ({"arcs": ARCS, "factors": ([9], [[[1, 0]]], [1.0])}, "factors: row 0: sentence 9"),
        ({"arcs": ARCS, "factors": ([0], [[[1, 0]]], [np.inf])}, "factors: the score of row 0 is inf"),
        ({"arcs": ARCS, "factors": ([0], [[1, 0]], [1.0])}, r"arcs of \(1, 2\) and scores of \(1,\), not"),
        ({"arcs": ARCS, "factors": ([0], [[[1, 0]]])}, "factors must be a tuple"),
        ({"arcs": ARCS, "factors": ONE_FACTOR, "prior": ARCS + 1.5}, r"prior\[0, 1, 0\] is 1.5: a probability"),
        ({"arcs": ARCS, "prior": ARCS[:1]}, r"prior has the shape \(1, 4, 4\), not that of arcs, \(2, 4, 4\)"),
        ({"arcs": ARCS, "trees": "all"}, 'trees is \'all\', not "projective" or "non-projective"'),
        ({"arcs": ARCS, "roots": 1}, 'roots is 1, not "one" or "several"'),
        ({"arcs": ARCS, "limits": {"call": 3}}, r"limits: unknown \['call'\]; there are calls, nodes and bytes"),
        ({"arcs": ARCS, "limits": {"calls": -3}}, "limits: calls is -3"),
        ({"arcs": ARCS, "grid": 0}, "grid is 0; it must be a positive number"),
        ({"arcs": ARCS + 1, "grid": 1e-17}, "sentence 0: grid=1e-17 is too fine .* is the finest"),
        ({"arcs": ARCS, "threads": -1}, "threads is -1"),
        ({"arcs": np.full((1, 3, 3), 2**63, np.uint64)}, "arcs holds integers beyond 64 bits with a sign"),
    ],
)
def test_values(given, message):
    with pytest.raises(ValueError, match=message):
        treebound.decode(**given)


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"arcs": ARCS.astype(complex)}, "arcs holds complex128, not integers or floating-point numbers"),
        ({"arcs": ARCS.astype(str)}, "arcs holds <U32"),
        ({"arcs": ARCS, "lengths": [3.0, 2.0]}, "lengths must be integers, not float64"),
        ({"arcs": ARCS, "candidates": ARCS}, "candidates must be booleans, not float64"),
        ({"arcs": ARCS, "siblings": ([[0.0, 1, 0, 0]], [1.0])}, "the index of siblings must be integers"),
    ],
)
def test_types(given, message):
    with pytest.raises(TypeError, match=message):
        treebound.decode(**given)


def test_other_functions():
    with pytest.raises(ValueError, match="k is 0; ask for one tree at least"):
        treebound.kbest(ARCS, 0)
    for scale in (0, -1, np.nan, np.inf):
        with pytest.raises(ValueError, match="scale is .*; it must be a positive number"):
            treebound.marginals(ARCS, scale=scale)
    with pytest.raises(ValueError, match="sentence 0: sums over trees that may cross .* leave other parts out"):
        treebound.marginals(ARCS, siblings=SIBLINGS, trees="non-projective")
    with pytest.raises(ValueError, match=r"arcs\[0, 1, 0\] is NaN"):
        treebound.entropy(at(ARCS, 0, 1, 0, value=np.nan))


def test_the_first_fault_is_told_whatever_the_threads():
    arcs = np.zeros((64, 4, 4))
    arcs[17:, 2, 1] = np.nan
    for _ in range(20):
        with pytest.raises(ValueError, match=r"arcs\[17, 2, 1\]"):
            treebound.decode(arcs, threads=4)


def test_an_empty_batch_has_empty_answers():
    answer = treebound.decode(np.zeros((0, 4, 4)))
    assert answer.heads.shape == (0, 4) and answer.score.shape == (0,) and answer.status.shape == (0,)
    assert treebound.kbest(np.zeros((0, 4, 4)), 2).score.shape == (0, 2)
    assert treebound.marginals(np.zeros((0, 4, 4))).arcs.shape == (0, 4, 4)


def test_any_layout_of_memory_will_do():
    rng = np.random.default_rng(2)
    arcs = rng.integers(-9, 9, (3, 6, 6)).astype(np.float64)
    truth = treebound.decode(arcs).score
    packed = np.zeros((3, 6, 6), np.dtype([("gap", "i1"), ("score", "f8")]))
    packed["score"] = arcs
    for other in (arcs.astype(">f8"), np.asfortranarray(arcs), arcs[::-1].copy()[::-1], packed["score"], arcs.tolist()):
        np.testing.assert_array_equal(treebound.decode(other).score, truth)
