/* Keys are inserted into a list that stays in order. */
#include <clew.h>
#include <stdlib.h>

enum { COUNT = 7 };

typedef struct Node {
    int key;
    struct Node *next;
} Node;

static Node *insert(Node *head, int key)
{
    Node *node = malloc(sizeof *node);
    if (!node) return head;
    node->key = key;
    if (!head || key < head->key) {
        node->next = head;
        return node;
    }
    Node *before = head;
    while (before->next && before->next->key <= key) before = before->next;
    node->next = before->next;
    before->next = node;
    return head;
}

static void release(Node *head)
{
    while (head) {
        Node *next = head->next;
        free(head);
        head = next;
    }
}

int main(void)
{
    Node *head = NULL;
    for (int i = 0; i < COUNT; i++) head = insert(head, clew_int("key"));
    for (Node *node = head; node && node->next; node = node->next) clew_assert(node->key <= node->next->key);
    release(head);
    return 0;
}
