/* Requests of users for files: permissions in bits of owner, group and others. */
#include <clew.h>
#include <stdbool.h>

enum { REQUESTS = 3, READ = 4, WRITE = 2, EXECUTE = 1 };

typedef struct Request {
    unsigned char user, group, file, wanted;
} Request;

typedef struct File {
    int owner, group;
    unsigned mode; /* as in 0754 */
    bool is_locked;
} File;

static const File files[] = {{1, 10, 0754, false}, {2, 10, 0640, false}, {2, 20, 0777, true}, {0, 0, 0700, false}};

static unsigned bits_for(const File *file, int user, int group)
{
    if (user == file->owner) return file->mode >> 6 & 7;
    if (group == file->group) return file->mode >> 3 & 7;
    return file->mode & 7;
}

static bool is_allowed(const Request *request)
{
    if (request->wanted == 0 || request->wanted > 7) return false;
    if (request->file >= sizeof files / sizeof files[0]) return false;
    if (request->user == 0) return true;
    const File *file = &files[request->file];
    if (file->is_locked && request->wanted & WRITE) return false;
    return (bits_for(file, request->user, request->group) & request->wanted) == request->wanted;
}

static bool is_suspicious(const Request *request)
{
    if (request->user == 0) return false;
    if (request->file == 3) return true;
    return (request->wanted & WRITE) && (request->wanted & EXECUTE);
}

int main(void)
{
    Request requests[REQUESTS];
    clew_make_symbolic(requests, sizeof requests, "requests");
    int allowed = 0, suspicious = 0;
    for (int i = 0; i < REQUESTS; i++) {
        if (is_allowed(&requests[i])) allowed++;
        else if (is_suspicious(&requests[i])) suspicious++;
    }
    if (suspicious > 1) return 2;
    clew_assert(!(suspicious == 1 && allowed == 2 && requests[2].user == requests[0].user && requests[0].user == 7));
    return allowed == REQUESTS ? 0 : 1;
}
