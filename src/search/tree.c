/* See tree.h. */
#include "search/tree.h"

void tree_init(Tree *tree)
{
    *tree = (Tree){.root = NO_POINT};
    vec_push(&tree->sides, ((Side){0}));
}

void tree_release(Tree *tree)
{
    vec_release(&tree->points);
    vec_release(&tree->sides);
    vec_release(&tree->free_points);
    vec_release(&tree->free_sides);
}

static uint32_t new_point(Tree *tree, uint32_t parent, uint32_t side)
{
    uint32_t at = tree->free_points.len ? vec_pop(&tree->free_points) : tree->points.len;
    if (at == tree->points.len) vec_push(&tree->points, ((Point){0}));
    uint32_t depth = parent == NO_POINT ? 0 : tree->points.data[parent].depth + 1;
    tree->points.data[at] = (Point){.parent = parent,
                                    .side = side,
                                    .depth = depth,
                                    .branch = UINT32_MAX,
                                    .other = UINT32_MAX,
                                    .serial = (uint32_t)tree->made,
                                    .live = true};
    tree->made++;
    return at;
}

uint32_t tree_child(Tree *tree, uint32_t parent, uint32_t side, bool *is_new)
{
    uint32_t *slot = parent == NO_POINT ? &tree->root : &tree->sides.data[side].child;
    *is_new = *slot == NO_POINT;
    if (!*is_new) return *slot;
    uint32_t at = new_point(tree, parent, side);
    if (parent == NO_POINT) {
        tree->root = at;
    } else {
        tree->sides.data[side].child = at;
        tree->points.data[parent].children++;
    }
    return at;
}

uint32_t tree_side(Tree *tree, uint32_t point, Expr condition, bool *is_new)
{
    Point *p = &vec_at(&tree->points, point);
    assert(p->live);
    *is_new = false;
    for (uint32_t side = p->sides; side; side = tree->sides.data[side].next)
        if (tree->sides.data[side].condition == condition) return side;
    *is_new = true;
    uint32_t at = tree->free_sides.len ? vec_pop(&tree->free_sides) : tree->sides.len;
    if (at == tree->sides.len) vec_push(&tree->sides, ((Side){0}));
    tree->sides.data[at] = (Side){.condition = condition, .next = p->sides, .child = NO_POINT};
    p->sides = at;
    p->side_count++;
    return at;
}

static void free_point(Tree *tree, uint32_t point)
{
    Point *p = &tree->points.data[point];
    for (uint32_t side = p->sides; side; side = tree->sides.data[side].next) vec_push(&tree->free_sides, side);
    if (p->parent == NO_POINT) {
        tree->root = NO_POINT;
        tree->exhausted = true;
    } else {
        tree->sides.data[p->side].child = NO_POINT;
        tree->sides.data[p->side].exhausted = true;
        tree->points.data[p->parent].children--;
    }
    p->live = false;
    vec_push(&tree->free_points, point);
}

void tree_set_pending(Tree *tree, uint32_t point, bool pending)
{
    Point *p = &vec_at(&tree->points, point);
    assert(p->live);
    tree->pending += (uint32_t)pending - (uint32_t)p->pending;
    p->pending = pending;
}

uint32_t tree_live(const Tree *tree)
{
    return tree->points.len - tree->free_points.len;
}

Expr tree_newest_condition(const Tree *tree)
{
    Expr newest = 0;
    for (uint32_t i = 0; i < tree->points.len; i++) {
        if (!tree->points.data[i].live) continue;
        if (tree->points.data[i].selector > newest) newest = tree->points.data[i].selector;
        for (uint32_t side = tree->points.data[i].sides; side; side = tree->sides.data[side].next)
            if (tree->sides.data[side].condition > newest) newest = tree->sides.data[side].condition;
    }
    return newest;
}

void tree_prune(Tree *tree, uint32_t point)
{
    while (point != NO_POINT) {
        const Point *p = &vec_at(&tree->points, point);
        uint32_t parent = p->parent;
        if (!p->live || p->on_path || p->pending || p->children) return;
        free_point(tree, point);
        point = parent;
    }
}
