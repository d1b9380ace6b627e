int order[8], used;

__attribute__((constructor(150))) static void earliest(void) { order[used++] = 3; }
__attribute__((constructor)) static void from_second(void) { order[used++] = 4; }
