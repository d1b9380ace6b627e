/* unit: how the inputs of one function are made, and the C code that makes them.
 *
 * A *plan* says for each parameter and for each global the function reads what it may be: a number, a struct with its fields, NULL or a
 * pointer to one of a few objects, a string, an array with a length, a stub.  From the plan come two pieces of C: the *harness*, compiled
 * together with the source and run by the machine with inputs, and the body of a *test*, with the values of one run.  Objects, names
 * and sizes are the same in both.
 *
 * Primitives of the machine that a harness uses (declared by units_harness itself):
 *   void  clew__input(void *address, size_t size, int type, const char *name)     one variable, types as in record.h
 *   void  clew__inputs(void *address, size_t size, size_t count, int type, const char *name)   "name[0]", "name[1]", …
 *   void *clew__pointer(const char *name, unsigned count, void *const *choices)   any of these; a path divides only where it matters
 *   void  clew__object(void *address, const char *name)   where an object stands (or a stub given as a function pointer): seen, of type 'o'
 *   void  clew__limit(void *object, size_t bytes)      the object (allocated larger) ends there; `bytes` may depend on inputs
 *   size_t clew__bound(void *object, size_t usual, size_t most, size_t element, size_t least, int text)   how many elements of the object are
 *                                                      inputs: `usual`, doubled as often as the search says (Record.doublings), at most `most`.
 *                                                      The object then ends behind them, that of a text behind one more, but not before `least`
 *                                                      bytes; 0: its end is left
 *   void  clew__fill(void *address, size_t size, size_t most, int type, const char *name, int how)   the first elements there, at most
 *                                                      `most` and what the object holds: the first 8 of them are inputs, "name[0]", …; none of NULL;
 *                                                      how & 1: a text, whose last is 0; how & 2: `most` is no guess, and those after the
 *                                                      first 8 become 0; "name.count": how many are written
 *   void  clew__assume(int condition)
 *   void  clew__observe(const void *address, size_t size, size_t count, int type, const char *name)   count 1: "name", else "name[i]";
 *                                                      elements beyond the object's limit, or of an object that was freed, are left out
 *                                                      what a pointer ('p') among them leads to is remembered, too (vm/observe.c)
 *   int   clew__called(const char *name)               a stub of that name is called; its arguments are to be observed next, by their
 *                                                      names, if that is not 0
 *   void  clew__returned(void)                         the call has returned; what follows is not part of the program
 *   int   clew__allocated(const void *object)          in the same case: 2 if malloc and its kin have made it, 1 if it is inside of such an object, else 0
 *   void  clew__any_memory(void)                       an object that functions of the project make is none of theirs in this run
 *   int   clew__may_release(const void *object)        is it there still?  Only where what happens is observed; a fault from here on is none of the
 *                                                      program's, and ends the run as if it had returned
 * A harness must not branch on inputs (at -O0 that includes ?: && ||): use arithmetic, & and |.  Only functions named clew__make_… do, which make an
 * object by calls of the project's own functions: each choice is a path, and a path on which something goes wrong there is left.
 *
 * Names: see harness.c. */
#ifndef CLEW_UNIT_H
#define CLEW_UNIT_H

#include "base/base.h"
#include "decl/decl.h"
#include "record/record.h"

typedef struct UnitWish { /* of an option that names a parameter: "P", or "FUNCTION.P" */
    const char *name, *value;
} UnitWish;

typedef struct UnitOptions {
    Vec(UnitWish) arrays, strings; /* --array P:N, --string P:N */
    Vec(const char *) nonnull;     /* --nonnull P */
    Vec(const char *) assumes;     /* --assume EXPR: given to the units in which all its names are parameters */
    uint32_t elements;             /* of an array that are inputs; 0: 8 */
    uint32_t characters;           /* of a string; 0: 8 */
    uint32_t depth;                /* of linked structures; 0: 3 */
} UnitOptions;

typedef struct Unit Unit;
typedef struct Units Units;

/* Plans for the named functions ("NAME" or "FILE:NAME"), or, if there are none, for every external function that is defined in the sources
 * themselves (or, for a header, in it).  A function that cannot be built is planned too, and says why (unit_problem). */
Status units_plan(const Decls *decls, const UnitOptions *options, const char *const *names, uint32_t count, Units **units, Error *error);
/* No units: only what a whole program lacks, stubs for functions and inputs for variables that nothing defines. */
Status units_plan_program(const Decls *decls, const UnitOptions *options, Units **units, Error *error);
void units_free(Units *units);
uint32_t units_count(const Units *units);
const Unit *units_at(const Units *units, uint32_t i);

const CFunction *unit_function(const Unit *unit);
const char *unit_name(const Unit *unit);
const char *unit_entry(const Unit *unit); /* the harness's function, without parameters */
const char *
unit_problem(const Unit *unit); /* NULL, or why it cannot be tested: "parameter s: struct secret is declared but not defined here" */
/* What was assumed of the inputs, one sentence each: "a is NULL or points to n elements, n at most 4096". */
const char *const *unit_assumptions(const Unit *unit, uint32_t *count);

/* What is known of a pointer that the harness makes, by the name of its input. */
typedef struct UnitPointer {
    const char *path;      /* as the user would write it: "list->next" */
    bool null_is_expected; /* some function compares it with NULL, or the project passes NULL there */
} UnitPointer;
bool unit_pointer(const Unit *unit, const char *input, UnitPointer *pointer); /* false: it is no pointer that a caller gives */
/* What is known of an object that the harness makes, by its name in the record, or that of its variable. */
typedef struct UnitObject {
    const char *path;     /* of the pointer that it was made for */
    uint64_t count;       /* elements */
    bool size_is_guessed; /* nothing in the code or in an option says how many elements there are */
    bool is_text;         /* it is read as a string, so what is read has to end with the string */
} UnitObject;
bool unit_object(const Unit *unit, const char *name, UnitObject *object);
/* Functions of the project make such objects as a pointer leads to, but the faulty run gave it memory with any contents: which pointer that is, and
 * these functions, "sdsempty, sdsnew or sdsnewlen".  False: it is none of what the fault depends on. */
bool unit_broken_origin(const Unit *unit, const Record *record, const char **path, const char **origins);
/* The function pointer of which this input is a result, as the user would write it.  NULL: it is none; or its function has also filled a buffer, so that the
 * result may be the number of bytes there, or its name has "hash" in it, so that any result is one. */
const char *unit_callback_result(const Unit *unit, const char *input);
/* Does this input say how functions of the project make an object: which are called, and with what? */
bool unit_is_of_making(const Unit *unit, const char *input);
/* The parameter that is NULL in this run for want of anything else; NULL: there is none, or it is expected. */
const char *unit_null_parameter(const Unit *unit, const Record *record);
bool unit_is_parameter(const Unit *unit, const char *name);
/* Is the parameter the number of elements in an object of that name, or of its variable?  `object` NULL: in any. */
bool unit_is_length(const Unit *unit, const char *name, const char *object);
bool unit_is_pointer_parameter(const Unit *unit, const char *name);
/* A field that counts in an array is larger in this run than the field that tells how much room there is, or negative.
 * `blamed`: and one of the two is to blame.  They are given as the user would write them. */
bool unit_broken_count(const Unit *unit, const Record *record, bool blamed, const char **count, const char **room);
/* A number that the harness makes, as the user would write it; a name that it does not know as it is. */
const char *unit_number(const Unit *unit, const char *input);
bool unit_knows(const Unit *unit, const char *name); /* is it a global, a function or a type there? */

/* Is this function, called somewhere but defined nowhere, given a stub by the harness? */
bool units_is_stub(const Units *units, const char *function);
/* The C code that follows the source itself in its translation unit: harnesses of its units and stubs; "" if there is nothing to add. */
void units_harness(const Units *units, uint32_t source, StrBuf *out);
/* The compiler objects to a line of the harness that was made last for this source: the unit that stands there is left out from now on, with
 * that problem; if the line belongs to no unit, all of the source are. */
void units_blame(Units *units, uint32_t source, uint32_t line, const char *message);

/* Calls, indented by four, that give the variables of a whole program their values: for a test, before it calls main.  The harness, which the test
 * has too, must then have been compiled with `clew__at_start` defined as nothing. */
void units_start(const Units *units, StrBuf *out);
bool units_has_start(const Units *units); /* are there any? */

/* The body of a test, between the braces, indented by four: declarations of objects with the record's values, the call, and assertions on
 * what was seen.  `check` is the macro or function that asserts ("assert", "assert_true"). */
void unit_test_body(const Unit *unit, const Record *record, const char *check, StrBuf *out);
/* Calls, indented by four, that say which calls of functions of the library fail in this run: "clew_fail(\"malloc\", 2);". */
void unit_test_failures(const Record *record, StrBuf *out);
/* What the bodies of the tests of this unit need before them, after the source was included: stubs and the tables they take their results from.
 * `bodies`: these bodies, so that what none of them names is left out; NULL: all of it is written. */
void unit_test_prelude(const Unit *unit, const char *bodies, StrBuf *out);
/* A name for a test, in words of C: "parse_with_empty_text_returns_3".  Several tests may have the same. */
void unit_test_name(const Unit *unit, const Record *record, StrBuf *out);

#endif
