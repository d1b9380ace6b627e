/* A small program as front_declare would describe it, built by hand: a list, a function on it, one on an array, one on a string, a stub.
 *
 *     struct node { int value; struct node *next; };
 *     int counter;
 *     int sensor(int channel, int *value);                      defined nowhere
 *     int sum(const struct node *list, int n);
 *     int total(const int *a, int n);
 *     void upper(char *s);
 *     void drop(struct node *list);                             frees it
 *     int measure(int channel);                                 calls sensor, counts in counter
 *     int same(struct node *a, struct node *b);                 compares a and b */
#ifndef CLEW_TESTS_UNIT_PROGRAM_H
#define CLEW_TESTS_UNIT_PROGRAM_H

#include "unit/unit_int.h"

typedef struct Program {
    Decls decls;
    CType int_type, char_type, void_type, node, const_node, node_pointer, const_node_pointer, const_int, int_pointer, const_int_pointer,
        char_pointer;
    CField node_fields[2];
    CType types[9];
    const CType *params[9][2];
    CParam function_params[9][2];
    CFunction functions[9];
    CGlobal globals[1];
    CGlobalUse global_use;
    CSource source;
    uint32_t calls_free[1], calls_sensor[1];
} Program;

enum { FREE, SENSOR, SUM, TOTAL, UPPER, DROP, MEASURE, SAME, FUNCTIONS };

static inline CType pointer_to(const CType *type, const char *spelling)
{
    return (CType){.kind = C_POINTER, .of = type, .size = 8, .align = 8, .spelling = spelling, .plain = spelling};
}

static inline void program_types(Program *p)
{
    p->int_type = (CType){.kind = C_INT, .is_signed = true, .size = 4, .align = 4, .spelling = "int", .plain = "int"};
    p->char_type = (CType){.kind = C_CHAR, .is_signed = true, .size = 1, .align = 1, .spelling = "char", .plain = "char"};
    p->void_type = (CType){.kind = C_VOID, .spelling = "void", .plain = "void"};
    p->node = (CType){.kind = C_STRUCT, .size = 16, .align = 8, .spelling = "struct node", .plain = "struct node"};
    p->node_fields[0] = (CField){.name = "value", .type = &p->int_type};
    p->node_fields[1] = (CField){.name = "next", .type = &p->node_pointer, .offset = 64};
    p->node.fields = p->node_fields;
    p->node.field_count = 2;
    p->const_node = p->node;
    p->const_node.is_const = true;
    p->const_node.spelling = "const struct node";
    p->const_int = p->int_type;
    p->const_int.is_const = true;
    p->const_int.spelling = "const int";
    p->node_pointer = pointer_to(&p->node, "struct node *");
    p->const_node_pointer = pointer_to(&p->const_node, "const struct node *");
    p->int_pointer = pointer_to(&p->int_type, "int *");
    p->const_int_pointer = pointer_to(&p->const_int, "const int *");
    p->char_pointer = pointer_to(&p->char_type, "char *");
}

static inline CFunction *program_function(Program *p, uint32_t i, const char *name, const CType *result)
{
    CFunction *function = &p->functions[i];
    *function = (CFunction){
        .name = name, .file = "list.c", .type = &p->types[i], .result = result, .params = p->function_params[i], .defined = true};
    p->types[i] = (CType){.kind = C_FUNCTION, .spelling = name, .plain = name, .of = result, .params = p->params[i]};
    return function;
}

static inline CUse *program_param(Program *p, uint32_t i, const char *name, const CType *type)
{
    uint32_t n = p->functions[i].param_count++;
    p->types[i].param_count++;
    p->params[i][n] = type;
    p->function_params[i][n] = (CParam){.name = name, .type = type, .use = {.length = -1}};
    return &p->function_params[i][n].use;
}

static inline void program_functions(Program *p)
{
    CFunction *release = program_function(p, FREE, "free", &p->void_type), *sensor = program_function(p, SENSOR, "sensor", &p->int_type);
    release->defined = sensor->defined = false;
    release->in_system_header = true;
    program_param(p, SENSOR, "channel", &p->int_type);
    program_param(p, SENSOR, "value", &p->int_pointer);
    program_function(p, SUM, "sum", &p->int_type);
    program_param(p, SUM, "list", &p->const_node_pointer)->dereferenced = true;
    program_param(p, SUM, "n", &p->int_type);
    program_function(p, TOTAL, "total", &p->int_type);
    CUse *a = program_param(p, TOTAL, "a", &p->const_int_pointer);
    a->indexed = a->dereferenced = true;
    a->length = 1;
    program_param(p, TOTAL, "n", &p->int_type);
    program_function(p, UPPER, "upper", &p->void_type);
    CUse *s = program_param(p, UPPER, "s", &p->char_pointer);
    s->string = s->written = s->indexed = s->dereferenced = true;
    CFunction *drop = program_function(p, DROP, "drop", &p->void_type);
    program_param(p, DROP, "list", &p->node_pointer)->freed = true;
    drop->calls = p->calls_free;
    drop->call_count = 1;
    CFunction *measure = program_function(p, MEASURE, "measure", &p->int_type);
    program_param(p, MEASURE, "channel", &p->int_type);
    measure->calls = p->calls_sensor;
    measure->call_count = 1;
    measure->globals = &p->global_use;
    measure->global_count = 1;
    program_function(p, SAME, "same", &p->int_type);
    CUse *one = program_param(p, SAME, "a", &p->node_pointer), *two = program_param(p, SAME, "b", &p->node_pointer);
    one->compared = two->compared = one->dereferenced = true;
}

static inline void program_init(Program *p)
{
    memset(p, 0, sizeof *p);
    program_types(p);
    program_functions(p);
    p->calls_free[0] = FREE;
    p->calls_sensor[0] = SENSOR;
    p->globals[0] = (CGlobal){.name = "counter", .type = &p->int_type, .file = "list.c", .defined = true};
    p->global_use = (CGlobalUse){.global = 0, .read = true, .written = true, .use = {.length = -1}};
    p->source = (CSource){.path = "list.c"};
    p->decls = (Decls){.sources = &p->source, .source_count = 1, .functions = p->functions, .function_count = FUNCTIONS};
    p->decls.globals = p->globals;
    p->decls.global_count = 1;
}

#endif
