/* Descriptors while inputs are explored.  A descriptor leads to a description (what open(2) makes; dup shares it), and a description that
 * can write leads to a node, a file in memory that is found again under its path.  All of it is guest memory, so going back along the
 * trail restores it. */
#ifndef CLEW_MODELS_FD_INT_H
#define CLEW_MODELS_FD_INT_H

#include "internal.h"

#include <sys/stat.h>

typedef enum FileKind {
    KIND_SYMBOLIC, /* the bytes are inputs */
    KIND_REAL,     /* read where it lies, opened anew for every read: nothing to undo */
    KIND_STDIN,    /* the real standard input, if it is a file; else it is at its end */
    KIND_MEMORY,   /* a node */
    KIND_CONSOLE,  /* descriptors 1 and 2 */
    KIND_SINK,     /* a device opened for writing */
} FileKind;

typedef struct Node {
    struct Node *next;
    char *path; /* NULL: has no name, and is in no list */
    unsigned char *data;
    size_t size, capacity;
    bool exists;    /* false: unlinked, and hides a real file of that name */
    int references; /* descriptions */
} Node;

typedef struct Description {
    FileKind kind;
    int flags, references, console;
    int64_t offset;
    char *path;
    const unsigned char *bytes;
    size_t size; /* of a symbolic file: may be an input */
    Node *node;
} Description;

Description *clew__fd_description(int fd); /* NULL: not one of ours */
int clew__fd_install(Description *description);
Description *clew__fd_describe(FileKind kind, int flags, const char *path);
const char *clew__node_name(const char *path);
const char *clew__fd_path(const char *path); /* the name of the symbolic file, if the path is one; else the path */
Node *clew__node_find(const char *path);     /* also one that is unlinked */
Node *clew__node_add(const char *path);      /* path NULL: nameless */
void clew__node_forget(Node *node);          /* takes its name; it lives on while it is open */
int clew__node_resize(Node *node, size_t size);

#endif
