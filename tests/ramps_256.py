#!/usr/bin/env python3
"""Prints the table of src/draw/theme_256.c from the colours of src/draw/theme.c:

    python3 tests/ramps_256.py | clang-format      (two minutes)

For each role of a theme two ramps among xterm's colours 16 to 255: from the ground to the role's
full colour, and for strokes from the faintest that stands out from the ground. A ramp is the
cheapest way through the colours: its steps are to be even in lightness and near the straight line
between the two ends. tests/check_draw_theme.c holds what comes of it.
"""
import math
import re

STEPS = 7  # of a ramp, if colours of about its hue allow: more would be too alike
STEP_LEAST = 2.5  # of L*, by which each is lighter (on a light ground darker) than the one before
STROKE_STEPS = 3  # of a hue's ramp for strokes: more would wander from it
STROKE_ROOM = 17  # of L*, at least, from the faintest stroke to the strongest
HUE_MOST = 0.45  # a hue that is 26 degrees off is none of the ramp
HUE_FAINT = 20  # unless it is hardly to be seen
FULL = 15  # STYLE_FULL
PALETTE = range(16, 256)
INFINITY = math.inf


def palette_color(index):
    steps = (0, 95, 135, 175, 215, 255)
    if index >= 232:
        return (8 + 10 * (index - 232),) * 3
    cube = index - 16
    return steps[cube // 36], steps[cube // 6 % 6], steps[cube % 6]


def tone_of(color):
    """Brightness, strength of colour, and its direction (ITU-R BT.601)."""
    red, green, blue = color
    luma = 0.299 * red + 0.587 * green + 0.114 * blue
    x, y = 0.564 * (blue - luma), 0.713 * (red - luma)
    return luma, math.hypot(x, y), math.atan2(y, x)


def difference(a, b):
    """Hue weighs double: sign and head are told by hue. A grey counts as the opposite hue."""
    turn = abs(a[2] - b[2])
    turn = 2 * math.pi - turn if turn > math.pi else turn
    if a[1] < 1 or b[1] < 1:
        turn = math.pi
    hue = (a[1] + b[1]) * turn
    return (a[0] - b[0]) ** 2 + (a[1] - b[1]) ** 2 + hue * hue


def luminance(color):
    """WCAG 2.1."""
    linear = [c / 255 / 12.92 if c / 255 <= 0.04045 else ((c / 255 + 0.055) / 1.055) ** 2.4 for c in color]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(a, b):
    return (max(a, b) + 0.05) / (min(a, b) + 0.05)


def lightness(color):
    """CIE 1976 L*: 0 to 100, in steps that look alike."""
    y = luminance(color)
    return 116 * y ** (1 / 3) - 16 if y > 216 / 24389 else y * 24389 / 27


TONES = {i: tone_of(palette_color(i)) for i in PALETTE}
LIGHT = {i: lightness(palette_color(i)) for i in PALETTE}


def nearest(color):
    tone = tone_of(color)
    return min(PALETTE, key=lambda i: difference(tone, TONES[i]))


class Search:
    def __init__(self, ground, full, start, end, last):
        """From one lightness to another; `last` is the colour to end with, or None."""
        self.start, self.end, self.last = start, end, last
        behind, pure = tone_of(ground), tone_of(full)
        self.aside = {i: self.price_aside(i, behind, pure) for i in PALETTE}

    def rise(self, a, b):
        return b - a if self.end > self.start else a - b

    def price_aside(self, i, behind, pure):
        """How far from the straight way, which has the full colour's hue everywhere."""
        luma, chroma, angle = TONES[i]
        other_hue = (chroma >= HUE_FAINT and pure[1] >= HUE_FAINT
                     and abs(math.remainder(angle - pure[2], 2 * math.pi)) > HUE_MOST)
        if other_hue or (self.last and self.rise(LIGHT[i], self.end) < STEP_LEAST):
            return INFINITY
        share = (luma - behind[0]) / (pure[0] - behind[0]) if pure[0] != behind[0] else math.nan
        return difference(TONES[i], (luma, share * pure[1], pure[2]))

    def price(self, step, steps, i):
        """L* counts as much as luma, which runs to 255."""
        height = abs(self.end - self.start) * step / steps
        return self.aside[i] + (2.55 * (self.rise(self.start, LIGHT[i]) - height)) ** 2

    def find(self, first, most):
        """The colours of the longest ramp of at most so many steps; `first` has what each costs."""
        return next((ramp for n in range(most, 0, -1) if (ramp := self.find_ramp(first, n))), None)

    def find_ramp(self, first, steps):
        cost, came = [dict(first)], [{}]
        for step in range(1, steps + 1):
            before, now, origin = cost[-1], {}, {}
            reached = [i for i in PALETTE if before[i] < INFINITY]
            for color in PALETTE:
                own, now[color] = self.price(step, steps, color), INFINITY
                if not own < INFINITY:
                    continue
                for i in reached:
                    if before[i] + own < now[color] and self.rise(LIGHT[i], LIGHT[color]) >= STEP_LEAST:
                        now[color], origin[color] = before[i] + own, i
            cost.append(now)
            came.append(origin)
        color = self.last or min(PALETTE, key=lambda i: cost[steps][i])
        if cost[steps][color] == INFINITY:
            return None
        ramp = [color]
        for step in range(steps, 0, -1):
            ramp.insert(0, came[step][ramp[0]])
        return ramp


def ink_ramp(ground, color):
    first, last = nearest(ground), nearest(color)
    search = Search(ground, color, LIGHT[first], LIGHT[last], last)
    search.aside[last] = 0
    start = {i: 0 if i == first else INFINITY for i in PALETTE}
    ramp = next((r for n in range(STEPS, 1, -1) if (r := search.find_ramp(start, n))), None)
    return ramp or [first, last]


def mix(ground, full, level):
    return tuple((a * (FULL - level) + b * level + FULL // 2) // FULL for a, b in zip(ground, full))


def stroke_ramp(colors, hues, color, least_contrast):
    """No stroke has a colour that doesn't stand out from the ground, or another head's full colour,
    and none of a hue is grey."""
    ground, full = colors[0], nearest(color)
    behind = luminance(ground)
    stands_out = lambda c: contrast(luminance(c), behind) >= least_contrast
    level = next((n for n in range(FULL) if stands_out(mix(ground, color, n))), FULL)
    start = lightness(mix(ground, color, level))
    end, last = start + (STROKE_ROOM if lightness(color) > lightness(ground) else -STROKE_ROOM), None
    if (LIGHT[full] - end if end > start else end - LIGHT[full]) >= 0:
        end, last = LIGHT[full], full
    search = Search(ground, color, start, end, last)
    search.aside[full] = 0
    for hue in hues:
        if nearest(hue) != full:
            search.aside[nearest(hue)] = INFINITY
    grey = TONES[full][1] < HUE_FAINT
    for i in PALETTE:
        if not stands_out(palette_color(i)) or (TONES[i][1] < HUE_FAINT) != grey:
            search.aside[i] = INFINITY
    first = {i: search.price(0, 1, i) for i in PALETTE}
    return search.find(first, STEPS if grey else STROKE_STEPS) or [full]


def read_themes(path):
    """Yields each theme's name, least contrast and roles, one for each colour."""
    text = open(path, encoding="utf-8").read()
    rows = re.findall(r" COLOR\((\w+(?: \+ \d+)?), (.*?)\)", text)
    for i, (name, least) in enumerate(re.findall(r'\.name = "(\w+)", \.least_contrast = ([\d.]+)', text)):
        roles = {}
        for role, colors in rows:
            roles.setdefault(tuple(bytes.fromhex(colors.split(", ")[2 * i][2:])), role)
        yield name, float(least), [(role, color) for color, role in roles.items()]


def row(numbers):
    return "{" + ", ".join(map(str, numbers)) + "}"


for name, least, roles in read_themes("src/draw/theme.c"):
    colors = [color for _, color in roles]
    hues = [color for role, color in roles if role.startswith("ROLE_HUE")]
    print(f"{{ /* {name} */")
    for role, color in roles:
        inks = ink_ramp(colors[0], color)
        strokes = inks if role == "ROLE_GROUND" else stroke_ramp(colors, hues, color, least)
        print(f"[{role}] = {{{row(inks)}, {row(strokes)}}},")
    print("},")
