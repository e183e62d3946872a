/* incbin.h: files that are linked into the program. */
#pragma once

#ifdef __APPLE__
#define INCBIN_SECTION      ".const_data"
#define INCBIN_SYMBOL(name) "_" name
#else
#define INCBIN_SECTION      ".section .rodata"
#define INCBIN_SYMBOL(name) name
#endif

/* The file's bytes from NAME_begin to NAME_end, and a NUL behind them: the assembler copies it
 * between the two symbols. Paths count from the project's root, where the compiler runs. */
#define INCLUDE_FILE(name, path)                                                                   \
    __asm__(INCBIN_SECTION                                                                         \
            "\n"                                                                                   \
            ".balign 64\n"                                                                         \
            ".globl " INCBIN_SYMBOL(#name) "_begin\n" INCBIN_SYMBOL(                               \
                #name) "_begin:\n"                                                                 \
                       ".incbin \"" path "\"\n"                                                    \
                       ".globl " INCBIN_SYMBOL(#name) "_end\n" INCBIN_SYMBOL(#name) "_end:\n"      \
                                                                                    ".byte 0\n"    \
                                                                                    ".text\n");    \
    extern const unsigned char name##_begin[], name##_end[]
