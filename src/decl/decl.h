/* decl: the program under test as a C programmer sees it: types, parameters, variables, and how functions use them.
 *
 * LLVM's pointers are opaque and its structs have lost their names, so this is read from the sources by libclang (front_declare).  Everything
 * lives in the arena of its Decls and is immutable.  Indices of sources are those of the compiler's list (FrontOptions after directories and
 * compilation databases have been expanded). */
#ifndef CLEW_DECL_H
#define CLEW_DECL_H

#include "base/base.h"

typedef enum CTypeKind {
    C_VOID,
    C_BOOL,
    C_CHAR, /* plain, signed or unsigned char; `is_signed` tells */
    C_INT,  /* every other integer, up to 128 bits */
    C_ENUM,
    C_FLOAT, /* float, double, long double: by size */
    C_POINTER,
    C_ARRAY,
    C_STRUCT,
    C_UNION,
    C_FUNCTION,
    C_INCOMPLETE, /* a struct, union or enum that is only declared */
    C_OTHER,      /* complex numbers, vectors, … */
} CTypeKind;

typedef struct CType CType;

typedef struct CUse CUse;

typedef struct CField {
    const char *name; /* "": an anonymous struct or union, whose fields are used as if they were its parent's */
    const CType *type;
    uint32_t bits;   /* of a bit-field, else 0 */
    uint64_t offset; /* in bits */
    const CUse *
        use; /* of a pointer or an array of characters, by all functions together; `length` is the number of a field beside it.  NULL: none uses it */
} CField;

typedef struct CEnumerator {
    const char *name;
    int64_t value;
} CEnumerator;

/* A type with its qualifiers.  Typedefs are seen through, but the spelling keeps them. */
struct CType {
    CTypeKind kind;
    bool is_signed, is_const, is_volatile, is_restrict;
    bool unnamed;         /* a struct, union or enum without tag or typedef: it cannot be written in another declaration */
    uint64_t size, align; /* bytes; 0 where there is none */
    const char *spelling; /* as in a cast: "const struct node *", "unsigned char [4]" */
    const char *plain;    /* the same without outermost const, volatile, restrict */
    const CType *of;      /* pointee, element, or result of a function */
    uint64_t count;       /* of C_ARRAY; 0: unknown (flexible) */
    const CField *fields; /* of C_STRUCT, C_UNION */
    uint32_t field_count;
    const CEnumerator *enumerators;
    uint32_t enumerator_count;
    const CType *const *params; /* of C_FUNCTION */
    uint32_t param_count;
    bool variadic;
};

/* How a function uses one of its pointer parameters (or a global pointer), seen in its body and, where it just passes the pointer on, in
 * those of the functions it passes it to. */
struct CUse {
    bool dereferenced; /* *p, p->f, p[0] */
    bool indexed;      /* p[i] with an index that is no constant, or p moves (p++, p + i) */
    bool string;       /* given to a string function of the library as a string, or walked until a byte is 0 */
    bool written;      /* something is stored through it */
    bool read;         /* something is read through it */
    bool freed;        /* given to free or realloc */
    bool compared;     /* with another pointer than NULL */
    bool meets_field;  /* compared with a pointer in some structure */
    bool null_tested;  /* compared with NULL, or used as a condition */
    bool tested_here;  /* the same, under its own name in the function itself, not in one that it is passed to */
    bool has_end;      /* another parameter points to its end, or into it */
    uint32_t inside;   /* 1 + number of the parameter into whose array it points; 0: none */
    uint64_t declared; /* elements that the declaration of an array parameter gives; 0: none */
    uint64_t reach;    /* largest constant index used, plus 1; 0: none */
    int32_t length;    /* number of the parameter that says how many elements there are; -1: none */
    uint64_t counts;   /* of a field: the set of the numbers of those fields beside it (below 64) from which an index into it is computed */
    const CType *cast; /* of a `void *`: the type of object it is converted to and used as; NULL: none or several */
};

typedef struct CParam {
    const char *name; /* "" if the declaration gives none */
    const CType *type;
    CUse use;        /* of a defined function */
    bool given_null; /* some call in the sources passes NULL here */
} CParam;

typedef struct CGlobal {
    const char *name;
    const CType *type;
    const char *file;
    uint32_t line, source;
    bool is_static, is_local /* a static variable in a function */, defined /* by some source */, in_system_header;
    bool initialised;
    bool written; /* by some function, or its address is kept where that may happen */
    bool frees;   /* its initial value has `free` or `realloc` in it */
} CGlobal;

typedef struct CGlobalUse {
    uint32_t global; /* into Decls.globals */
    bool read, written;
    CUse use; /* of a pointer */
} CGlobalUse;

typedef struct CFunction {
    const char *name, *file;
    uint32_t line, source; /* the source that defines it, else the first one that declares it */
    const CType *type;     /* C_FUNCTION */
    const CType *result;
    CParam *params;
    uint32_t param_count;
    bool is_static, is_inline, variadic, noreturn;
    bool defined;          /* by some source; for a static function by `source` */
    bool in_header;        /* the definition stands in an included file that is not a system header */
    bool in_system_header; /* declared (or defined) in one */
    bool is_kept;          /* the initial value of some variable has its address */
    const uint32_t *calls; /* functions it refers to, into Decls.functions, each once */
    uint32_t call_count;
    const CGlobalUse *globals; /* it refers to itself, each once; those of its callees are theirs */
    uint32_t global_count;
    uint32_t text;              /* the longest text it compares with, or length of one */
    const char *const *checked; /* fields that it compares with one another, to leave at once if they do not fit */
    uint32_t checked_count;
} CFunction;

typedef struct CSource {
    const char *path;      /* as the compiler is given it */
    const char *directory; /* where the compiler runs; NULL: here */
    const char *const *
        flags; /* all flags of the C compiler that matter for this file, the user's included; paths in them are absolute if `directory` is set */
    uint32_t flag_count;
    uint64_t hash;                     /* of its text and of all that it includes; of headers of the system by name only */
    bool is_bitcode;                   /* nothing is known of it here */
    NameMap types;                     /* names of types that the file knows at its end: "struct node", "uint8_t" */
    NameMap functions;                 /* names of the functions that the file declares outside of system headers */
    const char *const *keyword_macros; /* keywords of C that the file defines as macros, as in `#define int long long` */
    uint32_t keyword_macro_count;
} CSource;

typedef struct Decls {
    Arena arena;
    CSource *sources;
    uint32_t source_count;
    CFunction *functions; /* one for each function; static ones of different sources are different */
    uint32_t function_count;
    CGlobal *globals;
    uint32_t global_count;
    const char **builtins; /* library functions that are called by the compiler's names for them ("sin" of __builtin_sin), each once */
    uint32_t builtin_count;
    NameMap library;                   /* functions and variables that Clew's own library defines */
    bool includes_clew, includes_klee; /* some source includes clew.h, klee/klee.h */
} Decls;

void decls_free(Decls *decls);
/* "#undef int" and the like: what code that follows the source in its translation unit has to begin with. */
void decls_forget_macros(const Decls *decls, uint32_t source, StrBuf *out);
/* The definition if there is one.  `source` UINT32_MAX: any, external ones first. */
const CFunction *decls_function(const Decls *decls, const char *name, uint32_t source);

#endif
