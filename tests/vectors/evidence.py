#!/usr/bin/env python3
"""The numbers that tests/check_survey_evidence.c expects, computed from single texts and by other
ways than evidence.c: deviations text by text, and Wilson's interval by bisection of what it solves."""
from math import sqrt
from statistics import NormalDist

z = NormalDist().inv_cdf(0.975)
texts = [(4, 2.25), (7, 4.5), (3, 0.75), (9, 6.0), (5, 1.5)]  # tokens of a text, and the sum of a figure

rows = sum(n for n, _ in texts)
mean = sum(s for _, s in texts) / rows
half = z * sqrt(sum((s - mean * n) ** 2 for n, s in texts)) / rows
print(f"mean {mean:.12f} half {half:.12f}")


def bound(hits, of, low):
    """The share p0 nearest to 0 or 1 that hits / of is z standard errors of p0 away from."""
    p = hits / of
    a, b = (0.0, p) if low else (p, 1.0)
    for _ in range(200):
        m = (a + b) / 2
        outside = abs(p - m) > z * sqrt(m * (1 - m) / of)
        if outside == low:
            a = m
        else:
            b = m
    return a


for hits, of in [(811, 1204), (0, 20), (20, 20), (2, 3), (1, 100000)]:
    print(f"{hits} of {of}: {bound(hits, of, True):.12f} … {bound(hits, of, False):.12f}")
