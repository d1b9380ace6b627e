/* For the tests of front/: a program from a text in C, checked, and questions about its code. */
#ifndef CLEW_TEST_LOAD_H
#define CLEW_TEST_LOAD_H

#include "front/front.h"

#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include <cmocka.h>

/* Writes the text to a temporary file with this ending; the caller frees the name and removes the file. */
static inline char *write_file(const char *ending, const char *text)
{
    char *path = mem_format("/tmp/clew-test-XXXXXX%s", ending);
    int fd = mkstemps(path, (int)strlen(ending));
    assert_true(fd >= 0);
    assert_int_equal(write(fd, text, strlen(text)), strlen(text));
    close(fd);
    return path;
}

static inline Status try_load(const char *ending, const char *text, const char *entry, Program **program, Error *error)
{
    char *path = write_file(ending, text);
    const char *files[] = {path}, *flags[] = {"-w", "-std=gnu2x"};
    FrontOptions options = {.files = files, .file_count = 1, .flags = flags, .flag_count = 2, .entry = entry};
    Status status = front_load(&options, program, NULL, error);
    unlink(path);
    free(path);
    return status;
}

static inline Program *load(const char *text)
{
    Program *program = NULL;
    Error error = {0};
    if (try_load(".c", text, NULL, &program, &error) != OK) fail_msg("%s", error.text);
    program_check(program);
    return program;
}

static inline Function *function_of(const Program *program, const char *name)
{
    Function *function = program_function(program, name);
    assert_non_null(function);
    return function;
}

static inline uint32_t count_op(const Function *function, Opcode op)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < function->code_count; i++) n += function->code[i].op == op;
    return n;
}

static inline const Instr *find_op(const Function *function, Opcode op)
{
    for (uint32_t i = 0; i < function->code_count; i++)
        if (function->code[i].op == op) return &function->code[i];
    fail_msg("function %s has no %s", function->name, opcode_name(op));
    return NULL;
}

#endif
