/* lane and peers: what two searches tell each other, and what happens when one of them dies or does not end. */
#include "search/lane.h"
#include "search/peers.h"

#include <setjmp.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

enum { BRANCHES = 10, LONG_MESSAGE = 1 << 20 };

/* ---- lane ---- */

/* Answers each turn with what it was given and the length of the message, until it is to finish. */
static _Noreturn void answer(Lane *lane)
{
    StrBuf more = {0};
    LaneNote note;
    for (;;) {
        lane_receive(lane, &note, &more, NULL, NULL);
        lane_reached(lane)[3] = 1;
        note.runs = more.len;
        note.ended = note.finish;
        lane_send(lane, &note, &more);
        if (note.finish) _exit(0);
    }
}

static void turns_are_taken(void **unused)
{
    bool is_side;
    StrBuf message = {0}, back = {0};
    LaneNote note;
    (void)unused;
    Lane *lane = lane_start(BRANCHES, &is_side);
    assert_non_null(lane);
    if (is_side) answer(lane);
    for (unsigned i = 0; i < LONG_MESSAGE; i++) strbuf_addf(&message, "%c", 'a' + i % 26);
    for (uint64_t turn = 1; turn < 4; turn++) {
        lane_send(lane, &(LaneNote){.work = turn}, &message);
        assert_true(lane_receive(lane, &note, &back, NULL, NULL));
        assert_int_equal(note.work, turn);
        assert_int_equal(note.runs, LONG_MESSAGE);
        assert_int_equal(back.len, message.len);
        assert_memory_equal(back.text, message.text, message.len);
        assert_false(note.ended);
    }
    assert_int_equal(lane_reached(lane)[3], 1);
    assert_int_equal(lane_reached(lane)[4], 0);
    lane_send(lane, &(LaneNote){.finish = true}, &(StrBuf){0});
    assert_true(lane_receive(lane, &note, &back, NULL, NULL));
    assert_true(note.ended);
    assert_false(lane_is_over(lane));
    lane_free(lane);
    strbuf_release(&message);
    strbuf_release(&back);
}

static void a_side_search_that_dies_is_noticed(void **unused)
{
    bool is_side;
    StrBuf back = {0};
    LaneNote note;
    (void)unused;
    Lane *lane = lane_start(BRANCHES, &is_side);
    assert_non_null(lane);
    if (is_side) abort();
    lane_send(lane, &(LaneNote){.work = 1}, &(StrBuf){0});
    assert_false(lane_receive(lane, &note, &back, NULL, NULL));
    assert_true(lane_is_over(lane));
    lane_send(lane, &(LaneNote){.work = 2}, &(StrBuf){0}); /* goes nowhere */
    assert_false(lane_receive(lane, &note, &back, NULL, NULL));
    lane_free(lane);
    strbuf_release(&back);
}

static bool goes_on_twice(void *data)
{
    return ++*(unsigned *)data <= 2;
}

static void a_side_search_that_does_not_end_is_ended(void **unused)
{
    bool is_side;
    StrBuf back = {0};
    LaneNote note;
    unsigned calls = 0;
    (void)unused;
    Lane *lane = lane_start(BRANCHES, &is_side);
    assert_non_null(lane);
    while (is_side) pause();
    lane_send(lane, &(LaneNote){.work = 1}, &(StrBuf){0});
    assert_false(lane_receive(lane, &note, &back, goes_on_twice, &calls));
    assert_int_equal(calls, 3);
    assert_int_equal(waitpid(-1, NULL, WNOHANG), -1); /* there is no child any more */
    lane_free(lane);
    strbuf_release(&back);
}

/* ---- peers ---- */

static void runs_are_given_to_those_that_are_idle(void **unused)
{
    static const U128 inputs[] = {7, (U128)1 << 100, 9};
    PeersRun run = {0};
    (void)unused;
    Peers *peers = peers_new(3);
    assert_non_null(peers);
    assert_false(peers_is_one_idle(peers));
    assert_false(peers_give(peers, inputs, COUNT_OF(inputs), 5));
    peers_set_idle(peers, 1);
    assert_true(peers_is_one_idle(peers));
    assert_false(peers_take(peers, 1, false, &run));
    assert_true(peers_give(peers, inputs, COUNT_OF(inputs), 5));
    assert_false(peers_is_one_idle(peers)); /* a run is on the way to it */
    assert_false(peers_give(peers, inputs, COUNT_OF(inputs), 5));
    assert_true(peers_take(peers, 1, true, &run));
    assert_int_equal(run.depth, 5);
    assert_int_equal(run.inputs.len, COUNT_OF(inputs));
    for (uint32_t i = 0; i < run.inputs.len; i++) assert_true(run.inputs.data[i] == inputs[i]);
    vec_release(&run.inputs);
    peers_free(peers);
}

/* A search whose process has ended has nothing to do, but nothing may be given to it: that would be lost. */
static void nothing_is_given_to_those_that_are_gone(void **unused)
{
    static const U128 input = 1;
    (void)unused;
    Peers *peers = peers_new(2);
    assert_non_null(peers);
    peers_set_idle(peers, 1);
    peers_set_gone(peers, 1);
    assert_false(peers_is_one_idle(peers));
    assert_false(peers_give(peers, &input, 1, 1));
    assert_false(peers_are_all_idle(peers));
    peers_set_idle(peers, 0);
    assert_true(peers_are_all_idle(peers));
    peers_free(peers);
}

int main(void)
{
    const struct CMUnitTest unit_tests[] = {
        cmocka_unit_test(turns_are_taken),
        cmocka_unit_test(a_side_search_that_dies_is_noticed),
        cmocka_unit_test(a_side_search_that_does_not_end_is_ended),
        cmocka_unit_test(runs_are_given_to_those_that_are_idle),
        cmocka_unit_test(nothing_is_given_to_those_that_are_gone),
    };
    return cmocka_run_group_tests(unit_tests, NULL, NULL);
}
