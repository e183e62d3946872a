#include "headlight/session/settings_table.h"

#include <stdio.h>
#include <string.h>

void settings_write_heads(uint64_t heads, size_t count, char *list, size_t size)
{
    size_t used = 0;
    snprintf(list, size, "%s", heads == 0 ? "none" : "all");
    if (heads == 0 || heads == attention_all_heads(count))
        return;
    for (size_t first = 0, last; first < count && used < size; first = last + 1) {
        last = first;
        if (!(heads >> first & 1))
            continue;
        while (last + 1 < count && heads >> (last + 1) & 1)
            last++;
        const char *comma = used > 0 ? "," : "";
        int wrote = last > first
                        ? snprintf(list + used, size - used, "%s%zu-%zu", comma, first, last)
                        : snprintf(list + used, size - used, "%s%zu", comma, first);
        used += (size_t)wrote;
    }
}

/* By its number, and said so: there may be a token whose text is that number. */
static bool write_token(size_t token, char *value)
{
    snprintf(value, SETTING_VALUE, "#%zu", token);
    return token != NO_TOKEN;
}

static bool write_other(const struct session *session, enum setting setting, char *value)
{
    const struct scene *scene = &session->scene;
    switch (setting) {
    case SETTING_HEADS:
        settings_write_heads(scene->heads, scene->head_count, value, SETTING_VALUE);
        return true;
    case SETTING_THRESHOLD:
        snprintf(value, SETTING_VALUE, "%s", number_weight(scene->threshold).text);
        return scene->threshold > 0;
    case SETTING_DETAIL:
        snprintf(value, SETTING_VALUE, "%d", scene->detail);
        return scene->detail != 0;
    case SETTING_DIMENSION:
        snprintf(value, SETTING_VALUE, "%zu", scene->dimension);
        return scene->dimension < session->encoded->trace->dimensions;
    case SETTING_SELECT:
        return write_token(session->query_found ? NO_TOKEN : scene->from, value);
    case SETTING_ATTENDED:
        return write_token(scene->to, value);
    case SETTING_RANK:
        snprintf(value, SETTING_VALUE, "%zu", scene->rank + 1);
        return scene->ranked;
    case SETTING_FIND:
        snprintf(value, SETTING_VALUE, "%s", scene->find ? scene->find : "");
        return value[0] != '\0';
    case SETTING_THEME:
        snprintf(value, SETTING_VALUE, "%s", session->theme->name);
        return true;
    default:
        return false;
    }
}

bool setting_write(const struct session *session, enum setting setting, char value[SETTING_VALUE])
{
    const struct setting_entry *entry = setting_entry(setting);
    const void *field = (const char *)&session->scene + entry->offset;
    unsigned choice = 0;
    if (entry->kind == KIND_OTHER)
        return write_other(session, setting, value);
    if (entry->kind == KIND_NUMBER) {
        snprintf(value, SETTING_VALUE, "%zu", *(const size_t *)field);
        return true;
    }
    if (entry->kind == KIND_CHOICE)
        memcpy(&choice, field, sizeof choice);
    else
        choice = *(const bool *)field;
    snprintf(value, SETTING_VALUE, "%s", entry->choices[choice]);
    return choice != 0 || setting == SETTING_VIEW || setting == SETTING_SIDE;
}
