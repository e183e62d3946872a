/* libfuzzer.c: the door of libFuzzer. HEADLIGHT_FUZZ names the target. Inputs that are JSON,
 * perhaps with a NUL and a text behind it, are mostly changed as trees, since hardly any change of
 * their bytes leaves JSON; others, and what is not a tree in these, as libFuzzer does it. */
#include "fuzz.h"

#include "headlight/base/json.h"

#include <cjson/cJSON.h>
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t room); /* libFuzzer's own */
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t room, unsigned seed);

static fuzz_target *chosen;

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
    const char *name = getenv("HEADLIGHT_FUZZ");
    (void)argc;
    (void)argv;
    setlocale(LC_CTYPE, "C.UTF-8");
    for (const struct fuzz_target *target = targets; target->name && name; target++)
        if (strcmp(target->name, name) == 0)
            chosen = target->run;
    if (!chosen) {
        fprintf(stderr, "HEADLIGHT_FUZZ: expected the name of a target in tests/fuzz, found %s\n",
                name ? name : "none");
        exit(EXIT_FAILURE);
    }
    return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    chosen(data, size);
    return 0;
}

/* ---- Trees ---- */

#define PLACES_MAX 1000

struct tree {
    cJSON *root;
    struct place {
        cJSON *parent, *item;
    } places[PLACES_MAX];
    size_t count;
    unsigned random;
};

static size_t random_below(struct tree *tree, size_t limit)
{
    tree->random = tree->random * 1664525 + 1013904223;
    return (tree->random >> 8) % limit;
}

static void collect(struct tree *tree, cJSON *parent)
{
    for (cJSON *item = parent->child; item && tree->count < PLACES_MAX; item = item->next) {
        tree->places[tree->count++] = (struct place){parent, item};
        collect(tree, item);
    }
}

static const struct place *any_place(struct tree *tree)
{
    return &tree->places[random_below(tree, tree->count)];
}

static void add(cJSON *parent, const char *name, cJSON *item)
{
    if (cJSON_IsArray(parent))
        cJSON_AddItemToArray(parent, item);
    else
        cJSON_AddItemToObject(parent, name ? name : "a", item);
}

/* Puts a copy of something else in its place. */
static void replace(struct tree *tree, struct place place)
{
    cJSON *copy = cJSON_Duplicate(any_place(tree)->item, true);
    free(copy->string);
    copy->string = place.item->string ? fuzz_string((const uint8_t *)place.item->string,
                                                    strlen(place.item->string))
                                      : NULL;
    cJSON_ReplaceItemViaPointer(place.parent, place.item, copy);
}

static void take_out(struct tree *tree, struct place place)
{
    (void)tree;
    cJSON_Delete(cJSON_DetachItemViaPointer(place.parent, place.item));
}

/* Adds something from elsewhere, where it is a list perhaps many times: but no branches, which
 * would soon be more than memory holds. */
static void insert(struct tree *tree, struct place place)
{
    const cJSON *item = any_place(tree)->item;
    bool many = cJSON_IsArray(place.parent) && !item->child && random_below(tree, 4) == 0;
    for (size_t n = many ? random_below(tree, 100) : 1; n > 0; n--)
        add(place.parent, item->string, cJSON_Duplicate(item, true));
}

static cJSON *changed_string(const char *text)
{
    uint8_t bytes[256];
    size_t length = strnlen(text, sizeof bytes / 2);
    memcpy(bytes, text, length);
    length = LLVMFuzzerMutate(bytes, length, sizeof bytes);
    char *changed = fuzz_string(bytes, length);
    cJSON *item = cJSON_CreateString(changed);
    free(changed);
    return item;
}

/* A number becomes one at an edge, a word another word, true false, and anything else a list of it.
 */
static void change(struct tree *tree, struct place place)
{
    static const char *const numbers[] = {"0",          "1",          "-1",    "0.5",
                                          "2147483648", "4294967295", "1e15",  "9007199254740993",
                                          "1e999",      "1e-300",     "65536", "64"};
    const size_t count = sizeof numbers / sizeof *numbers;
    cJSON *item = place.item, *changed;
    if (cJSON_IsNumber(item))
        changed = cJSON_CreateRaw(numbers[random_below(tree, count)]);
    else if (cJSON_IsString(item))
        changed = changed_string(item->valuestring);
    else if (cJSON_IsBool(item))
        changed = cJSON_CreateBool(!cJSON_IsTrue(item));
    else
        cJSON_AddItemToArray(changed = cJSON_CreateArray(), cJSON_Duplicate(item, true));
    if (item->string)
        changed->string = fuzz_string((const uint8_t *)item->string, strlen(item->string));
    cJSON_ReplaceItemViaPointer(place.parent, item, changed);
}

/* The changed tree as text, for cJSON_free; NULL where the bytes hold no tree. */
static char *changed_tree(const char *bytes, size_t length, unsigned seed)
{
    static void (*const changes[])(struct tree *, struct place) = {replace, take_out, insert,
                                                                   change};
    static struct tree tree;
    struct error error;
    /* which has cJSON allocate as MemorySanitizer knows it (foreign.c) */
    if (json_parse_object(bytes, length, "tree", &tree.root, &error) != STATUS_OK &&
        json_parse(bytes, length, JSON_BYTES_MAX, true, "tree", &tree.root, &error) != STATUS_OK)
        tree.root = NULL;
    tree.random = seed;
    for (size_t n = 1 + random_below(&tree, 3); tree.root && n > 0; n--) {
        tree.count = 0;
        collect(&tree, tree.root);
        if (tree.count > 0)
            changes[random_below(&tree, 4)](&tree, *any_place(&tree));
    }
    char *text = tree.root ? cJSON_PrintUnformatted(tree.root) : NULL;
    cJSON_Delete(tree.root);
    return text;
}

/* One time in four all bytes are changed as any bytes, one in four those behind the tree. */
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t room, unsigned seed)
{
    uint8_t *end = memchr(data, '\0', size);
    size_t length = end ? (size_t)(end - data) : size;
    char *text = seed % 4 > 0 ? changed_tree((const char *)data, length, seed) : NULL;
    size_t rest = size - length, made = text ? strlen(text) : 0;
    if (!text || made + rest > room) {
        cJSON_free(text);
        return LLVMFuzzerMutate(data, size, room);
    }
    memmove(data + made, data + length, rest);
    memcpy(data, text, made);
    cJSON_free(text);
    if (rest > 1 && seed % 4 == 1)
        rest = 1 + LLVMFuzzerMutate(data + made + 1, rest - 1, room - made - 1);
    return made + rest;
}
