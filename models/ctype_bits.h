/* The bits of glibc's character class table on a little-endian machine. */
#ifndef CLEW_MODELS_CTYPE_BITS_H
#define CLEW_MODELS_CTYPE_BITS_H

enum {
    BIT_BLANK = 0x1,
    BIT_CNTRL = 0x2,
    BIT_PUNCT = 0x4,
    BIT_ALNUM = 0x8,
    BIT_UPPER = 0x100,
    BIT_LOWER = 0x200,
    BIT_ALPHA = 0x400,
    BIT_DIGIT = 0x800,
    BIT_XDIGIT = 0x1000,
    BIT_SPACE = 0x2000,
    BIT_PRINT = 0x4000,
    BIT_GRAPH = 0x8000,
};

#endif
