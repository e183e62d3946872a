/* A recorded trace, drawn in every view. */
#include "fuzz.h"

#include "headlight/model/recording.h"
#include "headlight/session/act.h"

static void show(const struct recording *recording)
{
    struct session session = {0};
    struct error error;
    if (session_begin_recording(&session, recording, &error) == STATUS_OK) {
        for (uint8_t i = 0; i < 4; i++) {
            fuzz_draw(&session, i);
            session_act(&session, ACTION_VIEW_NEXT, 0);
        }
    } else {
        promise(error.message[0] != '\0');
    }
    session_end(&session);
}

void fuzz_recording(const uint8_t *data, size_t size)
{
    struct recording *recording;
    struct error error;
    if (recording_from_memory("fuzz", data, size, &recording, &error) == STATUS_OK) {
        promise(recording->encoded->sides[0].boundary <= recording->encoded->trace->tokens);
        promise(recording->encoded->sides[1].boundary <= recording->encoded->trace->attended);
        show(recording);
    } else
        promise(error.message[0] != '\0');
    recording_close(recording);
}
