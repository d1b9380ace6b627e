/* What the files of front_declare share.  The way of the data:
 *
 *     declare_parse.c   the flags of sources, the parser, its complaints
 *     declare.c         what stands at the top of a translation unit
 *     declare_entries.c functions and variables
 *     declare_types.c   libclang's types as CTypes
 *     declare_fields.c  fields of structs as far as they are pointers, or numbers beside pointers
 *     declare_tree.c    a body as a small tree without parentheses and conversions, its names resolved
 *     declare_alias.c   what the variables of a body may stand for: a parameter, one of its elements, a number given as a parameter
 *     declare_use.c     one walk over the tree: reads, writes, tests, calls
 *     declare_length.c  evidence that a parameter is the length of another
 *     declare_library.c what the C library does with its arguments
 *     declare_flow.c    uses spread from callees to callers; verdicts
 *
 * Trees and cursors live as long as their translation unit; Facts and everything in them until front_declare ends. */
#ifndef CLEW_FRONT_DECLARE_INT_H
#define CLEW_FRONT_DECLARE_INT_H

#include "front/front_int.h"

#include <clang-c/Index.h>

/* A root is a pointer whose use is asked for: number i < 64 is parameter i, the following ones are pointer globals and pointer fields (of
 * whatever object).  Numbers that may be lengths are likewise parameters, then integer fields.  Sets of either are 64-bit masks; a function
 * with more of them is analysed for the first 64. */
enum { ROOT_MOST = 64, FIELD_ROOT_MOST = 48 /* some are left for globals */ };
typedef uint64_t RootSet;
typedef uint64_t NumberSet;

/* Kinds of evidence that a parameter is a length, by strength. */
typedef enum Score {
    SCORE_NONE,
    SCORE_PLACE,     /* it is named as lengths are, and not far */
    SCORE_NEXT,      /* the same, right behind the pointer */
    SCORE_DERIVED,   /* an index is computed from it */
    SCORE_MOVE,      /* it bounds a loop in which the pointer moves */
    SCORE_NAME,      /* it is named after the pointer */
    SCORE_TEST,      /* an index is compared with it */
    SCORE_COUNTDOWN, /* it is counted down while the pointer moves, or is 1 more than an index */
    SCORE_SURE,      /* it bounds an index in a loop, or is said to be the length in a call */
} Score;

typedef struct Root {
    CUse use;
    bool is_char, is_plain_char, is_const, is_void; /* of what it points to */
    uint64_t size;                                  /* the same; 1 where there is none */
    bool zero_tested;                               /* an element is compared with 0, and that ends something */
    bool zero_written;                              /* with 0 written as a character */
    bool text;                                      /* a string as far as some length goes */
    bool weak_string;                               /* walked until an element has some content */
    bool cast_clash;                                /* converted to several types */
    uint8_t score[ROOT_MOST];                       /* how sure it is that this parameter is its length: a Score */
    NumberSet indices;                              /* parameters that are used as an index of it, as they are */
    NumberSet places;                               /* numbers from which a place in it is computed, other than as one before the end */
    NumberSet passed;                               /* parameters that are added to it before memory there is used: there is more behind */
    bool multiplied;                                /* an index has a factor: the number of elements is some product */
    bool walked;                                    /* up to a 0, and no number ends that: a string, whatever is counted besides */
} Root;

typedef struct Passed {
    RootSet roots;
    NumberSet numbers;
    bool is_behind, is_parameter; /* a place behind the pointer; a parameter as it is */
} Passed;
typedef struct Stored { /* pointers that are assigned to a field, or a parameter that is a number */
    RootSet roots;
    NumberSet numbers; /* parameters; with roots: those that are added to the pointer */
    uint32_t field;    /* into Declarer.fields */
} Stored;
typedef struct Call {
    uint32_t callee; /* into Declarer.functions */
    uint32_t count;
    Passed *args;
} Call;

typedef struct Facts { /* of one function */
    bool analysed;
    uint32_t root_count, param_roots;
    Root *roots;
    struct {
        bool is_field;
        uint32_t number;     /* into `globals`, or into Declarer.fields */
    } * origins;             /* of each root after the parameters */
    uint32_t number_count;   /* of numbers, parameters included */
    uint32_t *number_fields; /* of each number after the parameters: into Declarer.fields */
    Vec(Stored) stored;
    Vec(Call) calls;
    Vec(uint32_t) refers; /* functions */
    Vec(CGlobalUse) globals;
    RootSet returns;       /* parameters that the result may be derived from */
    uint32_t text;         /* the longest text it compares with, or length of one */
    Vec(uint32_t) checked; /* fields that are compared with one another, to leave at once if they do not fit */
} Facts;

/* ---- trees ---- */
typedef enum NodeKind {
    NODE_OTHER, /* nothing special; its children are evaluated */
    NODE_CONSTANT,
    NODE_VARIABLE,
    NODE_FUNCTION,
    NODE_DEREFERENCE,
    NODE_ADDRESS,
    NODE_STEP, /* ++ and -- */
    NODE_NOT,
    NODE_BINARY,
    NODE_ASSIGN,
    NODE_UPDATE, /* += and the like */
    NODE_SUBSCRIPT,
    NODE_MEMBER,
    NODE_CALL, /* callee, arguments */
    NODE_CAST, /* of a void pointer to another one */
    NODE_CHOICE,
    NODE_SIZEOF,
    NODE_INITIAL, /* the value of a field in `{…}` */
    NODE_IF,
    NODE_LOOP, /* condition, start, step, body; each may be NULL */
    NODE_SWITCH,
    NODE_EXIT,    /* return, break, goto */
    NODE_DECLARE, /* variable, initial value */
} NodeKind;

typedef struct Node Node;
struct Node {
    NodeKind kind;
    uint32_t op;       /* of libclang: CXBinaryOperatorKind */
    uint32_t number;   /* of a variable (or a field) in its function's table, of a function in Declarer.functions */
    bool is_character; /* a constant written as one */
    bool is_return;
    bool to_const; /* an argument passed as a pointer to const */
    bool is_array, is_char, arrow;
    bool decays; /* an array that becomes a pointer here */
    int64_t value;
    const char *library; /* of a function: its name, if it is not one of the program's own */
    uint32_t count;
    Node **kids;
    CXCursor cursor;
};

typedef enum VariableKind { VARIABLE_PARAM, VARIABLE_LOCAL, VARIABLE_GLOBAL, VARIABLE_FIELD } VariableKind;
typedef struct Variable {
    VariableKind kind;
    uint32_t number; /* of a parameter; of a global in Facts.globals */
    bool is_array, is_integer;
    bool changed, scaled; /* assigned to; multiplied or divided in place */
    bool product;         /* counted in loops within loops of different numbers, none of which bounds it */
    bool is_text_length;  /* it is given what strlen returns */
    RootSet roots;        /* pointers it may be derived from */
    RootSet copies;       /* those it may be equal to at first */
    RootSet elements;     /* pointers whose elements it may hold */
    NumberSet numbers;    /* parameters it is computed from; of a pointer, what was added to it */
} Variable;

typedef struct Body {
    uint32_t function; /* into Declarer.functions */
    Node *root;
    Vec(Variable) variables;
    Map variable_of; /* declaration -> index + 1 */
} Body;

/* ---- fields ---- */
typedef struct Beside { /* evidence that a field is the length of its neighbour */
    uint32_t field;
    uint8_t score;
    bool is_place; /* a place in it is computed from the field: what bounds such places is rather the length */
} Beside;
typedef struct FieldEntry {
    const char *name;
    const CType *type;
    uint64_t record; /* a hash of its struct's name, the same in all sources */
    Root root;
    Vec(Beside) beside;
} FieldEntry;
typedef struct FieldSlot { /* one of the places where a field is described */
    CField *field;
    const CField *siblings;
    uint32_t count, entry;
} FieldSlot;

typedef struct NullGiven { /* a call passes NULL */
    uint32_t function, param;
} NullGiven;

typedef struct Declarer {
    Decls *decls;
    Error *error;
    char *here;
    Vec(CFunction) functions;
    Vec(Facts) facts; /* of these */
    Vec(CGlobal) globals;
    Vec(FieldEntry) fields;
    Vec(FieldSlot) slots;
    NameMap function_names, global_names, field_names, library;
    Vec(const char *) builtins; /* Decls.builtins */
    Vec(NullGiven) nulls;
    Arena arena; /* of facts */
    /* the current translation unit */
    uint32_t source;
    const CSource *place;
    Map types, records, function_of, global_of, field_of;
    Arena trees;
    Vec(Body) bodies;
} Declarer;

/* declare_parse.c */
typedef struct Parser {
    CXIndex index;
    char *resources;
} Parser;
Parser declare__start_parser(void);
void declare__stop_parser(Parser *parser);
/* The source as libclang is to read it; the texts of `entry` live in the arena. */
void declare__list_source(Arena *arena, const FrontOptions *options, const Source *source, CSource *entry);
bool declare__add_flag(Arena *arena, CSource *source, const char *flag); /* false: the source has it already */
/* A unit without errors; code in old style is given the flags it needs.  On failure the error quotes the first complaint.  `here` is the
 * current directory. */
Status declare__parse(Arena *arena, const Parser *parser, CSource *source, const char *here, CXTranslationUnit *unit, Error *error);
/* The code of `file` behind the source, with whatever the parser complains of; false: it cannot be read at all. */
bool declare__parse_behind(const Parser *parser, const CSource *source, struct CXUnsavedFile *file, CXTranslationUnit *unit);
void declare__find_keyword_macros(Arena *arena, CSource *source);

/* declare_entries.c */
const char *declare__keep(Arena *arena, CXString text); /* disposes of it */
uint64_t declare__key(CXCursor declaration);
uint32_t declare__function(Declarer *d, CXCursor declaration); /* UINT32_MAX: a builtin of the compiler */
uint32_t declare__global(Declarer *d, CXCursor declaration);
bool declare__defines(CXCursor variable); /* not just `extern` */
const char *declare__file_name(Arena *arena, const CSource *source, const char *here, CXFile file);

/* declare_types.c */
const CType *declare__type(Declarer *d, CXType type);
const CType *declare__param_type(Declarer *d, CXType type, CXType function, uint32_t number);
/* An expression that has the type gives a type without a name, and those made of it, a spelling. */
void declare__name_type(Declarer *d, const CType *type, const char *expression);
CXType declare__strip(CXType type); /* without typedefs and other sugar */

/* declare_fields.c */
uint32_t declare__field(Declarer *d, CXCursor field);
void declare__describe_field(FieldEntry *entry, Root *root); /* when types are complete */
bool declare__learn_fields(Declarer *d, const Facts *facts); /* true if something was new */
bool declare__teach_stored(Declarer *d, Facts *facts);       /* what was stored in a field is used as the field is */
void declare__finish_fields(Declarer *d);
void declare__release_fields(Declarer *d);

/* declare_tree.c */
void declare__describe_root(Root *root, const CType *pointer);
void declare__build_body(Declarer *d, uint32_t function, CXCursor definition);
void declare__visit_initializer(Declarer *d, uint32_t global, CXCursor initializer);

/* declare_alias.c */
const char *declare__library_callee(const Declarer *d, const Node *callee); /* NULL: the program's own function, or no function */
bool declare__alias(Declarer *d, Body *body);                               /* true if what the function returns has changed */
RootSet declare__roots(const Declarer *d, const Body *body, const Node *node);
RootSet declare__copies(const Body *body, const Node *node);
RootSet declare__elements(const Declarer *d, const Body *body, const Node *node);
NumberSet declare__numbers(const Body *body, const Node *node);

/* declare_use.c */
void declare__use(Declarer *d, Body *body);
void declare__note_cast(Root *root, const CType *type);

/* declare_length.c: comparisons seen in the current function */
typedef struct Comparison {
    uint32_t variable;
    NumberSet numbers;
    uint64_t bound; /* what the variable is below of; 0: no constant */
} Comparison;
typedef struct LoopScope {
    struct LoopScope *outer;
    NumberSet numbers, countdown;
    uint32_t first; /* of its comparisons */
} LoopScope;
typedef struct Indexing {
    uint32_t root, variable;
} Indexing;
typedef struct Lengths {
    const Declarer *d;
    Body *body;
    Facts *facts;
    LoopScope *loop;
    bool in_loop_condition;
    Vec(Comparison) bounds; /* of the loops around, a stack */
    Vec(Comparison) others; /* anywhere else */
    Vec(Indexing) indexings;
} Lengths;
void declare__enter_loop(Lengths *l, LoopScope *loop, const Node *condition);
void declare__leave_loop(Lengths *l);
void declare__compare_numbers(Lengths *l, uint32_t op, const Node *left, const Node *right);
void declare__index_by(Lengths *l, RootSet roots, const Node *index);
void declare__move(Lengths *l, RootSet roots);
void declare__count(Lengths *l, uint32_t variable); /* an integer variable is changed in place */
void declare__is_length(Lengths *l, RootSet roots, NumberSet numbers, Score score);
void declare__finish_lengths(Lengths *l);

/* declare_library.c */
enum {
    LIBRARY_STRING = 1,
    LIBRARY_READ = 2,
    LIBRARY_WRITE = 4,
    LIBRARY_FREE = 8,
    LIBRARY_RETURN = 16, /* the result points into it */
    LIBRARY_FORMAT = 32, /* of printf */
    LIBRARY_SCAN = 64,   /* of scanf */
    LIBRARY_TEXT = 128,  /* read as a string, but no further than its length */
};
typedef struct LibraryArgument {
    uint32_t flags;
    int length; /* number of the argument that says how many; -1: none */
} LibraryArgument;
/* What the library's function does with its argument of this number; no flags: nothing is known. */
LibraryArgument declare__library(const Declarer *d, const char *function, uint32_t argument);
void declare__library_names(Declarer *d);
/* The function that a builtin of the compiler stands for: memcpy for __builtin_memcpy and __builtin___memcpy_chk. */
const char *declare__builtin_name(Arena *arena, const char *builtin);
/* For each conversion of a format the flags of its argument, in order; returns how many. */
uint32_t declare__format(const char *format, bool scan, uint32_t *flags, uint32_t most);

/* declare_flow.c */
void declare__spread(Declarer *d);
bool declare__merge_use(Root *root, const Root *from);
bool declare__is_length_name(const char *name);

#endif
