/* model.safetensors.index.json beside one shard, a.safetensors, of two tensors. */
#include "../opening.h"
#include "fuzz.h"

#include "headlight/tensor/store.h"

#include <string.h>

static const char header[] = "{\"x\":{\"dtype\":\"F32\",\"shape\":[1],\"data_offsets\":[0,4]},"
                             "\"y\":{\"dtype\":\"F16\",\"shape\":[2],\"data_offsets\":[4,8]}}";

static void write_shard(void)
{
    unsigned char bytes[8 + sizeof header - 1 + 8] = {sizeof header - 1};
    memcpy(bytes + 8, header, sizeof header - 1);
    fuzz_write("a.safetensors", bytes, sizeof bytes);
}

void fuzz_index(const uint8_t *data, size_t size)
{
    static bool ready;
    struct store *store;
    struct error error;
    if (!ready)
        write_shard();
    ready = true;
    fuzz_write("model.safetensors.index.json", data, size);
    if (store_open_folder(fuzz_folder(), &store, &error) != STATUS_OK) {
        promise(error.message[0] != '\0');
        return;
    }
    const struct tensor *x = store_find(store, "x"), *y = store_find(store, "y");
    promise(!x || (x->size == 4 && strcmp(x->name, "x") == 0));
    promise(!y || y->size == 4);
    promise(!store_find(store, "z"));
    store_close(store);
}
