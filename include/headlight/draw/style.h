/* style.h: what a cell looks like, said by meaning. Drawing code names a role and a level; only the
 * theme (theme.h) knows colours. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The heads of a layer take the hues in turn; from the ninth on in a second tone. */
#define STYLE_HUES 16
#define STYLE_TONE 8

/* role, name, letter in a golden screen */
#define STYLE_ROLES(ROLE)                                                                          \
    ROLE(ROLE_GROUND, "ground", '.')                                                               \
    ROLE(ROLE_TEXT, "text", 't')                                                                   \
    ROLE(ROLE_FAINT, "faint", 'f')                                                                 \
    ROLE(ROLE_TITLE, "title", 'T')                                                                 \
    ROLE(ROLE_STRONG, "strong", 's')                                                               \
    ROLE(ROLE_CURSOR, "cursor", 'c')                                                               \
    ROLE(ROLE_PINNED, "pinned", 'p')                                                               \
    ROLE(ROLE_WARNING, "warning", 'w')                                                             \
    ROLE(ROLE_POSITIVE, "positive", '+')                                                           \
    ROLE(ROLE_NEGATIVE, "negative", '-')                                                           \
    ROLE(ROLE_READABLE, "readable", 'r') /* ground or strong, see theme_settle */                  \
    ROLE(ROLE_HUE, "head hue 0", 'A')    /* hues 1 to 15 follow, letters B to P */

enum role {
#define ROLE(role, name, letter) role,
    STYLE_ROLES(ROLE)
#undef ROLE
        ROLE_COUNT = ROLE_HUE + STYLE_HUES
};

/* Level 0 is the ground, STYLE_FULL the role's own colour. */
#define STYLE_FULL 15

/* A stroke's last level: where a role's own colour hardly stands out from the ground, the heaviest
 * strokes go on from it towards ROLE_STRONG. Only theme_settle gives levels above STYLE_FULL. */
#define STYLE_MOST (2 * STYLE_FULL)

/* A role's colour, mixed with the ground: `level` 15ths of it; or with ROLE_STRONG. */
struct ink {
    uint8_t role;
    uint8_t level;
};

enum anchor { ANCHOR_START, ANCHOR_MIDDLE, ANCHOR_END };

/* Everything but the glyph. It holds no colour: the same cells are shown in any theme. */
struct style {
    struct ink fore, back;
    bool bold;
    bool stroke;    /* fore is a stroke's: its level follows from its strength, see theme_settle */
    uint8_t anchor; /* enum anchor: where text of another width than its cells' holds on */
    uint8_t strength; /* 0 … STYLE_FULL */
};

/* Constructors, so that no caller casts to the small types that keep a cell small. */
static inline struct ink ink_full(enum role role)
{
    return (struct ink){.role = (uint8_t)role, .level = STYLE_FULL};
}

/* An ink on the ground as an opaque one over it, of this opacity. */
static inline struct ink ink_opaque(struct ink ink, double *opacity)
{
    *opacity = ink.level < STYLE_FULL ? (double)ink.level / STYLE_FULL : 1;
    ink.level = ink.level < STYLE_FULL ? STYLE_FULL : ink.level;
    return ink;
}

static inline struct ink ink_head(size_t head, unsigned level)
{
    return (struct ink){.role = (uint8_t)(ROLE_HUE + head % STYLE_HUES), .level = (uint8_t)level};
}

/* At level 0 all roles are the ground. */
static inline bool ink_equal(struct ink a, struct ink b)
{
    return a.level == b.level && (a.role == b.role || a.level == 0);
}

/* The level, from a quarter of full on, that shows a weight in thousandths. */
unsigned style_level(unsigned thousandths);

/* A role at full strength on the ground. */
static inline struct style style_of(enum role role)
{
    return (struct style){.fore = ink_full(role), .back = {ROLE_GROUND, 0}};
}

/* Like a stroke: however faint the ink, it keeps the theme's least contrast to the ground. */
static inline struct style style_legible(struct ink ink)
{
    return (struct style){.fore = ink, .stroke = true, .strength = ink.level};
}

static inline struct style style_bold(enum role role)
{
    struct style style = style_of(role);
    style.bold = true;
    return style;
}

/* Bold text on a ground of another role's colour: what is under the cursor, or pinned. */
static inline struct style style_marked(enum role ground)
{
    struct style style = style_bold(ROLE_STRONG);
    style.back = ink_full(ground);
    return style;
}
