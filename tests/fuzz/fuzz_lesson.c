/* A lesson's file. What is said of a fault can be printed; what is read keeps what its header says
 * of texts, words and options. */
#include "fuzz.h"

#include "headlight/lesson/formula.h"
#include "headlight/lesson/lesson.h"

#include <string.h>

static void look_at_text(const char *text)
{
    size_t length = strlen(text);
    promise(length > 0 && text[0] != ' ' && text[length - 1] != ' ');
    promise(is_fit_to_print(text, length));
}

static void look_at_paragraph(const struct lesson_paragraph *paragraph)
{
    promise(paragraph->count > 0);
    for (size_t i = 0; i < paragraph->count; i++) {
        const struct lesson_case *one = &paragraph->cases[i];
        struct error error;
        promise(one->condition || i + 1 == paragraph->count);
        promise(!one->condition || condition_check(one->condition, &error) == STATUS_OK);
        promise(lesson_words(one->text) <=
                (paragraph->kind == LESSON_TEXT ? LESSON_WORDS_MAX : LESSON_ASIDE_WORDS_MAX));
        look_at_text(one->text);
    }
}

static void look_at_state(const struct lesson_state *state)
{
    struct error error;
    promise(state->text_count <= 2);
    for (size_t i = 0; i < state->text_count; i++)
        promise(is_fit_to_print(state->texts[i], strlen(state->texts[i])));
    for (unsigned i = 0; i < FIELD_COUNT; i++)
        promise(!state->values[i] || strchr(state->values[i], '{') ||
                field_check((enum state_field)i, state->values[i], &error) == STATUS_OK);
}

static void look_at_lesson(const struct lesson *lesson)
{
    look_at_text(lesson->title);
    look_at_text(lesson->about);
    promise(lesson->minutes > 0 && lesson->count > 0);
    for (size_t i = 0; i < lesson->count; i++) {
        const struct lesson_step *step = &lesson->steps[i];
        look_at_text(step->title);
        look_at_state(&step->state);
        promise(step->count > 0);
        for (size_t j = 0; j < step->count; j++)
            look_at_paragraph(&step->paragraphs[j]);
    }
}

void fuzz_lesson(const uint8_t *data, size_t size)
{
    struct lesson *lesson;
    struct error error;
    if (lesson_read((const char *)data, size, "fuzz.md", &lesson, &error) == STATUS_OK)
        look_at_lesson(lesson);
    else
        promise(!lesson && error.status == STATUS_FORMAT &&
                is_fit_to_print(error.message, strlen(error.message)));
    lesson_free(lesson);
}
