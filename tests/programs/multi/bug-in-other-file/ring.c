static int values[4];
static int count;

void ring_put(int value) { values[count++ % 4] = value; }

/* A negative index reaches before the array: the remainder keeps its sign. */
int ring_get(int i)
{
    return values[i % 4];
}
