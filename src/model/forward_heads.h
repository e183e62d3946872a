/* forward_heads.h: the model's heads on top of the last layer. Part of forward_pass.c. */

/* f(x·Wᵀ + b) for rows [T,outputs], normed, and the next linear layer's input. */
static struct input transform(const struct pass *pass, const struct linear *linear_of,
                              enum activation activation, const struct norm *norm, size_t outputs)
{
    number *x = pass->room.rows; /* [T,outputs] */
    const struct input input = {pass->room.input.numbers, pass->trace->tokens, outputs};
    linear(pass, &pass->room.input, linear_of, 1, outputs, x);
    for (struct rows rows; claim_rows(pass, &rows);) {
        activate(activation, x + rows.first * outputs, rows.count * outputs);
        for (size_t t = rows.first; t < rows.first + rows.count; t++)
            norm_row(pass, norm, outputs, x + t * outputs, false, x + t * outputs);
        put_input_rows(&input, x + rows.first * outputs, rows.first, rows.count);
    }
    return input;
}

/* Devlin et al. 2019, 3.1, task 1, after BertLMPredictionHead in modeling_bert.py:
 *
 *     logits = LayerNorm(f(x·Wᵀ + b))·Eᵀ + c,  E the decoder, most often the word embeddings
 *
 * The head for the word that comes next is the decoder alone. */
static void word_head(const struct pass *pass)
{
    const struct weights *weights = pass->weights;
    const struct trace *trace = pass->trace;
    struct input input = pass->room.input;
    if (weights->mlm_transform.weight.bytes)
        input = transform(pass, &weights->mlm_transform, pass->config->head_activation,
                          &weights->mlm_norm, trace->embedded);
    linear_into_trace(pass, &input, &weights->mlm_decoder, trace->vocabulary, trace_words(trace));
}

/* Clark et al. 2020, 2, the discriminator:  logit_t = f(x_t·Wᵀ + b)·u + c */
static void replaced_head(const struct pass *pass)
{
    const struct norm none = {NULL, NULL};
    const struct input input = transform(pass, &pass->weights->rtd_transform,
                                         pass->config->activation, &none, pass->trace->hidden);
    linear_into_trace(pass, &input, &pass->weights->rtd, 1, pass->trace->rtd_logits);
}

/* Devlin et al. 2019, 3.1, task 2, after BertPooler:  pooled = tanh(x_0·Wᵀ + b), and for a pair of
 * sentences  logits = pooled·Uᵀ + c */
static void pooled_heads(const struct pass *pass,
                         const number *x /* [T,H], of which the first row counts */)
{
    const struct weights *weights = pass->weights;
    struct trace *trace = pass->trace;
    const size_t H = trace->hidden;
    const struct input first = {pass->room.input.numbers, 1, H};
    float *logits = trace->nsp_logits ? trace->nsp_logits : trace->sop_logits;
    number *pooled = pass->room.rows; /* [H] */
    for (struct rows one; claim_of(pass, 1, &one);)
        put_input_rows(&first, x, 0, 1);
    linear(pass, &first, &weights->pooler, 1, H, pooled);
    for (struct rows one; claim_of(pass, 1, &one);) {
        for (size_t i = 0; i < H; i++) {
            check_finite(pass, isfinite(pooled[i])); /* tanh turns infinity into 1 */
            pooled[i] = TANH(pooled[i]);
        }
        if (trace->pooler_output)
            put_into_trace(pooled, H, trace->pooler_output);
        put_input_rows(&first, pooled, 0, 1);
    }
    if (logits)
        linear_into_trace(pass, &first, &weights->pair, 2, logits);
}

/* Reimers and Gurevych 2019: the mean of all tokens, divided by its length; by one thread. Where
 * norms come before, of LayerNorm(x), which lies where the mean takes the first row's place, number
 * by number. */
static void embed_sentence(const struct pass *pass, const number *x /* [T,H] */)
{
    const size_t T = pass->trace->tokens, H = pass->trace->hidden;
    number *mean = pass->room.rows; /* [H] */
    x = pass->config->norm_before ? pass->room.rows : x;
    double square = 0;
    for (size_t i = 0; i < H; i++) {
        double sum = 0;
        for (size_t t = 0; t < T; t++)
            sum += (double)x[t * H + i];
        mean[i] = (number)(sum / (double)T);
        square += (double)mean[i] * (double)mean[i];
    }
    for (size_t i = 0; square > 0 && i < H; i++)
        mean[i] /= (number)sqrt(square);
    put_into_trace(mean, H, pass->trace->sentence_embedding);
}
