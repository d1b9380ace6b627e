/* front: the way from files to a Program. */
#include "front/front_int.h"

#include <llvm-c/BitWriter.h>

static Status write_bitcode(LLVMModuleRef module, const char *path, Error *error)
{
    return LLVMWriteBitcodeToFile(module, path) == 0 ? OK : fail(error, "cannot write %s", path);
}

Status front_load(const FrontOptions *options, Program **program, FrontTimes *times, Error *error)
{
    Sources sources = {0};
    LLVMContextRef context = NULL;
    LLVMModuleRef module = NULL;
    double started = clock_seconds(), compiled = started;
    *program = NULL;
    Status status = front__collect_sources(options, &sources, error);
    if (status == OK) status = front__compile(options, &sources, error);
    compiled = clock_seconds();
    if (status == OK) {
        context = LLVMContextCreate();
        status = front__link(options, &sources, context, &module, error);
    }
    if (status == OK && options->bitcode_out) status = write_bitcode(module, options->bitcode_out, error);
    if (status == OK) status = front__translate(module, program, error);
    if (module) LLVMDisposeModule(module);
    if (context) LLVMContextDispose(context);
    front__release_sources(&sources);
    if (times) *times = (FrontTimes){.compile = compiled - started, .load = clock_seconds() - compiled};
    return status;
}
