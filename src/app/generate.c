#include "headlight/app/generate.h"

#include "headlight/app/completion.h"
#include "headlight/app/manual.h"

static const struct {
    const char *name;
    void (*write)(FILE *stream);
} generators[] = {
    {"man", manual_write},
    {"bash", completion_write_bash},
    {"zsh", completion_write_zsh},
    {"fish", completion_write_fish},
};

const char *generate_name(size_t index)
{
    return index < sizeof generators / sizeof *generators ? generators[index].name : NULL;
}

void generate_write(size_t index, FILE *stream)
{
    generators[index].write(stream);
}
