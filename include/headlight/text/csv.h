/* csv.h: the one way in which a text becomes a field of CSV. */
#pragma once

#include "headlight/base/json.h"

/* Each object is a line of its members' values. A text is a field as in RFC 4180: in quotes if it
 * contains a separator, a quote or white space. Invisible characters are written as \u{…}, as is
 * the sign before a name or a number that makes a spreadsheet evaluate a cell instead of showing
 * it. */
struct json_writer csv_writer(FILE *stream);
