/* clew test
 * branches: 32 of 32
 * covered: at least 7
 *
 * An event loop without main: a function that never returns takes events from a missing queue and gives them to handlers in a table.
 * What makes it hard is that handlers replace each other in the table, so that a certain order of events decides which handler sees the next. */
struct event {
    int kind;
    short x, y;
};

extern int queue_take(struct event *event);
extern void screen_draw(int what);

enum { CLICK, RELEASE, MOVE, KEY, KINDS };

struct view;
typedef void (*handler)(struct view *, const struct event *);

struct view {
    handler handlers[KINDS];
    int selected, drags, distance, typed;
    short from_x, from_y;
};

static void ignore(struct view *view, const struct event *event);
static void start_press(struct view *view, const struct event *event);

static void finish_drag(struct view *view, const struct event *event)
{
    int dx = event->x - view->from_x, dy = event->y - view->from_y;
    view->distance = (dx < 0 ? -dx : dx) + (dy < 0 ? -dy : dy);
    if (view->distance > 100) screen_draw(3);
    if (view->drags < 50) view->drags++;
    view->handlers[MOVE] = ignore;
    view->handlers[RELEASE] = ignore;
    view->handlers[CLICK] = start_press;
}

static void drag(struct view *view, const struct event *event)
{
    if (event->x < 0 || event->y < 0) {
        finish_drag(view, event);
        return;
    }
    screen_draw(2);
}

static void begin_drag(struct view *view, const struct event *event)
{
    if (event->x == view->from_x && event->y == view->from_y) return;
    view->handlers[MOVE] = drag;
    view->handlers[RELEASE] = finish_drag;
}

static void select_item(struct view *view, const struct event *event)
{
    view->selected = event->y / 16;
    view->handlers[MOVE] = ignore;
    view->handlers[CLICK] = start_press;
}

static void start_press(struct view *view, const struct event *event)
{
    view->from_x = event->x;
    view->from_y = event->y;
    view->handlers[CLICK] = ignore;
    view->handlers[MOVE] = begin_drag;
    view->handlers[RELEASE] = select_item;
}

static void press_key(struct view *view, const struct event *event)
{
    static const char word[] = "delete";
    if (event->x == word[view->typed]) view->typed++;
    else view->typed = 0;
    if (view->typed == 6) {
        if (view->selected == 7 && view->drags >= 3) screen_draw(9);
        view->typed = 0;
    }
}

static void ignore(struct view *view, const struct event *event)
{
    if (event->kind == MOVE) screen_draw(0);
    else view->typed = 0;
}

void event_loop(void)
{
    struct view view = { { start_press, ignore, ignore, press_key }, -1, 0, 0, 0, 0, 0 };
    for (;;) {
        struct event event = { MOVE, 0, 0 };
        if (queue_take(&event) != 0) continue;
        if (event.kind < 0 || event.kind >= KINDS) continue;
        view.handlers[event.kind](&view, &event);
    }
}
