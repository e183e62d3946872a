#!/usr/bin/env python3
"""Prints assets/ramps_256.txt, the themes among xterm's 256 colours, from the colours of assets/colors:

    python3 tests/ramps_256.py > assets/ramps_256.txt      (seconds)

For each role of a theme two ramps among xterm's colours 16 to 255: from the ground to the role's
full colour, and for strokes from the faintest that stands out from the ground. A ramp is the
cheapest way through the colours: its steps are to be even in lightness and near the straight line
between the two ends. tests/check_draw_theme.c holds what comes of it.
"""
import math
import re

STEPS = 7  # of a ramp, and at least five if colours of its hue allow: more would be too alike
STEPS_LEAST = 5
STEP_WORTH = 400  # what one step instead of two would have to be better by
STEP_LEAST = 2.6  # of L*, by which each is lighter (on a light ground darker) than the one before
STROKE_STEPS = 3  # of a hue's ramp for strokes: more would wander from it
OTHERS = 40  # the price of another head's full colour
STROKE_ROOM = 12.5  # of L*, at least, from the faintest stroke to the strongest
# Full weight is about as light in each hue, and has 4.5:1 at least; strokes need their room below it.
BANDS = {"dark": (60, 80), "light": (28, 49), "contrast": (64, 82), "mono": (0, 100), "print": (0, 100)}
HUE_MOST = 24  # degrees of OKLab: what is further off is another hue,
HUE_NEAR = 0.035  # unless it is so pale that it is no further than this
COLOURED = 0.04  # OKLab's chroma of what is not grey
PALEST = 0.7  # of the strength of colour that a step would have on the straight way to the full one
GREY_STEPS = 2  # behind the ground: no palette has deep orange
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


def chroma_and_hue(color):
    """Of OKLab (B. Ottosson, 2020), the hue in degrees."""
    linear = [c / 255 / 12.92 if c / 255 <= 0.04045 else ((c / 255 + 0.055) / 1.055) ** 2.4 for c in color]
    times = lambda rows, v: [sum(a * b for a, b in zip(row, v)) for row in rows]
    cones = times(((0.4122214708, 0.5363325363, 0.0514459929), (0.2119034982, 0.6806995451, 0.1073969566),
                   (0.0883024619, 0.2817188376, 0.6299787005)), linear)
    a, b = times(((1.9779984951, -2.4285922050, 0.4505937099), (0.0259040371, 0.7827717662, -0.8086757660)),
                 [c ** (1 / 3) for c in cones])
    return math.hypot(a, b), math.degrees(math.atan2(b, a))


TONES = {i: tone_of(palette_color(i)) for i in PALETTE}
LIGHT = {i: lightness(palette_color(i)) for i in PALETTE}
HUES = {i: chroma_and_hue(palette_color(i)) for i in PALETTE}


def nearest(color):
    tone = tone_of(color)
    return min(PALETTE, key=lambda i: difference(tone, TONES[i]))


def aside(i, full, share=1):
    """How far from the full colour's hue, and from such a share of its strength, in hundredths of OKLab;
    infinite: of another hue."""
    (chroma, hue), (pure, own) = HUES[i], full
    off = math.remainder(hue - own, 360)
    arc = chroma * math.radians(abs(off)) if pure >= COLOURED else 0
    if (chroma < COLOURED) != (pure < COLOURED) or (arc > HUE_NEAR and abs(off) > HUE_MOST):
        return INFINITY
    if off < 0 and 40 < own < 80:  # a dark orange is brown, but never red
        arc *= 2
    return math.hypot(300 * arc, strength_off(i, full, share))


def strength_off(i, full, share):
    """Paler is worse than stronger."""
    off = HUES[i][0] - share * full[0]
    return 160 * -off if off < 0 else 100 * off


class Search:
    def __init__(self, full, start, end, last):
        """From one lightness to another; `last` is the colour to end with, or None."""
        self.start, self.end, self.last = start, end, last
        self.full = full
        self.grey = 0  # so many steps may be grey
        self.banned = self.others = ()

    def rise(self, a, b):
        return b - a if self.end > self.start else a - b

    def price(self, step, steps, i):
        target = self.start + (self.end - self.start) * step / steps
        if i == self.last:
            own = 0
        elif 0 < step <= self.grey and HUES[i][0] < COLOURED / 4:
            own = strength_off(i, self.full, step / steps) ** 2
        elif step > self.grey and HUES[i][0] < PALEST * step / steps * self.full[0] and self.grey:
            return INFINITY
        else:
            own = aside(i, self.full, step / steps if self.grey else 1) ** 2
        own += OTHERS if i in self.others else 0
        return INFINITY if i in self.banned else own + (LIGHT[i] - target) ** 2

    def find(self, first, most):
        """The colours of the best ramp of at most so many steps; `first` has what each costs."""
        ramps = [ramp for n in range(most, 0, -1) if (ramp := self.find_ramp(first, n))]
        least = min(len(ramps[0]) - 1, STEPS_LEAST) if ramps else 0
        ramps = [ramp for ramp in ramps if len(ramp) > least]
        return min(ramps, key=lambda ramp: self.worth(ramp), default=None)

    def worth(self, ramp):
        steps = len(ramp) - 1
        return sum(self.price(n, steps, ramp[n]) for n in range(1, steps + 1)) / steps + STEP_WORTH / steps

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
                    fades = HUES[i][0] >= COLOURED > HUES[color][0]
                    if before[i] + own < now[color] and self.rise(LIGHT[i], LIGHT[color]) >= STEP_LEAST and not fades:
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


def end_of_hue(color, band, taken):
    """The colour that stands for full weight: of the hue, in the band of lightness, and no other's."""
    full, wanted = chroma_and_hue(color), min(max(lightness(color), band[0]), band[1])
    most = band[1] + 0.5 if band[1] < 50 else 100
    free = [i for i in PALETTE if i not in taken and band[0] <= LIGHT[i] <= most]
    return min(free, key=lambda i: aside(i, full) ** 2 + (LIGHT[i] - wanted) ** 2)


def ink_ramp(ground, color, last):
    first = nearest(ground)
    search = Search(chroma_and_hue(color), LIGHT[first], LIGHT[last], last)
    search.grey = GREY_STEPS
    start = {i: 0 if i == first else INFINITY for i in PALETTE}
    return search.find(start, STEPS) or [first, last]


def mix(ground, full, level):
    return tuple((a * (FULL - level) + b * level + FULL // 2) // FULL for a, b in zip(ground, full))


def stroke_ramp(ground, color, last, ends, least_contrast):
    """No stroke has a colour that doesn't stand out from the ground, and few another head's full one."""
    behind = luminance(ground)
    stands_out = lambda c: contrast(luminance(c), behind) >= least_contrast
    level = next((n for n in range(FULL) if stands_out(mix(ground, color, n))), FULL)
    faintest = lightness(mix(ground, color, level))
    full = last
    end = faintest + (STROKE_ROOM if behind < 0.5 else -STROKE_ROOM)
    if abs(LIGHT[last] - LIGHT[nearest(ground)]) >= abs(end - LIGHT[nearest(ground)]):
        end = LIGHT[last]
    else:
        last = None
    search = Search(chroma_and_hue(color), faintest, end, last)
    search.banned = [i for i in PALETTE if not stands_out(palette_color(i))]
    search.others = [i for i in ends if i != last]
    first = {i: search.price(0, 1, i) for i in PALETTE}
    grey = chroma_and_hue(color)[0] < COLOURED
    ramp = search.find(first, STEPS if grey else STROKE_STEPS)
    if ramp and ramp[-1] in search.others:  # rather less room than another head's full weight
        search.end, search.last = LIGHT[full], full
        ramp = search.find(first, STROKE_STEPS)
    return ramp or [last or nearest(color)]


def read_themes(path):
    """Yields each theme's name, least contrast and roles, one for each colour."""
    lines = [line.split() for line in open(path, encoding="utf-8") if line.strip() and line[0] != "#"]
    names, least, _, *rows = lines
    for i, name in enumerate(names[1:-1]):  # the last is that of figures
        roles = {}
        for role, *colors in rows:
            roles.setdefault(tuple(bytes.fromhex(colors[2 * i])), "ROLE_" + role)
        yield name, float(least[i + 1]), [(role, color) for color, role in roles.items()]


print("theme and colour of a role: its inks from the ground to full / its strokes from the faintest")
for name, least, roles in read_themes("assets/colors"):
    ground = roles[0][1]
    ends, taken = {}, []
    for role, color in roles:
        ramp = role.startswith(("ROLE_HUE", "ROLE_POSITIVE", "ROLE_NEGATIVE")) and name not in ("mono", "print")
        ends[role] = end_of_hue(color, BANDS[name], taken) if ramp else nearest(color)
        taken += [ends[role]] if role.startswith("ROLE_HUE") else []
    for role, color in roles:
        others = taken if role.startswith("ROLE_HUE") else []
        inks = ink_ramp(ground, color, ends[role])
        strokes = inks if role == "ROLE_GROUND" else stroke_ramp(ground, color, ends[role], others, least)
        print(name, bytes(color).hex().upper() + ":", *inks, "/", *strokes)
