#include "headlight/view/model_view_label.h"

#include "headlight/view/model_view_order.h"

#include <stdio.h>
#include <string.h>

#define VALUE 3 /* ".86" */
#define BRIEF 8 /* "prev .86" */

bool model_view_is_labelled(const struct scene *scene)
{
    return scene->look.metric == METRIC_LABEL && model_view_has_metric(scene);
}

struct head_label model_view_label(const struct scene *scene, size_t layer, size_t head)
{
    return metrics_label(&scene->data.metrics[layer * scene->data.head_count + head]);
}

/* ---- Under thumbnails ---- */

/* What is left of a row of text beside the head. */
static int room_beside(const struct model_view_layout *layout)
{
    return layout->columns.box - layout->id_width - 1;
}

int model_view_label_rows(const struct scene *scene, const struct model_view_layout *layout)
{
    bool sorted = model_view_is_sorted(scene);
    if (sorted && room_beside(layout) >= BRIEF)
        return 1;
    return (layout->columns.box >= BRIEF ? 1 : 2) + sorted;
}

/* "previous" where that leaves room for the number, else "prev". */
static const char *name_for(const struct head_label *label, int room)
{
    return (int)strlen(label->name) + 1 + VALUE <= room ? label->name : label->brief;
}

struct model_view_label_text model_view_label_text(const struct scene *scene,
                                                   const struct model_view_layout *layout,
                                                   size_t layer, size_t head)
{
    struct model_view_label_text text = {{"", "", ""}};
    struct head_label label = model_view_label(scene, layer, head);
    bool sorted = model_view_is_sorted(scene), beside = sorted && layout->text_rows == 1;
    int room = beside ? room_beside(layout) : layout->columns.box, row = 0;
    char id[48] = "", value[VALUE + 5];
    if (sorted)
        snprintf(id, sizeof id, "%zu:%zu", layer, head);
    if (sorted && !beside)
        snprintf(text.rows[row++], sizeof id, "%s", id);
    metric_print(value, sizeof value, METRIC_LABEL, label.value, VALUE);
    if (label.label == LABEL_NONE) {
        snprintf(text.rows[row], sizeof id, "%s", beside ? id : "");
    } else if (room < BRIEF) {
        snprintf(text.rows[row++], sizeof *text.rows, "%.*s", room, label.brief);
        snprintf(text.rows[row], sizeof *text.rows, "%s", value);
    } else {
        snprintf(text.rows[row], sizeof *text.rows, "%s%s%s %s", beside ? id : "",
                 beside ? " " : "", name_for(&label, room), value);
    }
    return text;
}

/* ---- In a sentence ---- */

void model_view_label_print(struct pen *pen, const struct head_metrics *metrics, int kept)
{
    struct head_label label = metrics_label(metrics);
    char text[32];
    int whole = (int)strlen("   ") + (int)strlen(label.words) + (int)strlen(" 0.864 on this text");
    if (label.label == LABEL_NONE)
        return;
    if (pen->end - pen->x >= whole + kept) {
        pen_print(pen, style_of(ROLE_FAINT), "   %s ", label.words);
        pen_print(pen, style_bold(ROLE_STRONG), "%.3f", label.value);
        pen_print(pen, style_of(ROLE_FAINT), " on this text");
        return;
    }
    metric_print_whole(text, sizeof text, METRIC_LABEL, label.value);
    pen_print(pen, style_of(ROLE_FAINT), "   %s ", label.name);
    pen_print(pen, style_bold(ROLE_STRONG), "%s", text);
}
