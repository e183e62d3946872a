#include "headlight/text/frame.h"

static void add(struct frame *frame, struct frame_item item)
{
    frame->items[frame->count++] = item;
}

static void add_text(struct frame *frame, uint8_t type)
{
    add(frame, (struct frame_item){.is_text = true, .id = -1, .type = type});
}

static void add_separator(struct frame *frame, uint8_t type, const struct frame_tokens *tokens)
{
    add(frame, (struct frame_item){
                   .id = tokens->separator, .type = type, .setting = tokens->separator_setting});
}

struct frame frame_of(enum frame_style style, size_t texts, bool typed,
                      const struct frame_tokens *tokens)
{
    struct frame frame = {.count = 0};
    if (style != FRAME_BARE)
        add(&frame, (struct frame_item){.id = tokens->class, .setting = tokens->class_setting});
    for (size_t i = 0; i < texts; i++) {
        uint8_t type = typed && i > 0;
        if (style == FRAME_DOUBLE && i > 0)
            add_separator(&frame, 0, tokens);
        add_text(&frame, type);
        if (style != FRAME_BARE)
            add_separator(&frame, type, tokens);
    }
    return frame;
}
