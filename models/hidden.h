/* glibc names that its headers declare only for optimising or fortifying compilers. */
#ifndef CLEW_MODELS_HIDDEN_H
#define CLEW_MODELS_HIDDEN_H

#include "internal.h"

#include <stdio.h>

/* fortify.c: "*** buffer overflow detected ***", and the end. */
_Noreturn void clew__chk_fail(void);
_Noreturn void __chk_fail(void);

int __vsnprintf_chk(char *restrict text, size_t size, int flag, size_t object, const char *restrict format, va_list args);
int __snprintf_chk(char *restrict text, size_t size, int flag, size_t object, const char *restrict format, ...);
int __vsprintf_chk(char *restrict text, int flag, size_t object, const char *restrict format, va_list args);
int __sprintf_chk(char *restrict text, int flag, size_t object, const char *restrict format, ...);
int __vasprintf_chk(char **restrict text, int flag, const char *restrict format, va_list args);
int __asprintf_chk(char **restrict text, int flag, const char *restrict format, ...);
int __vdprintf_chk(int fd, int flag, const char *restrict format, va_list args);
int __dprintf_chk(int fd, int flag, const char *restrict format, ...);

void *__memcpy_chk(void *restrict to, const void *restrict from, size_t n, size_t object);
void *__mempcpy_chk(void *restrict to, const void *restrict from, size_t n, size_t object);
void *__memmove_chk(void *to, const void *from, size_t n, size_t object);
void *__memset_chk(void *to, int byte, size_t n, size_t object);
void __explicit_bzero_chk(void *to, size_t n, size_t object);
char *__strcpy_chk(char *restrict to, const char *restrict from, size_t object);
char *__stpcpy_chk(char *restrict to, const char *restrict from, size_t object);
char *__strncpy_chk(char *restrict to, const char *restrict from, size_t n, size_t object);
char *__stpncpy_chk(char *restrict to, const char *restrict from, size_t n, size_t object);
char *__strcat_chk(char *restrict to, const char *restrict from, size_t object);
char *__strncat_chk(char *restrict to, const char *restrict from, size_t n, size_t object);

char *__fgets_chk(char *restrict to, size_t object, int n, FILE *restrict stream);
char *__fgets_unlocked_chk(char *restrict to, size_t object, int n, FILE *restrict stream);
size_t __fread_chk(void *restrict to, size_t object, size_t size, size_t count, FILE *restrict stream);
size_t __fread_unlocked_chk(void *restrict to, size_t object, size_t size, size_t count, FILE *restrict stream);
ssize_t __read_chk(int fd, void *buffer, size_t n, size_t object);
ssize_t __pread_chk(int fd, void *buffer, size_t n, off_t offset, size_t object);
ssize_t __pread64_chk(int fd, void *buffer, size_t n, off64_t offset, size_t object);
int __open_2(const char *path, int flags);
int __open64_2(const char *path, int flags);
int __openat_2(int directory, const char *path, int flags);
int __openat64_2(int directory, const char *path, int flags);

#endif
