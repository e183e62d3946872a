/* A list of keys, as for --type. The first byte chooses the size of the screen that they lead to.
 */
#include "fuzz.h"

#include "headlight/session/act.h"
#include "headlight/session/request.h"

#include <stdlib.h>

void fuzz_keys(const uint8_t *data, size_t size)
{
    static const struct text texts[] = {{"the cat sat", 11}, {"on the mat", 10}};
    const struct interventions none = {0};
    struct session session = {0};
    struct error error;
    if (size == 0)
        return;
    char *keys = fuzz_string(data + 1, size - 1);
    session_begin(&session, fuzz_checkpoint(), true, &none);
    session.columns = 80;
    session.rows = 24;
    promise(session_open(&session, texts, 2, NULL, &error) == STATUS_OK);
    promise(request_settle(&session, &error) == STATUS_OK);
    if (input_type(&session, keys, &error) != STATUS_OK)
        promise(error.message[0] != '\0');
    fuzz_draw(&session, data[0]);
    session_end(&session);
    free(keys);
}
