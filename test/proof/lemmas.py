#!/usr/bin/env python3
"""The lemmas of docs/proof.md, proved by z3 over the reals: for every width at once. Each is also asked with one premise or
term left out, and z3 has to find a counterexample: a lemma that holds without what it rests on would say nothing.

Exit code 0 if all hold, 1 if one does not, 77 if z3 is not to be had.
"""

import os
import sys
import time

try:
    import z3
except ImportError:
    system = "/usr/bin/python3"  # where Debian's python3-z3 is installed, whichever python3 comes first
    if os.path.exists(system) and os.environ.get("SNUG_PROOF_AGAIN") is None:
        os.environ["SNUG_PROOF_AGAIN"] = "1"
        os.execv(system, [system, *sys.argv])
    print("skipped: python3-z3 is not installed")
    sys.exit(77)

TIME_LIMIT_MS = 120_000


def prove(premises, claim):
    solver = z3.Solver()
    solver.set("timeout", TIME_LIMIT_MS)
    solver.add(*premises, z3.Not(claim))
    return solver.check()


def real(*names):
    return [z3.Real(name) for name in names]


def negative_part(x):
    return z3.If(x < 0, x, 0)


def magnitude(x):
    return z3.If(x < 0, -x, x)


# One product: exact weight P and coefficient a, rounded Q and c, h a unit of weights, g what a coefficient grows by at most.
P, Q, a, c, h, g = real("P", "Q", "a", "c", "h", "g")
rounded_down = [h > 0, Q <= P, P <= Q + h]
weight_range = [P <= 0]
grown = [a <= c]
product = Q * c + h * negative_part(c)

# Shares of a unit vector in a cone; d are the dot products of the normals.
l1, l2, l3, d12, d13, d23 = real("l1", "l2", "l3", "d12", "d13", "d23")
shares = [l1 >= 0, l2 >= 0, l3 >= 0]
unit = [l1 * l1 + l2 * l2 + l3 * l3 + 2 * (l1 * l2 * d12 + l1 * l3 * d13 + l2 * l3 * d23) == 1]
wide = [d >= 0 for d in (d12, d13, d23)]
normals = [d <= 1 for d in (d12, d13, d23)]

# One sum of Eq. 22: images x and y, their rounded ones, offset p and its rounded one with unit k.
x, y, p, X, Y, O, k, e = real("x", "y", "p", "X", "Y", "O", "k", "e")
images = [X <= x, Y <= y]
offset_down = [k > 0, O <= p, p <= O + k]

HOLD = [
    ("a product is never too large", rounded_down + weight_range + grown, P * a >= product),
    ("its error is bounded", rounded_down + weight_range + grown + [c <= a + g, P >= -1],
     P * a - product <= -P * g + h * magnitude(c)),
    ("no share exceeds 1", shares + unit + wide, l1 <= 1),
    ("shares add up to at least 1", shares + unit + normals, (l1 + l2 + l3) * (l1 + l2 + l3) >= 1),
    ("squares of shares add up to at most 1", shares + unit + wide, l1 * l1 + l2 * l2 + l3 * l3 <= 1),
    ("so shares add up to at most the root of 3", shares + [l1 * l1 + l2 * l2 + l3 * l3 <= 1],
     (l1 + l2 + l3) * (l1 + l2 + l3) <= 3),
    ("a first sum above 0 means apart", images + offset_down + [X + Y + O > 0], x + y + p > 0),
    ("a second sum above 0 means apart", images + offset_down + [X + Y - (O + k) > 0], x + y - p > 0),
    # Coefficients enlarged by e each: shares that add up to at least 1 widen the image by e.
    ("an enlargement reaches the image", shares + [l1 + l2 + l3 >= 1, e >= 0],
     -(l1 * (a + e) + l2 * (c + e) + l3 * (g + e)) <= -(l1 * a + l2 * c + l3 * g) - e),
    # Beyond 4 the offset decides alone, held or not, since images together stay below 4 - k.
    ("holding an offset from above changes nothing", [k > 0, k <= 1, X + Y > k - 4, p >= 4],
     z3.And(X + Y + (4 - k) > 0, X + Y + p > 0)),
    ("holding an offset from below changes nothing", [k > 0, k <= 1, X + Y > k - 4, p <= -4],
     z3.And(X + Y - (-4 + k) > 0, X + Y - p > 0)),
]

FAIL = [
    ("without sn()", rounded_down + weight_range + grown, P * a >= Q * c),
    ("with weights rounded up", [h > 0, P <= Q, Q <= P + h] + weight_range + grown, P * a >= product),
    ("with coefficients rounded down", rounded_down + weight_range + [c <= a, a <= c + g, g > 0], P * a >= product),
    ("with weights above 0", rounded_down + grown, P * a >= product),
    ("with an acute dihedral angle", shares + unit + [d12 >= -1, d13 >= -1, d23 >= -1], l1 <= 1),
    ("with the sign bit instead of > 0", images + offset_down + [X + Y + O >= 0], x + y + p > 0),
    ("with the offset rounded up in the first sum", images + [k > 0, p <= O, O <= p + k, X + Y + O > 0], x + y + p > 0),
    ("with the offset not raised in the second sum", images + offset_down + [X + Y - O > 0], x + y - p > 0),
    ("with shares below 1 in all", shares + [e > 0], -(l1 * (a + e)) <= -(l1 * a) - e),
]


def widths_are_enough(w):
    """No sum of w-bit words overflows 2w + 3 bits, in bit-vectors: images added up as the pipeline does, wrapping."""
    narrow, wide_bits = 2 * w + 3, 2 * w + 12
    one, total, total_wide, premises = 1 << (w - 1), None, None, []
    for side in range(2):
        magnitudes = []
        for i in range(3):
            weight, coefficient = (z3.BitVec(f"{n}{side}{i}", w + 1) for n in ("w", "c"))
            premises += [weight <= 0, weight >= -one, coefficient < one, coefficient > -one]
            magnitudes.append(-weight)
            for bits in (narrow, wide_bits):
                at = z3.SignExt(bits - w - 1, coefficient)
                term = z3.SignExt(bits - w - 1, weight) * at + z3.If(at < 0, at, z3.BitVecVal(0, bits))
                if bits == narrow:
                    total = term if total is None else total + term
                else:
                    total_wide = term if total_wide is None else total_wide + term
        # Weights were rounded down from shares of at most 1.24 in all.
        widened = [z3.ZeroExt(4, m) for m in magnitudes]
        premises.append(z3.ULE(widened[0] + widened[1] + widened[2], int(1.24 * one) + 3))
    offset = z3.BitVec("p", w + 2)
    total = total + (z3.SignExt(narrow - w - 2, offset) << (w - 1))
    total_wide = total_wide + (z3.SignExt(wide_bits - w - 2, offset) << (w - 1))
    return prove(premises, z3.SignExt(wide_bits - narrow, total) == total_wide)


def main():
    wrong = 0
    for expected, lemmas in ((z3.unsat, HOLD), (z3.sat, FAIL)):
        for name, premises, claim in lemmas:
            start = time.monotonic()
            result = prove(premises, claim)
            word = "proved" if expected == z3.unsat else "refuted"
            good = result == expected
            wrong += not good
            print(f"{word if good else 'NOT ' + word + ': ' + str(result):9} {name} ({time.monotonic() - start:.2f} s)")
    for w in (4, 5):
        start = time.monotonic()
        good = widths_are_enough(w) == z3.unsat
        wrong += not good
        print(f"{'proved' if good else 'NOT proved':9} sums of {w}-bit words fit {2 * w + 3} bits ({time.monotonic() - start:.2f} s)")
    print(f"{len(HOLD) + len(FAIL) + 2 - wrong} of {len(HOLD) + len(FAIL) + 2} as they should be")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
