/* mask.c: masking tokens with [MASK], and putting predicted answers into the text. Masks refer to
 * tokens by index, so an edit keeps them only if the tokens around it stay the same. A mask is part
 * of the requested text: each change asks for a pass. */

#include "headlight/session/derive.h"
#include "headlight/session/find.h"

/* Whether a label begins a word, by its sign for a space. */
static bool begins_word(const char *label)
{
    return words_part(label, false, WORD_MARKS_BEGIN) != label;
}

/* Whether a masked token continues the word before it: there is nothing between them in the
 * text. */
static bool continues_word(const struct session *session, size_t token)
{
    const struct encoded *encoded = session->data.encoded;
    const struct token *tokens = encoded->encoding->tokens;
    const struct tokenizer *tokenizer = session->checkpoint->tokenizer;
    return token > 0 && token < encoded->encoding->count && masked_has(&encoded->masked, token) &&
           masked_has(&encoded->masked, token - 1) &&
           tokens[token].sentence == tokens[token - 1].sentence &&
           tokens[token].span.start == tokens[token - 1].span.end &&
           !begins_word(tokenizer_label(tokenizer, tokens[token].id));
}

/* Keeps the order of the others. */
static void unmask(struct masked *masked, struct token_range tokens)
{
    size_t kept = 0;
    for (size_t i = 0; i < masked->count; i++)
        if (masked->tokens[i] < tokens.first || masked->tokens[i] >= tokens.end)
            masked->tokens[kept++] = masked->tokens[i];
    masked->count = kept;
}

#define READS_NO_MASK "this model reads no [MASK]: it says which word comes next"

/* The bytes that an answer replaces: the token's own without the spaces before it or, for a
 * next-word model, those of the next token with its spaces; nothing at the end of the sentence. */
static struct span place_of_answer(const struct session *session, size_t token)
{
    const struct encoded *encoded = encoded_speaker(session->data.encoded);
    const struct token *at = &encoded->encoding->tokens[token], *after = at + 1;
    if (!session->data.next) {
        struct span span = at->span;
        while (span.start < span.end && encoded->texts[at->sentence].bytes[span.start] == ' ')
            span.start++;
        return span;
    }
    if (token + 1 < encoded->encoding->count && !after->added && after->sentence == at->sentence)
        return after->span;
    return (struct span){at->span.end, at->span.end};
}

/* What was generated goes on from another token than the one that was chosen. Families mark words
 * in two ways: a sign for the space before a word ("▁", "Ġ"), or "##" before what continues one;
 * byte pieces are no text by themselves. Masks are kept if a whole word replaces a whole word. */
unsigned mask_answer(struct session *session)
{
    struct masked others = session->state.source.masked;
    const struct encoded *encoded = encoded_speaker(session->data.encoded);
    const size_t token = session->state.look.from, given = encoded_given(encoded);
    const int32_t id = (int32_t)session->state.look.answer;
    const struct token *at = &encoded->encoding->tokens[token];
    const bool made = encoded->text_count == 0 || encoded->generated.count > 0;
    if (session->data.next && made && token + 1 >= given &&
        token + 1 - given <= encoded->generated.count && token + 1 - given < GENERATED_MAX) {
        struct generated *generated = &session->state.source.generated;
        generated->ids[token + 1 - given] = id;
        generated->count = token + 2 - given;
        session->tokens_due = derived_target_due(session);
        session->state.look.answer = NO_TOKEN;
        return SESSION_REDRAW | SESSION_PASS;
    }
    if (!session->data.next && at->added)
        return session_say(session, "special tokens stay where they are: choose a word");
    const struct token_side *side = &session->data.encoded->sides[SIDE_LEFT];
    const struct tokenizer *tokenizer = session->data.checkpoint->tokenizer;
    const char *piece = tokenizer_piece(tokenizer, id), *label = tokenizer_label(tokenizer, id);
    const bool continues = strncmp(label, "##", 2) == 0, spaced = begins_word(label);
    if (!*piece || (strcmp(piece, label) != 0 && strstr(label, "<0x")))
        return session_say(session, "this answer is a part of a character: choose another");
    unsigned bits = edit_replace(
        session, at->sentence, place_of_answer(session, token), session->data.next && spaced,
        words_part(continues ? label + 2 : label, false, WORD_MARKS_BEGIN));
    unmask(&others, (struct token_range){token, token + 1});
    if (bits & SESSION_PASS &&
        (words_marks(side->labels, side->count) == WORD_MARKS_BEGIN ? spaced : !continues))
        session->state.source.masked = others;
    session->state.look.answer = NO_TOKEN;
    return bits;
}

/* A second press unmasks; of words that are shown merged, all pieces. */
unsigned mask_token(struct session *session)
{
    struct masked *masked = &session->state.source.masked;
    const struct scene scene = session_scene(session);
    struct token_range tokens;
    if (session->data.next)
        return session_say(session, READS_NO_MASK);
    if (!session->checkpoint || !session->data.encoded->encoding)
        return session_say(session, SESSION_FIXED);
    if (!scene_chosen_pieces(&scene, scene.look.side, &tokens))
        return session_say(session, "M masks the chosen token: choose one with ↑ and ↓ first");
    if (masked_has(masked, tokens.first)) {
        /* masked pieces have no label to tell words apart: adjacent ones in the text go together */
        while (scene.look.shape.words && continues_word(session, tokens.first))
            tokens.first--;
        while (scene.look.shape.words && continues_word(session, tokens.end))
            tokens.end++;
        unmask(masked, tokens);
        return SESSION_REDRAW | SESSION_PASS;
    }
    const struct encoded *encoded = session->data.encoded;
    const int32_t mask = tokenizer_mask(session->checkpoint->tokenizer);
    for (size_t i = tokens.first; i < tokens.end; i++)
        if (encoded->encoding->tokens[i].added)
            return session_say(session, "special tokens can't be masked: choose a word");
    if (mask < 0)
        return session_say(session, "this model's vocabulary has no [MASK]");
    if (encoded->trace->ids[tokens.first] == mask)
        return session_say(session, "this [MASK] stands in the text: e edits it");
    if (masked->count + tokens.end - tokens.first > MASKED_MAX)
        return session_say(session, "that many tokens can't be masked at once");
    for (size_t i = tokens.first; i < tokens.end; i++)
        masked->tokens[masked->count++] = i;
    return SESSION_REDRAW | SESSION_PASS;
}

/* ---- By name ---- */

/* The text is encoded anew, as masks are part of the input; on failure they are as before. */
enum status mask_apply(struct session *session, const char *list, struct error *error)
{
    const struct scene scene = session_scene(session);
    struct masked masked = {.count = 0};
    struct find_item item;
    if (session->data.next)
        return error_usage(error, "--mask: " READS_NO_MASK);
    while (find_next_item(&list, &item)) {
        struct token_range pieces; /* some of which may be masked already */
        if (!find_pieces(&scene, item.text, SIDE_LEFT, &pieces) ||
            scene.data.encoded->encoding->tokens[pieces.first].added)
            return error_usage(
                error,
                "--mask: expected words of the text, or numbers of tokens from 0 to "
                "%zu, with commas between them, but not special tokens, found \"%s\"",
                scene.data.tokens - 1, item.text);
        for (size_t token = pieces.first; token < pieces.end; token++) {
            if (masked_has(&masked, token))
                continue;
            if (masked.count == MASKED_MAX)
                return error_set(error, STATUS_LIMIT,
                                 "--mask: at most %d tokens can be masked at once", MASKED_MAX);
            masked.tokens[masked.count++] = token;
        }
    }
    struct masked before = session->state.source.masked;
    session->state.source.masked = masked;
    const struct encoded *given = encoded_given_texts(session->data.encoded);
    enum status status = session_open(session, given->texts, given->text_count, NULL, error);
    if (status != STATUS_OK)
        session->state.source.masked = before;
    return status;
}
