/* Marks and the way back.  What changes after a mark is saved once: a memory line before its first change, a caller's frame before execution
 * returns into it; allocations and machine words entry by entry.  The frame that is current at a mark is copied with the mark.
 * Epochs are never reused, so "saved since the last mark or return" is one comparison. */
#include "vm/vm_int.h"

static uint32_t frame_words(const Frame *frame)
{
    uint32_t n = frame->code->registers;
    return (uint32_t)(sizeof(Frame) / 8) + n + (frame->mixed ? (n + 1) / 2 : 0);
}
_Static_assert(sizeof(Frame) % 8 == 0, "frames are copied as words");

static void copy_frame(const Vm *vm, const Frame *frame, uint64_t *to)
{
    uint32_t n = frame->code->registers;
    memcpy(to, frame, sizeof *frame);
    to += sizeof *frame / 8;
    memcpy(to, vm->stack + frame->base, n * sizeof *to);
    if (frame->mixed) memcpy(to + n, vm->expressions + frame->base, n * sizeof(Expr));
}

static void restore_frame(Vm *vm, uint32_t depth, const uint64_t *from)
{
    Frame *frame = &vm->frames[depth];
    memcpy(frame, from, sizeof *frame);
    from += sizeof *frame / 8;
    uint32_t n = frame->code->registers;
    memcpy(vm->stack + frame->base, from, n * sizeof *from);
    if (frame->mixed) memcpy(vm->expressions + frame->base, from + n, n * sizeof(Expr));
}

void vm__save_frame(Vm *vm, Frame *frame)
{
    if (!vm->memory.trailing || frame->epoch == vm->memory.epoch) return;
    uint32_t words = frame_words(frame);
    uint64_t *copy = mem_alloc((words + 1) * sizeof *copy);
    copy[0] = (uint64_t)(frame - vm->frames);
    copy_frame(vm, frame, copy + 1);
    memory_trail(&vm->memory, TRAIL_FRAME, copy, words + 1);
    vec__free(copy);
    frame->epoch = vm->memory.epoch;
}

void vm_save_word(Vm *vm, uint64_t *word)
{
    if (vm->memory.trailing) memory_trail(&vm->memory, TRAIL_WORD, (uint64_t[]){(uintptr_t)word, *word}, 2);
}

VmMark vm_mark(Vm *vm)
{
    REQUIRE(vm->depth > 0, "a mark needs a running guest");
    Frame *frame = vm__frame(vm);
    vm->memory.trailing = true;
    vm->memory.epoch++;
    REQUIRE(vm->memory.epoch != 0, "too many marks");
    frame->epoch = vm->memory.epoch;
    Mark mark = {.trail = vm->memory.trail.len,
                 .path = vm->path.len,
                 .depth = vm->depth,
                 .allocas = vm->allocas.len,
                 .saved = vm->saved_frames.len,
                 .saved_words = frame_words(frame),
                 .serial = vm->serial,
                 .undefs = vm->undefs,
                 .inputs = vm->input_count,
                 .applied = vm->applied.len,
                 .doubts = vm->doubts.len,
                 .observed = vm->observer.position,
                 .native_seen = vm->native_seen,
                 .by_chance = vm->by_chance,
                 .any_memory = vm->any_memory};
    vec_reserve(&vm->saved_frames, vm->saved_frames.len + mark.saved_words);
    copy_frame(vm, frame, vm->saved_frames.data + mark.saved);
    vm->saved_frames.len += mark.saved_words;
    vec_push(&vm->marks, mark);
    vm->stats.marks++;
    return vm->marks.len - 1;
}

static void undo_entry(Vm *vm, TrailKind kind, const uint64_t *words)
{
    switch (kind) {
    case TRAIL_FRAME: restore_frame(vm, (uint32_t)words[0], words + 1); break;
    case TRAIL_STACK_PUSH:
        (void)vec_pop(&vm->allocas);
        vm->alloca_bytes -= words[0];
        break;
    case TRAIL_STACK_POP:
        vec_push(&vm->allocas, words[0]);
        vm->alloca_bytes += words[1];
        break;
    default: memory_undo(&vm->memory, kind, words); break;
    }
}

/* A line that is forgotten will be saved again before it changes, whatever the epoch. */
void vm__undo(Vm *vm, uint32_t length, bool forget)
{
    while (vm->memory.trail.len > length) {
        uint64_t header = vec_pop(&vm->memory.trail);
        TrailKind kind = (TrailKind)(header & 0xff);
        vm->memory.trail.len -= (uint32_t)(header >> 8);
        const uint64_t *words = vm->memory.trail.data + vm->memory.trail.len;
        undo_entry(vm, kind, words);
        if (forget && kind == TRAIL_LINE) vm->memory.line_epoch[(words[0] - MEM_BASE) >> LINE_SHIFT] = 0;
    }
}

void vm_return(Vm *vm, VmMark mark)
{
    REQUIRE(mark < vm->marks.len, "no such mark");
    const Mark *m = &vm->marks.data[mark];
    vm__undo(vm, m->trail, false);
    assert(vm->allocas.len == m->allocas);
    vm->depth = m->depth;
    restore_frame(vm, m->depth - 1, vm->saved_frames.data + m->saved);
    vm->saved_frames.len = (uint32_t)m->saved + m->saved_words;
    vm__cut_path(vm, m->path);
    if (vm->observer.data) vm->observer.undone(vm->observer.data, m->observed);
    vm->tells_return = false;
    vm->native_seen = m->native_seen;
    vm->by_chance = m->by_chance;
    vm->any_memory = m->any_memory;
    vm__forget_expressions(vm);
    vm->marks.len = mark + 1;
    vm->serial = m->serial;
    vm->undefs = m->undefs;
    vm->input_count = m->inputs;
    vm__forget_observations(vm);
    vm__cut_applied(vm, m->applied);
    vm__cut_doubts(vm, m->doubts);
    vm->memory.epoch++;
    REQUIRE(vm->memory.epoch != 0, "too many marks");
    vm__frame(vm)->epoch = vm->memory.epoch;
    vm->stop = (VmStop){0};
    vm->progress.serial = 0;
    vm->effects++;
    vm->stats.returns++;
    vm_begin_step(vm);
}

/* ---- snapshots ---- */

static void add_frame(const Vm *vm, const Frame *frame, StrBuf *out)
{
    Frame copy = *frame;
    copy.pc = (const Code *)(uintptr_t)(frame->pc - frame->code->code);
    copy.epoch = 0;
    strbuf_add_bytes(out, &copy, sizeof copy);
    strbuf_add_bytes(out, vm->stack + frame->base, frame->code->registers * sizeof(uint64_t));
    if (frame->mixed) strbuf_add_bytes(out, vm->expressions + frame->base, frame->code->registers * sizeof(Expr));
}

static void add_object(Vm *vm, uint64_t start, const Object *object, StrBuf *out)
{
    strbuf_add_bytes(out, &object->size, sizeof object->size);
    strbuf_add_bytes(out, &object->info, sizeof object->info);
    for (uint64_t k = 0; k < object->size; k++) {
        uint8_t byte = *(const uint8_t *)(uintptr_t)(start + k);
        const Shadow *shadow = memory_shadow(&vm->memory, object);
        bool symbolic = shadow && (shadow->array || shadow->value[k]);
        uint8_t kind = symbolic ? 2 : byte == PATTERN && memory_is_written(&vm->memory, start + k);
        strbuf_add_bytes(out, &kind, 1);
        if (!symbolic) strbuf_add_bytes(out, &byte, 1);
        else if (shadow->array) strbuf_add_bytes(out, &shadow->array, sizeof(Expr));
        else strbuf_add_bytes(out, &shadow->value[k], sizeof(Expr)), strbuf_add_bytes(out, &shadow->part[k], 1);
    }
}

void vm_snapshot(const Vm *vm, StrBuf *out)
{
    const Memory *memory = &vm->memory;
    for (uint32_t i = 0; i < vm->depth; i++) add_frame(vm, &vm->frames[i], out);
    strbuf_add_bytes(out, vm->allocas.data, vm->allocas.len * sizeof(uint64_t));
    strbuf_addf(out, "|%llu %llu %u %u %llu|", (unsigned long long)vm->alloca_bytes, (unsigned long long)memory->live_bytes, vm->path.len,
                vm->input_count, (unsigned long long)memory->symbolic_objects);
    for (uint32_t c = 0; c < CLASS_COUNT; c++) {
        const SizeClass *class = &memory->classes[c];
        strbuf_addf(out, "|%llu:", (unsigned long long)class->fresh);
        for (uint64_t i = class->head; i < class->tail; i++) strbuf_addf(out, "%u,", class->queue[i & (class->queue_cap - 1)]);
        for (uint64_t slot = 0; slot < class->fresh; slot++) {
            uint64_t start = MEM_BASE + ((uint64_t)c << CLASS_SHIFT) + slot * memory->spans[c].size;
            add_object((Vm *)vm, start, &memory->objects[((uint64_t)c << OBJECTS_SHIFT) + slot], out);
        }
    }
}
