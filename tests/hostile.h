/* hostile.h: texts that a stranger could send, and what no output may hold of them. */
#pragma once

#include "headlight/draw/canvas.h"

struct hostile {
    const char *name;
    const char *bytes; /* NUL-terminated; may hold NULs before */
    size_t length;
};

/* How many texts there are; and they themselves, of which the long ones are made on the first call.
 */
size_t hostile_count(void);
const struct hostile *hostile_texts(void);

/* Whether a code point may reach a terminal or a file: it is seen, and steers nothing. */
bool hostile_is_seen(int32_t code);

/* Whether it is a mark or a letter that shows nothing at all. */
bool hostile_is_ignorable(int32_t code);

/* Fails unless the bytes are UTF-8 and every code point is one that is seen, or a line feed, with
 * at most four marks in a row. */
void hostile_check_text(const char *bytes, size_t length, const char *what);

/* The same without end to the marks: in data a string stays what it was. */
void hostile_check_data(const char *bytes, size_t length, const char *what);

/* Fails unless every cell holds one glyph of seen code points that is as wide as the C library says
 * (in ASCII one byte), and the cells of each row fill it. */
void hostile_check_canvas(const struct canvas *canvas, const char *what);

/* Fails unless the text is well-formed markup of the elements that headlight writes (SVG, or HTML
 * with its unclosed <meta> and <!DOCTYPE>), of seen characters alone and joiners between letters or
 * emoji. */
void hostile_check_markup(const char *text, size_t length, const char *what);

/* Fails unless the text is data that is one JSON value after RFC 8259. */
void hostile_check_json(const char *text, size_t length, const char *what);
