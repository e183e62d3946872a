/* Which files of a folder are a checkpoint. */
#include "model_helpers.h"
#include "opening.h"
#include "suites.h"

#include "headlight/tensor/store.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static struct folder folder;
static struct error error;

static void begin(void)
{
    folder_make(&folder);
}

static void end(void)
{
    folder_remove(&folder);
}

TESTS(.begin = begin, .end = end);

/* Messages about a missing tensor name the file in which it was looked for. */
TEST(a_single_file_goes_before_an_index)
{
    char *path = in_folder(&folder, "model.safetensors");
    struct store *store;
    folder_copy(&folder, TINY_FOLDER, "model.safetensors");
    folder_write(&folder, "model.safetensors.index.json", "{}", 2);
    assert_ok(store_open_folder(folder.path, &store, &error), error);
    ck_assert_str_eq(store->source, path);
    ck_assert_ptr_nonnull(store_find(store, "bert.pooler.dense.bias"));
    store_close(store);
    free(path);
}

/* As it can be pasted into a shell. */
TEST(the_command_for_pickled_weights_quotes_the_folder)
{
    struct folder odd = folder_below(&folder, "it's $x");
    char command[128], *path = in_folder(&folder, "it's $x/pytorch_model.bin");
    struct store *store;
    ck_assert_int_eq(mkdir(odd.path, 0700), 0);
    folder_write(&odd, "pytorch_model.bin", "", 0);
    assert_fails(store_open_folder(odd.path, &store, &error), STATUS_UNSUPPORTED,
                 "found only pytorch_model.bin", error);
    snprintf(command, sizeof command, "(cd -- '%s/it'\\''s $x' && python3 -c ", folder.path);
    if (!strstr(error.message, command))
        ck_abort_msg("expected %s in %s", command, error.message);
    ck_assert_int_eq(unlink(path), 0);
    ck_assert_int_eq(rmdir(odd.path), 0);
    free(path);
}
