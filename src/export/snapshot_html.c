/* snapshot_html.c: a picture as an HTML page without scripts that loads nothing else: no font, no
 * style sheet, no image. */
#include "headlight/export/export.h"

/* ---- The page ---- */

/* The theme's colours for the whole page, in print too. */
static void write_html_style(FILE *stream, const struct theme *theme)
{
    const struct ink ground = {ROLE_GROUND, STYLE_FULL};
    snapshot_write_color(stream, "<style>\nbody { margin: 1rem; background: ", theme, ground);
    snapshot_write_color(stream, "; color: ", theme, ink_full(ROLE_TEXT));
    fprintf(stream,
            "; color-scheme: %s; font: 0.9rem/1.5 sans-serif; print-color-adjust: exact; }\n",
            theme_rgb(theme, ground).green < 128 ? "dark" : "light");
    fputs("figure { margin: 0 auto; width: fit-content; max-width: 100%; }\n"
          "svg { display: block; max-width: 100%; height: auto; }\n"
          "dl { display: grid; grid-template-columns: max-content 1fr; gap: 0 1rem; }\n"
          "dd { margin: 0; overflow-wrap: anywhere; }\n"
          "pre { overflow-x: auto; font: 0.9rem/1.25 'DejaVu Sans Mono', Menlo, Consolas, "
          "monospace; }\n",
          stream);
    snapshot_write_color(stream, "dt, summary { color: ", theme, ink_full(ROLE_FAINT));
    fputs("; }\n</style>\n", stream);
}

/* The policy makes the browser enforce that nothing is loaded. */
static void write_html_head(FILE *stream, const struct snapshot *snapshot)
{
    fputs("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
          "<meta http-equiv=\"Content-Security-Policy\" "
          "content=\"default-src 'none'; style-src 'unsafe-inline'\">\n"
          "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n",
          stream);
    snapshot_write_facts(stream, snapshot, "<meta name=\"headlight:", "\" content=\"", "\">\n");
    snapshot_write_between(stream, "<title>", snapshot->title, "</title>\n");
    write_html_style(stream, snapshot->theme);
    fputs("</head>\n", stream);
}

/* The rows as in a text snapshot. A browser drops the line feed after <pre>. */
static void write_screen_text(FILE *stream, const struct canvas *canvas)
{
    fputs("<details>\n<summary>The screen as text</summary>\n<pre>\n", stream);
    for (int y = 0; y < canvas->rows; y++) {
        int end = canvas_row_end(canvas, y, false);
        for (int x = 0; x < end; x++)
            snapshot_write_text(stream, canvas_at(canvas, y, x)->text);
        fputc('\n', stream);
    }
    fputs("</pre>\n</details>\n", stream);
}

/* The figure with its caption, then the screen as text for those who can't see it. */
void snapshot_html(const struct snapshot *snapshot, FILE *stream)
{
    write_html_head(stream, snapshot);
    fputs("<body>\n<figure>\n", stream);
    snapshot_write_picture(snapshot, false, stream);
    fputs("<figcaption>\n<dl>\n", stream);
    /* bdi: a right-to-left text must not reverse its line */
    snapshot_write_facts(stream, snapshot, "<dt>", "</dt><dd><bdi>", "</bdi></dd>\n");
    fputs("</dl>\n</figcaption>\n", stream);
    fputs("</figure>\n", stream);
    write_screen_text(stream, snapshot->canvas);
    fputs("</body>\n</html>\n", stream);
}
