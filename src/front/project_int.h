/* What the files of front_survey share. */
#ifndef CLEW_FRONT_PROJECT_INT_H
#define CLEW_FRONT_PROJECT_INT_H

#include "front/front_int.h"

typedef struct ProjectFiles {
    Sources sources; /* those with `found` set were not named by the user one by one */
    Vec(char *) headers;
    bool database; /* some are from a compile_commands.json */
} ProjectFiles;
Status front__project_files(const FrontOptions *options, ProjectFiles *files, Error *error);
void front__project_files_release(ProjectFiles *files);
/* Does a path, relative to the project, lead through a folder of tests, examples, documents or other people's code? */
bool front__in_side_folder(const char *path);
/* Is the file named as tests, examples and benchmarks are? */
bool front__has_side_name(const char *path); /* one of the words stands in the file's name */
bool front__is_side_name(const char *path);  /* the name, without its ending, is one of the words */

#endif
