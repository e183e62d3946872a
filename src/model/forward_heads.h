/* forward_heads.h: the model's heads on top of the last layer. Part of forward_pass.c. */

/* One row of a text, x [T,H]: the first token's, or the mean of all. */
static void pool_text(enum head_pooling pooling, const float *x, size_t T, size_t H,
                      float *pooled /* [H] */)
{
    memcpy(pooled, x, H * sizeof *x);
    for (size_t i = 0; pooling == POOL_MEAN && i < H; i++) {
        double sum = 0;
        for (size_t t = 0; t < T; t++)
            sum += (double)x[t * H + i];
        pooled[i] = (float)(sum / (double)T);
    }
}

/* What a head takes of the last layer, x [T,H]: each token's row, or one of each text. Where norms
 * come before, x is LayerNorm(x). */
static struct packed pool_rows(const struct pass *pass, enum head_pooling pooling, const float *x)
{
    const size_t H = pass->trace->hidden;
    float *pooled = pass->room.pooled; /* [texts,H] */
    struct packed input = pass->room.input;
    if (pooling == POOL_NONE)
        return input;
    x = pass->config->norm_before ? pass->room.rows : x;
    input = pack_in(input.numbers, pass->extent.texts, H, true);
    for (struct rows rows; claim_of(pass, input.tokens, &rows);) {
        for (size_t i = rows.first; i < rows.first + rows.count; i++)
            pool_text(pooling, x + pass->texts[i].first * H, pass->texts[i].trace->tokens, H,
                      pooled + i * H);
        put_input_rows(&input, pooled + rows.first * H, rows.first, rows.count);
    }
    return input;
}

/* LayerNorm(f(x·Wᵀ + b)), which becomes the next linear layer's input, and is copied to `traced` in
 * the trace unless that is NULL. */
static struct packed transform(const struct pass *pass, const struct packed *from,
                               const struct head_weights *head, size_t outputs, float *traced)
{
    float *x = pass->room.rows; /* [T,outputs] */
    struct packed input = *from;
    input.inputs = outputs;
    linear(pass, from, &head->dense, 1, outputs, x);
    for (struct rows rows; claim_of(pass, from->tokens, &rows);) {
        activation_apply(head->activation, x + rows.first * outputs, rows.count * outputs);
        for (size_t t = rows.first; t < rows.first + rows.count; t++)
            norm_row(pass, &head->norm, outputs, x + t * outputs, false, x + t * outputs);
        if (traced)
            memcpy(traced + rows.first * outputs, x + rows.first * outputs,
                   rows.count * outputs * sizeof *x);
        put_input_rows(&input, x + rows.first * outputs, rows.first, rows.count);
    }
    return input;
}

/* Every head on top of the last layer (family.h):  logits = LayerNorm(f(x·Wᵀ + b))·Uᵀ + c
 *
 * Devlin et al. 2019, 3.1: words (BertLMPredictionHead in modeling_bert.py, U the word embeddings)
 * and the next sentence; 4.1 to 4.3: classes, spans and tags; Clark et al. 2020, 2: replaced
 * tokens. The families' classification heads are in their modeling files. */
static void carry_out_head(const struct pass *pass, enum model_output output, const float *last)
{
    const struct trace *trace = pass->trace;
    const struct head_weights *head = &pass->weights->heads[output];
    struct packed input = pool_rows(pass, head->pooling, last);
    if (head->dense.weight.bytes)
        input =
            transform(pass, &input, head, output == OUTPUT_MLM ? trace->embedded : trace->hidden,
                      head->decoder.weight.bytes ? NULL : trace->outputs[output]);
    if (head->decoder.weight.bytes)
        linear(pass, &input, &head->decoder, 1, trace_output_columns(trace, output),
               trace->outputs[output]);
}
