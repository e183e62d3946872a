/* forward_heads.h: the model's heads on top of the last layer. Part of forward_pass.c. */

/* One row of a text, x [T,H]: the first token's, or the mean of all. */
static void pool_text(bool mean, const float *x, size_t T, size_t H, float *pooled /* [H] */)
{
    memcpy(pooled, x, H * sizeof *x);
    for (size_t i = 0; mean && i < H; i++) {
        double sum = 0;
        for (size_t t = 0; t < T; t++)
            sum += (double)x[t * H + i];
        pooled[i] = (float)(sum / (double)T);
    }
}

/* From here on there is a row of each text. */
static size_t carry_out_pool(struct pass *pass, const struct operation *of)
{
    const size_t H = of->inputs;
    const float *x = pass->at[of->from];
    pass->rows = pass->extent.texts;
    pass->few = true;
    for (struct rows rows; claim_rows(pass, &rows);) {
        for (size_t i = rows.first; i < rows.first + rows.count; i++)
            pool_text(of->pools[POOLING_MEAN], x + pass->texts[i].first * H,
                      pass->texts[i].trace->tokens, H, pass->at[of->stage] + i * H);
        pack_rows(pass, of->stage, H, rows);
    }
    return 1;
}
