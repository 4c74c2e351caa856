#!/usr/bin/env python3
"""The lemmas of docs/triangle-unit.md, by z3 over the reals; as in lemmas.py each is also asked with something left out.

Exit code 0 if all hold, 1 if one does not, 77 if z3 is not to be had.
"""

import sys

from lemmas import magnitude, prove, real, z3

# A product of three coordinates of differences, exact and rounded, off by at most e each; M bounds the rounded ones.
x, y, z, X, Y, Z, M, e = real("x", "y", "z", "X", "Y", "Z", "M", "e")
close = [e > 0, M >= 0] + [bound for v, V in ((x, X), (y, Y), (z, Z)) for bound in (v - V <= e, V - v <= e)]
small = [bound for V in (X, Y, Z) for bound in (V <= M, -V <= M)]

# A triangle with heights w above the plane of the other and unit coordinates u; l is a point of it in that plane.
l, w, u = real("l0", "l1", "l2"), real("w0", "w1", "w2"), real("u0", "u1", "u2")
EDGES = ((0, 1), (1, 2), (2, 0))
point = [share >= 0 for share in l] + [sum(l) == 1, sum(s * h for s, h in zip(l, w)) == 0]
u_of_point = sum(s * v for s, v in zip(l, u))


def beyond_if_crossing(i, k):
    """Where the edge from i to k meets the plane, going up or down, the point of it has u below 0."""
    up = z3.Or(z3.And(w[i] <= 0, w[k] > 0), z3.And(w[i] < 0, w[k] >= 0))
    down = z3.Or(z3.And(w[k] <= 0, w[i] > 0), z3.And(w[k] < 0, w[i] >= 0))
    value = w[k] * u[i] - w[i] * u[k]
    return z3.And(z3.Implies(up, value < 0), z3.Implies(down, -value < 0))


beyond = [beyond_if_crossing(i, k) for i, k in EDGES]
no_edge_within = [z3.Or(w[i] != 0, w[k] != 0) for i, k in EDGES]
value, rounded_value, bound = real("value", "rounded", "bound")

HOLD = [
    ("the error of a product of three", close + small, magnitude(x * y * z - X * Y * Z) <= 3 * e * (M + e) * (M + e)),
    ("a sign beyond the error is certain", [magnitude(value - rounded_value) <= bound, rounded_value > bound], value > 0),
    ("all pierced points beyond a side: no point of the triangle is inside", point + beyond + no_edge_within, u_of_point < 0),
    ("all corners above a plane: none of the triangle lies in it", [share >= 0 for share in l] + [sum(l) == 1] + [h > 0 for h in w],
     sum(s * h for s, h in zip(l, w)) > 0),
]
FAIL = [
    ("with an error that leaves out its own square", close + small, magnitude(x * y * z - X * Y * Z) <= 3 * e * M * M),
    ("with a third of the error", close + small, magnitude(x * y * z - X * Y * Z) <= e * (M + e) * (M + e)),
    ("with the sign bit", [magnitude(value - rounded_value) <= bound, bound > 0, rounded_value > 0], value > 0),
    ("with an edge left out", point + beyond[:2] + no_edge_within, u_of_point < 0),
    ("with an edge that may lie in the plane", point + beyond, u_of_point < 0),
]


def vector(name):
    return [z3.Real(name + axis) for axis in "xyz"]


def cross(a, b):
    return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]


def dot(a, b):
    return sum(s * t for s, t in zip(a, b))


def minus(a, b):
    return [s - t for s, t in zip(a, b)]


def triple(a, b, c):
    return dot(cross(a, b), c)


# As in may_meet(): corners p_i of a and edges of b from its first corner; u, v of an edge from p to q.
p, e1, e2 = [vector(f"p{i}") for i in range(3)], vector("e"), vector("f")
normal = cross(e1, e2)


def height(at):
    return dot(normal, at)


def homogeneous_u(s, t):
    return -dot(cross(s, t), e2)


def homogeneous_v(s, t):
    return dot(cross(s, t), e1)


volume = triple(*p)
sum_u = sum(homogeneous_u(p[i], p[k]) for i, k in EDGES)
sum_v = sum(homogeneous_v(p[i], p[k]) for i, k in EDGES)
from_first = [minus(p[1], p[0]), minus(p[2], p[0])]
pierced = [height(p[1]) * s - height(p[0]) * t for s, t in zip(p[0], p[1])]  # times the total of the heights

# Polynomials that are the same, by multiplying out.
SAME = [
    ("what is left to 1 is a triple product of differences",
     [(height(p[1]) - height(p[0]) - homogeneous_u(p[0], p[1]) - homogeneous_v(p[0], p[1]),
       triple(minus(p[0], e1), minus(p[1], e1), minus(e2, e1)))]),
    ("heights of b's corners above a",
     [(-volume, triple(*from_first, minus([0, 0, 0], p[0]))), (sum_v - volume, triple(*from_first, minus(e1, p[0]))),
      (-sum_u - volume, triple(*from_first, minus(e2, p[0])))]),
    # A point u e1 + v e2 of the plane has (point x e2) = u n and (e1 x point) = v n.
    ("u of the pierced point", [(s, homogeneous_u(p[0], p[1]) * t) for s, t in zip(cross(pierced, e2), normal)]),
    ("v of the pierced point", [(s, homogeneous_v(p[0], p[1]) * t) for s, t in zip(cross(e1, pierced), normal)]),
]


def multiplied_out(polynomial):
    return z3.simplify(polynomial, som=True, som_blowup=1_000_000)


def main():
    wrong = 0
    for expected, lemmas in ((z3.unsat, HOLD), (z3.sat, FAIL)):
        for name, premises, claim in lemmas:
            result = prove(premises, claim)
            good = result == expected
            wrong += not good
            print(f"{'ok' if good else 'WRONG'}: {name}: {'holds' if result == z3.unsat else 'fails' if result == z3.sat else 'unknown'}", flush=True)
    for name, pairs in SAME:
        good = all(z3.is_true(z3.simplify(multiplied_out(s - t) == 0)) for s, t in pairs)
        wrong += not good
        print(f"{'ok' if good else 'WRONG'}: {name}: {'the same' if good else 'different'}")
    # A wrong sign must not pass for the same.
    broken = multiplied_out(sum_v + volume - triple(*from_first, minus(e1, p[0])))
    wrong += z3.is_true(z3.simplify(broken == 0))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
