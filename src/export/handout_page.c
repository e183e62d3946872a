/* handout_page.c: the markup of a handout's page. It must read well on paper and without its style
 * sheet; its texts come from outside and are escaped. */
#include "headlight/export/handout_page.h"

#include "headlight/export/snapshot.h"
#include "headlight/text/marks.h"

#include <string.h>

/* ---- Text with marks ---- */

/* bdi: a marked word in another script must not reverse the line. */
static void write_marked(FILE *stream, struct marks *marks)
{
    struct marked_run run;
    bool strong = false;
    while (marks_next(marks, "\n", &run)) {
        if (run.strong != strong)
            fputs(run.strong ? "<em><bdi>" : "</bdi></em>", stream);
        strong = run.strong;
        fputs(run.key ? "<kbd><bdi>" : "", stream);
        snapshot_write_part(stream, run.text, run.length);
        fputs(run.key ? "</bdi></kbd>" : "", stream);
    }
    fputs(strong ? "</bdi></em>" : "", stream);
}

/* Each paragraph as an element in the direction of its text. */
static void write_page_paragraphs(FILE *stream, const char *element, const char *text)
{
    struct marks marks = {.next = text};
    while (*(marks.next += strspn(marks.next, "\n"))) {
        fprintf(stream, "<%s dir=\"auto\">", element);
        write_marked(stream, &marks);
        fprintf(stream, "</%s>\n", element);
    }
}

static void write_advice(FILE *stream, const char *what, const char *text)
{
    if (!text || !*text)
        return;
    fprintf(stream, "<dt>%s:</dt>\n", what);
    write_page_paragraphs(stream, "dd", text);
}

/* ---- The page ---- */

/* Pictures may be wider than the text, whose lines have some 70 letters. On paper the page is
 * white, whatever the theme, and has room for two steps; no step is split between pages. */
static void write_page_style(FILE *stream, const struct theme *theme)
{
    bool dark = theme_rgb(theme, ink_full(ROLE_GROUND)).green < 128;
    snapshot_write_color(stream,
                         "<style>\nbody { margin: 3rem auto; padding: 0 1rem; background: ", theme,
                         ink_full(ROLE_GROUND));
    snapshot_write_color(stream, "; color: ", theme, ink_full(ROLE_TEXT));
    fprintf(stream, "; color-scheme: %s; font: 1.1rem/1.55 sans-serif; max-width: 60rem; }\n",
            dark ? "dark" : "light");
    fputs("h1, h2, p, dl { max-width: 36rem; margin: 0.8rem auto; }\n"
          "h1 { font-size: 2.1rem; line-height: 1.2; }\n"
          "h2 { font-size: 1.35rem; line-height: 1.3; margin-top: 3.5rem; }\n"
          "figure { margin: 1.2rem 0; }\n"
          "img { display: block; width: 100%; height: auto; }\n"
          "dl { display: grid; grid-template-columns: 3.5rem 1fr; gap: 0.3rem; }\n"
          "dt { grid-column: 1; font-weight: bold; }\n"
          "dd { grid-column: 2; margin: 0; }\n"
          "kbd, code { font: 0.85em 'DejaVu Sans Mono', Menlo, Consolas, monospace; }\n"
          "kbd { padding: 0.1em 0.35em; border: 1px solid; border-radius: 0.25em; }\n"
          "code { overflow-wrap: anywhere; }\n",
          stream);
    snapshot_write_color(stream, ".aside, footer { color: ", theme, ink_full(ROLE_FAINT));
    snapshot_write_color(stream, "; font-size: 0.95rem; }\ndt { color: ", theme,
                         ink_full(ROLE_TITLE));
    fputs("; }\n@media print {\n"
          "body { margin: 0; padding: 0; background: none; color: black; font-size: 10.5pt; "
          "line-height: 1.4; }\n"
          ".aside, footer, dt { color: black; }\n"
          "section, footer { break-inside: avoid; }\n"
          "h2 { margin-top: 1.5rem; }\n"
          "figure { margin: 0.6rem 0; }\n"
          "img { width: 76%; margin: auto; }\n"
          "}\n</style>\n",
          stream);
}

/* The policy makes the browser enforce that only pictures are loaded. */
void page_begin(FILE *stream, const struct page_head *head)
{
    fputs("<!DOCTYPE html>\n"
          "<html xmlns=\"http://www.w3.org/1999/xhtml\" lang=\"en\">\n<head>\n"
          "<meta charset=\"utf-8\"/>\n"
          "<meta http-equiv=\"Content-Security-Policy\" "
          "content=\"default-src 'none'; img-src 'self' file:; style-src 'unsafe-inline'\"/>\n"
          "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>\n<title>",
          stream);
    snapshot_write_text(stream, head->title);
    fputs("</title>\n", stream);
    write_page_style(stream, head->theme);
    fputs("</head>\n<body>\n<header>\n<h1 dir=\"auto\">", stream);
    snapshot_write_text(stream, head->title);
    fputs("</h1>\n", stream);
    write_page_paragraphs(stream, "p", head->about);
    fprintf(stream, "<p class=\"aside\">%zu minute%s, %zu step%s</p>\n</header>\n", head->minutes,
            head->minutes == 1 ? "" : "s", head->steps, head->steps == 1 ? "" : "s");
}

void page_step(FILE *stream, const struct page_step *step)
{
    fprintf(stream, "<section id=\"step-%zu\">\n<h2>%zu. <bdi>", step->number, step->number);
    snapshot_write_text(stream, step->title);
    fputs("</bdi></h2>\n<figure><img src=\"", stream);
    snapshot_write_text(stream, step->picture);
    fprintf(stream, "\" width=\"%d\" height=\"%d\" alt=\"", step->width, step->height);
    snapshot_write_text(stream, step->shows);
    fputs("\"/></figure>\n", stream);
    write_page_paragraphs(stream, "p", step->text);
    bool look = step->look && *step->look, attempt = step->attempt && *step->attempt;
    fputs(look || attempt ? "<dl>\n" : "", stream);
    write_advice(stream, "Look", step->look);
    write_advice(stream, "Try", step->attempt);
    fputs(look || attempt ? "</dl>\n" : "", stream);
    if (*step->note) {
        fputs("<p class=\"aside\">", stream);
        snapshot_write_text(stream, step->note);
        fputs("</p>\n", stream);
    }
    fputs("</section>\n", stream);
}

/* ---- How it was made ---- */

/* Quotes a word where a shell needs it. */
static void write_shell_word(FILE *stream, const char *word)
{
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                                "-_./,:=+@%";
    if (*word && word[strspn(word, plain)] == '\0') {
        fputs(word, stream);
        return;
    }
    for (fputc('\'', stream); *word;) {
        size_t length = strcspn(word, "'");
        snapshot_write_part(stream, word, length);
        word += length;
        for (; *word == '\''; word++)
            fputs("'\\''", stream);
    }
    fputc('\'', stream);
}

static void write_command(FILE *stream, const char *what, const struct page_option *options)
{
    fprintf(stream, "<p>%s <code>headlight", what);
    for (; options->name; options++) {
        fprintf(stream, " --%s", options->name);
        fputs(options->value ? " " : "", stream);
        if (options->value)
            write_shell_word(stream, options->value);
    }
    fputs("</code></p>\n", stream);
}

void page_end(FILE *stream, const struct page_made *made)
{
    fputs("<footer>\n<h2>How this was made</h2>\n"
          "<p>The pictures and numbers come from the model <code><bdi>",
          stream);
    snapshot_write_text(stream, made->model);
    fputs("</bdi></code>, by headlight " HEADLIGHT_VERSION ".</p>\n", stream);
    write_command(stream, "To go through the lesson and try things:", made->lesson);
    write_command(stream, "To make this page:", made->page);
    fputs("</footer>\n</body>\n</html>\n", stream);
}
