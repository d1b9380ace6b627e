/* What the files of unit/ share: the plan.
 *
 * A *shape* says how one value is made: a number, a run of numbers, a struct of shapes, a pointer with its choices.  It carries the three
 * names by which the value is known: in the record, in the harness, in a test.  An *object* is something a pointer can point to.  Both live in the
 * arena of Units; the vectors in them are released with their plan. */
#ifndef CLEW_UNIT_INT_H
#define CLEW_UNIT_INT_H

#include "unit/unit.h"

enum {
    UNIT_ELEMENTS = 8,           /* of an array that are inputs */
    UNIT_CHARACTERS = 8,         /* of a string */
    UNIT_CHARACTERS_MOST = 64,   /* the same where the program compares with longer ones */
    UNIT_DEPTH = 3,              /* of linked structures */
    UNIT_LIST_DEPTH = 5,         /* of those with one link only */
    UNIT_STRUCTS = 32,           /* objects with pointers in one plan */
    UNIT_OBJECTS = 128,          /* objects of any kind in one plan */
    UNIT_DECLARED = 64,          /* elements of an array with a declared size that are inputs */
    UNIT_REACH = 128,            /* the same of one that the function reads so far by constant indices */
    UNIT_CAPACITY = 4096,        /* elements of an array whose length is an input */
    UNIT_CAPACITY_BYTES = 32768, /* a symbolic index into much larger objects is too dear */
    UNIT_FIELD_CAPACITY = 256,   /* the same where the length is a field of a struct */
    UNIT_GROWTH = 8,             /* the inputs of a string or an array may become so many times as many: three doublings */
    UNIT_STRUCT_ELEMENTS = 3,    /* of an array of structs or pointers that are inputs */
    UNIT_BLOCK = 64,             /* bytes behind a `void *`, and of a buffer that holds a string */
    UNIT_ALIASES = 4,            /* choices of a pointer beyond NULL and its own object */
    UNIT_MAKERS = 3,             /* constructors of one type that are tried.  This and the next three are guesses. */
    UNIT_CHANGERS = 4,           /* functions that change such an object */
    UNIT_STEPS = 2,              /* calls of these, one after the other */
    UNIT_MADE_NUMBER = 8, /* the largest number that any of them is given: larger ones only add paths (64 covered no more of vector.c) */
};

typedef enum ShapeKind {
    SHAPE_NOTHING, /* left as it is: zero */
    SHAPE_NUMBER,  /* one input */
    SHAPE_RUN,     /* `count` numbers of type `type`, of which the first `inputs` are inputs and the others zero */
    SHAPE_ARRAY,   /* `count` elements of type `type`, the first ones as `parts` say */
    SHAPE_FIELDS,  /* a struct or union; parts of anonymous members stand among its own */
    SHAPE_POINTER, /* NULL or one of the choices */
} ShapeKind;

typedef struct Shape Shape;
typedef struct Object Object;
typedef struct Made Made;
typedef struct Stub Stub;

struct Shape {
    ShapeKind kind;
    const CType *type;
    const char *name;   /* of the input */
    const char *place;  /* lvalue in the harness */
    const char *test;   /* lvalue in a test */
    const char *path;   /* as the user would write it: "list->next" */
    const char *member; /* field that it is; NULL: none */
    uint32_t bits;      /* of a bit-field */
    uint64_t offset;    /* in its object, bytes */
    uint64_t count, inputs;
    bool text;     /* a run of characters that ends with 0 */
    bool nullable; /* a pointer: NULL is among its choices */
    bool keeps;    /* so is the value it has without us */
    Object *in;    /* the object it is part of; NULL: a parameter, a global, a result */
    Vec(Shape *) parts;
    Vec(Object *) choices;
    const CUse *use;     /* of a pointer; NULL: not known */
    const Shape *begin;  /* it points to one of the places in the array of this pointer, its end included, and is NULL if that is */
    Stub *callback;      /* what a pointer to a function may point to */
    const char *library; /* the same of one that manages memory: "malloc", … */
    Made *made;          /* how the project's own functions make what it points to; NULL: they do not */
    const char *origins; /* the functions of the project that give such a pointer: "sdsempty, sdsnew or sdsdup"; NULL: there are none */
};

struct Object {
    const char *name, *variable, *place; /* in tests and records; the harness's variable, and the lvalue it gives */
    const CType *type;                   /* of an element */
    bool raw;                            /* bytes that may be used as anything */
    bool stream;                         /* a temporary file, open and empty */
    bool handle;                         /* of a type that is declared only: nothing but its address matters */
    bool array;                          /* declared as one */
    bool wished;                         /* an option says how large it is */
    uint64_t declared;                   /* elements that the declaration of the parameter gives; 0: none */
    uint64_t count;                      /* elements in the harness; more if `most` is not 0 and it has no length */
    uint64_t most;                       /* so many of them may become inputs (clew__bound); 0: no more than its value says */
    bool heap, written;
    bool format;          /* a string without '%' */
    const Shape *length;  /* the number that says how many of the elements there are */
    const Shape *pointer; /* the one it was made for */
    uint32_t depth;       /* of linked structures */
    Shape *value;
};

typedef struct Bound { /* what is assumed of a number */
    const Shape *number;
    bool has_least;
    int64_t least, most;
    const Shape *at_most; /* another number, or NULL */
} Bound;

typedef enum MadeBy {
    MADE_AS_RESULT, /* T *f(…) */
    MADE_THROUGH,   /* int f(T **out, …) */
    MADE_IN_PLACE,  /* void f(T *self, …), where self points to zeros before a constructor, and to the object before other calls */
} MadeBy;

typedef struct MadeCall { /* of a function of the project that makes an object, or changes it */
    const CFunction *function;
    MadeBy by;
    uint32_t self; /* the parameter that is the object or through which it is given; UINT32_MAX: none */
    Shape **args;  /* of all parameters; NULL for `self` */
} MadeCall;

/* An object that the harness and the test make by calls of the project's own functions, see made.c. */
struct Made {
    Object *object;    /* its `variable` points to what was made, as does a variable of its `name` in a test */
    const CType *type; /* of these variables */
    const char *way;   /* the input that says which of the makers is called; as many as there are: none */
    Vec(MadeCall) makers;
    const char *step[UNIT_STEPS]; /* inputs that say which of the changers is called next, from 1; 0: none */
    Vec(MadeCall) changers[UNIT_STEPS];
    const CFunction *release; /* NULL: none is known */
    bool release_through;     /* it takes the address of the pointer */
    const char *storage;      /* memory in a test that one of the makers wants for it; NULL: none does */
    bool always;              /* it cannot be left out */
};

typedef struct Plan {
    struct Units *units;
    const CFunction *function; /* NULL: a stub's */
    const char *owner;         /* its name, for options that say "FUNCTION.P" */
    NameMap names;             /* of objects in a test, and what they must not be called */
    Vec(Object *) objects;
    Vec(Shape *) shapes; /* all, for releasing them */
    Vec(Shape *) pointers;
    Vec(Stub *) callbacks;
    Vec(Made *) made;          /* what is needed for another one stands before it */
    Vec(const char *) library; /* functions of the library that pointers may point to (allocators.c) */
    Vec(Bound) bounds;
    Vec(Bound) counts; /* what holds of fields that count in an array, but is not assumed since the program looks at them itself */
    Vec(const char *) assumptions;
    Vec(const char *) checked; /* fields that the program itself holds against one another */
    const char *problem;
    uint32_t characters; /* of a string */
    bool frees;          /* something it calls frees memory */
    bool streams;        /* something it calls works on a FILE */
    bool watching;       /* shapes are only for observation: no objects, no assumptions */
    bool in_stub;        /* shapes are those of a call, not of the whole run */
    uint32_t structs;
    uint32_t depth; /* of the object whose value is being planned: what is assumed far inside is not listed */
} Plan;

typedef struct StubOut {
    uint32_t param;
    Shape *value;
    bool buffer;     /* as much of it as there is room for: `value` is a run of UNIT_ELEMENTS */
    uint32_t length; /* of a buffer: the parameter that says how many elements; UINT32_MAX: none */
} StubOut;

struct Stub {
    Plan *plan;                /* its own, or for a callback its unit's */
    const CFunction *function; /* NULL: a callback */
    const CType *type;
    const char *name;  /* in the record, without "()" */
    const char *path;  /* of a callback: as the user would write it */
    const char *place; /* function's name in the harness */
    const char *test;  /* and in a test */
    uint32_t source;
    bool noreturn;
    bool foreign;  /* see foreign.c: `place` is another name for it */
    Shape *result; /* NULL: void */
    Vec(StubOut) outs;
    Vec(Bound) bounds; /* of what a call gives */
};

typedef struct Extern { /* a variable that no source defines */
    const CGlobal *global;
    const CType *type; /* as it is defined: never const, of a known size */
    const char *place; /* what is written: the variable itself, or what stands behind a constant */
    bool constant;
    bool foreign; /* see foreign.c: `place` is another name for it */
} Extern;

typedef struct Start { /* what happens before main */
    Plan plan;
    uint32_t source;
    Vec(Shape *) externs;
} Start;

struct Unit {
    Plan plan;
    const CFunction *function;
    const char *name, *entry;
    Shape **params;
    Shape *result;                  /* NULL: void */
    const CFunction *release;       /* the project's function that releases what the result points to; NULL: none is known */
    bool release_through;           /* it takes the address of the pointer */
    Vec(Shape *) globals;           /* made as inputs */
    Vec(Shape *) watched;           /* globals that it may write and that are no inputs */
    uint32_t first_line, last_line; /* of its code in the harness; 0: there is none */
    Vec(const char *) assumes;
};

struct Units {
    Arena arena;
    const Decls *decls;
    UnitOptions options; /* with the defaults filled in; its vectors are the caller's */
    Vec(Unit *) units;
    Vec(Stub *) stubs;
    Vec(Extern *) externs;
    uint32_t main_source; /* of a whole program, whose harness is all there; else UINT32_MAX */
    Map foreign;          /* types, and those of the same layout that stand for them */
    StrBuf foreign_text;  /* definitions of the latter */
    uint32_t foreign_count;
    Vec(Start *) starts; /* of a whole program: how its externs get their values, at most one for each source */
    NameMap complete;    /* types that some source defines */
    NameMap reserved;    /* names that a variable in a test would hide */
    bool depth_given, characters_given;
    Map mute; /* sources whose stubs and variables do not compile, so that their harness is left out */
};

/* ---- text.c ---- */
char *unit__text(Arena *arena, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* "int (*compare)(int)", "struct node list[3]": `type` declaring `name`, which may have stars before and brackets after it. */
void unit__declare(StrBuf *out, const CType *type, const char *name);
bool unit__is_word(char c);
bool unit__has_word(const char *text, const char *word);
/* A name for what a path leads to: "list->next" is "list_next", "argv[0]" is "argv_0". */
const char *unit__stem(Plan *plan, const char *path);
bool unit__is_taken(const Plan *plan, const char *name);
/* Not yet used in the plan: `wish`, or `wish` with a number. */
const char *unit__unique(Plan *plan, const char *wish);

/* ---- values.c ---- */
bool unit__is_number(const CType *type);
bool unit__is_text_char(const CType *type);           /* `char` itself, of which texts are made */
bool unit__has_const(const CType *type);              /* itself or one of its members */
bool unit__same_type(const CType *a, const CType *b); /* but for qualifiers and typedefs */
char unit__letter(const CType *type);
/* The value that `bits` (of the record) have in something of this type; `field_bits` 0: no bit-field.  Floats keep their bits. */
U128 unit__normal(const CType *type, uint32_t field_bits, U128 bits);
void unit__literal(StrBuf *out, const CType *type, U128 bits);
void unit__float_literal(StrBuf *out, uint32_t width, U128 bits);
void unit__string_literal(StrBuf *out, const unsigned char *bytes, size_t n);

/* ---- plan.c ---- */
const CType *unit__adjusted(Units *units, const CType *type); /* `int a[8]` is a pointer as a parameter */

/* ---- wishes.c ---- */
const char *unit__wish(const Plan *plan, bool string, const char *path);
bool unit__wished_nonnull(const Plan *plan, const char *path);
bool unit__speaks_of(const Plan *plan, const char *name); /* does any option speak of this variable, or of something behind it? */
Status unit__assumes(Units *units, Error *error);
Status unit__wishes_used(const Units *units, Error *error);

/* ---- shapes.c ---- */
typedef struct Siblings { /* what stands beside a pointer */
    bool known;
    const CType *parent;       /* the struct that it is a field of; NULL: it is none */
    const CFunction *function; /* the function that it is a parameter of; NULL as well: it is a global */
    uint32_t number;           /* which field, parameter or global (of the Decls) it is */
} Siblings;
typedef struct Where {
    const char *name, *place, *test, *path, *member;
    bool arrow, test_arrow; /* fields of it are reached by -> in the path, in the test */
    uint64_t offset;
    Object *in;
    uint32_t depth;
    const CUse *use;     /* of a pointer parameter or global; NULL: a field */
    const Shape *length; /* how many elements there are, where that is known from outside */
    bool length_is_field, format, keeps;
    uint64_t declared; /* elements that the declaration of an array parameter gives */
    Siblings siblings;
    bool nonnull;  /* NULL is none of its choices */
    bool is_param; /* of the function under test */
    bool is_arg;   /* of a function that makes an object for it */
} Where;
Shape *unit__shape(Plan *plan, const CType *type, const Where *where);
Shape *unit__elements(Plan *plan, const CType *element, uint64_t count, uint64_t inputs, const Where *where);
Shape *unit__shape_new(Plan *plan, ShapeKind kind, const CType *type, const Where *where);
void unit__assume(Plan *plan, const char *format, ...) __attribute__((format(printf, 2, 3)));
void unit__problem(Plan *plan, const char *format, ...) __attribute__((format(printf, 2, 3)));
void unit__plan_release(Plan *plan);

/* ---- lengths.c ---- */
/* The field of a struct that says how many elements field `pointer` points to; UINT32_MAX: none. */
uint32_t unit__length_field(const CType *type, uint32_t pointer);
/* Is it a count that cannot exceed the number of elements? */
bool unit__is_count_field(const CField *field);
/* Is its only way on one pointer to its own type? */
bool unit__is_list(const CType *type);
/* The parameter of a stub that says how many elements there are behind another one of its parameters; UINT32_MAX: none. */
uint32_t unit__length_param(const Stub *stub, uint32_t pointer);

/* ---- complete.c ---- */
void unit__find_complete(Units *units);

/* ---- allocators.c ---- */
/* The library's function that a pointer to a function of that type points to; NULL: it is any function. */
const char *unit__allocator(Plan *plan, const CType *type, const Where *where);
const char *unit__failing(const char *library);          /* the name of a function like it that always fails; NULL: it cannot fail */
void unit__print_failing(const Plan *plan, StrBuf *out); /* these functions, in a test */

/* ---- makers.c: which functions make, change and release objects of a type ---- */
typedef struct Makers {
    Vec(MadeCall) makers, changers; /* without arguments */
    Vec(MadeCall) origins;          /* all makers, also those whose arguments cannot be made */
    const CFunction *release;
    bool release_through;
} Makers;
/* Of what pointers of that type point to, by functions that the source of the plan's function declares.  `nested`: of arguments of other such
 * functions, so without any that would need such arguments in turn. */
void unit__find_makers(const Plan *plan, const CType *type, bool nested, Makers *makers);
void unit__release_makers(Makers *makers);
bool unit__same_kind(const CType *a, const CType *b); /* pointers to the same kind of object */

/* ---- made.c ---- */
/* The plan of an object that a pointer parameter may point to; NULL: nothing makes one. */
Made *unit__made(Plan *plan, const CType *type, const Where *where, bool nested);
void unit__declare_made(const Plan *plan, StrBuf *out);      /* at file scope */
void unit__declare_releases(const Unit *unit, StrBuf *out);  /* there, too */
void unit__print_made_inputs(const Plan *plan, StrBuf *out); /* in the harness, before what is assumed */
void unit__print_made_params(const Unit *unit, StrBuf *out); /* behind that: makes the objects */
void unit__print_made_end(const Unit *unit, StrBuf *out);    /* behind the call: looks at them and releases them */
bool unit__is_param_made(const Unit *unit, const Made *made);
void unit__made_release(Made *made);

/* ---- leftovers.c ---- */
void unit__plan_result_release(Unit *unit);
void unit__declare_result_release(const Unit *unit, StrBuf *out); /* in the harness, at file scope */
void unit__print_there(const Unit *unit, StrBuf *out);            /* there, behind the call: notes what is allocated */
void unit__print_left(const Unit *unit, StrBuf *out);             /* there, behind everything else: notes what is still allocated */
bool unit__may_free(const Unit *unit);                            /* may a test free what the project's functions have made? */

/* ---- pointers.c, pool.c ---- */
extern const CType unit__byte; /* of memory that may be used as anything */
Shape *unit__pointer(Plan *plan, const CType *type, const Where *where);
/* A pointer into the array of another one; NULL: that has none. */
Shape *unit__pointer_inside(Plan *plan, const CType *type, const Where *where, const Shape *begin);
bool unit__is_system_type(const CType *type);
/* What a pointer may point to, as pointers.c decides and pool.c makes it. */
typedef struct Target {
    enum { TARGET_NULL, TARGET_ONE, TARGET_ARRAY, TARGET_STRING, TARGET_FUNCTION, TARGET_HANDLE, TARGET_STREAM } kind;
    const CType *element;
    bool raw;     /* bytes behind a `void *` */
    bool guessed; /* an array: nothing says how many elements it has */
    uint64_t count, inputs;
    const Shape *length;
} Target;
uint32_t unit__depth(const Plan *plan, const CType *type);                    /* of structures of that type */
bool unit__grows(const Plan *plan, const Target *target, const Where *where); /* may the search make more of its elements inputs? */
uint64_t unit__capacity(const Object *object);                                /* elements that the harness reserves */
/* NULL if the plan has enough objects, or structures would become too deep. */
Object *unit__object(Plan *plan, const Shape *pointer, const Target *target, const Where *where);
void unit__aliases(Unit *unit);

/* ---- stubs.c ---- */
void unit__plan_stubs(Units *units);
/* `function` NULL: a callback of that type. */
Stub *unit__stub(Plan *plan, const CFunction *function, const CType *type, const char *name, const char *place, const char *test);
const char *unit__stub_param(const Stub *stub, uint32_t i);
void unit__stub_release(Stub *stub);

/* ---- foreign.c ---- */
const CType *unit__foreign(Units *units, const CType *type); /* one of the same layout */
/* ---- starts.c ---- */
void unit__plan_starts(Units *units);
void unit__print_start(const Units *units, uint32_t source, StrBuf *out);
void unit__release_starts(Units *units);
/* ---- externs.c ---- */
void unit__plan_externs(Units *units);
const Extern *unit__extern(const Units *units, const CGlobal *global);    /* NULL: it is none */
bool unit__is_used(const Decls *decls, uint32_t global, uint32_t source); /* by a function of that source; UINT32_MAX: of any */
void unit__define_externs(const Units *units, uint32_t source, StrBuf *out);
void unit__define_test_externs(const Units *units, uint32_t source, StrBuf *out); /* in the test of a function of that source */

/* ---- globals.c ---- */
/* `reached` tells of each function of the Decls whether the unit may come to it. */
void unit__plan_globals(Unit *unit, const bool *reached);

/* ---- inputs.c: C code that makes and observes shapes ---- */
void unit__declare_objects(const Plan *plan, StrBuf *out);
void unit__make_objects(const Plan *plan, StrBuf *out);
void unit__print_input(const Shape *shape, StrBuf *out);
void unit__print_bound(const Bound *bound, StrBuf *out);
void unit__print_bounds(const Plan *plan, StrBuf *out);
void unit__print_observation(const Shape *shape, StrBuf *out);
uint64_t unit__observed(const Shape *run); /* how many of its elements, from the first */
/* ---- stub_text.c ---- */
void unit__print_stub(const Stub *stub, StrBuf *out);
void unit__print_stubs(const Plan *plan, StrBuf *out); /* those of a unit's plan */
void unit__print_inlines(const Units *units, uint32_t source, StrBuf *out);
/* ---- test_stubs.c ---- */
const char *unit__builtin_name(const CType *type); /* of a number: "unsigned short" */
void unit__declare_layout(StrBuf *out, const CType *type, const char *name);
void unit__print_test_stub(const Stub *stub, bool visible, StrBuf *out);
/* Is it known by its name in the translation unit of that source? */
bool unit__is_visible(const Units *units, const CFunction *function, uint32_t source);
/* What the test calls the type of a stub's "results", or of what it writes to a parameter. */
const CType *unit__test_type(const Stub *stub, const CType *type, const char *what, bool visible);

/* ---- checks.c, pointees.c: assertions ---- */
typedef struct Checks {
    const struct Run *run;
    const char *check; /* the macro that asserts */
    StrBuf *out;
    uint32_t count;            /* assertions so far */
    Vec(struct Pointee) known; /* what they have described */
} Checks;
void unit__check(Checks *c, const char *format, ...) __attribute__((format(printf, 2, 3)));
void unit__check_number(Checks *c, const char *lvalue, const CType *type, uint32_t field_bits, U128 bits);
/* Where the pointer leads after the call, and what is there. */
void unit__check_contents(Checks *c, const char *lvalue, const CType *to, uint64_t address);
void unit__check_pointer(Checks *c, const char *lvalue, const CType *type, uint64_t address, uint32_t depth);
/* `count` numbers of that type at an address, as they are after the call.  False: not all of them are known. */
bool unit__check_numbers(Checks *c, const char *lvalue, const CType *type, uint64_t address, uint64_t count);
bool unit__check_text(Checks *c, const char *lvalue, uint64_t address); /* false: no text is known there */
void unit__checks_release(Checks *c);

/* ---- run.c: the values of one record ---- */
typedef struct RunObject {
    const Object *object; /* NULL: a callback, or a function of the library */
    const Stub *stub;
    const char *library;
    bool literal; /* written where it is used, so nothing can be compared with its address */
    uint64_t address;
} RunObject;
typedef struct Run {
    const Unit *unit;
    const Record *record;
    Vec(RunObject) known;
    Vec(const Object *) objects; /* that something points to, those they point to first */
    Vec(const Shape *) later;    /* pointers to objects that are declared after theirs */
    bool no_enumerators;         /* their names are not known here */
} Run;
/* Which of its makers has made it; NULL: none. */
const MadeCall *unit__run_maker(const Run *run, const Made *made);
const MadeCall *unit__run_changer(const Run *run, const Made *made, uint32_t step); /* NULL: none */
bool unit__run_is_literal(const Run *run, const Object *object);                    /* a text that is written where it is used */
void unit__run_init(Run *run, const Unit *unit, const Record *record);
void unit__run_release(Run *run);
/* The bits a number, a pointer or an element of a run was given; 0 if it was none. */
U128 unit__run_bits(const Run *run, const Shape *shape, uint64_t element, uint32_t nth);
/* How often the record has inputs of this shape. */
uint32_t unit__run_times(const Run *run, const Shape *shape);
uint64_t unit__run_elements(const Run *run, const Object *object);
uint64_t unit__run_inputs(const Run *run, const Shape *shape); /* elements of a run of numbers that are inputs */
uint64_t unit__run_count(const Run *run, const Shape *shape);  /* all of them */
/* What a chosen pointer points to; NULL: nothing that the plan made. */
const Object *unit__run_target(const Run *run, const Shape *pointer, uint32_t nth);
/* How many elements of a buffer the nth call has filled. */
uint64_t unit__run_filled(const Run *run, const Shape *buffer, uint32_t nth);
/* "NULL", "&list_object", "&a[2]"; false: it points to nothing known. */
bool unit__run_address(const Run *run, uint64_t address, const CType *type, StrBuf *out);
/* An initialiser; false, and nothing added, if all of it is zero. */
bool unit__run_initialiser(Run *run, const Shape *shape, uint32_t nth, StrBuf *out);
/* The same with what C needs for zero. */
void unit__run_value(Run *run, const Shape *shape, uint32_t nth, StrBuf *out);
/* Is a run of characters one that is best written as a string?  Then `n` is its length. */
bool unit__run_is_text(const CType *type, const unsigned char *bytes, uint64_t count, uint64_t *n);

/* ---- test_made.c ---- */
void unit__print_made(Run *run, StrBuf *out);
void unit__print_made_release(const Run *run, StrBuf *out);
void unit__check_made(Checks *c);

/* ---- leftovers.c ---- */
void unit__print_frees(const Run *run, StrBuf *out); /* the end of the test */
/* Has the harness noted this of the object: "released", "there", "left"? */
bool unit__is_noted(const Run *run, const char *name, const char *what);
/* ---- test_body.c ---- */
void unit__add_statement(StrBuf *out, const char *text); /* broken after commas where it is too long */
/* ---- test_calls.c ---- */
char unit__call_letter(const CType *type);                                 /* how an argument of a stub is compared; 0: not at all */
void unit__print_calls(const Run *run, StrBuf *out);                       /* before the call under test */
uint32_t unit__print_calls_end(const Run *run, bool checked, StrBuf *out); /* after it; how many assertions that are */
void unit__print_received(const Stub *stub, StrBuf *out);

/* ---- checks.c ---- */
void unit__print_checks(Run *run, const char *check, StrBuf *out);
bool unit__result_is_checked(const Run *run);
const char *unit__changed(const Run *run); /* the first object or global that the call has changed; NULL: none */

#endif
