/* clew run
 * exit: 0
 */
#include <stdio.h>

typedef struct { float x, y; } F2;
typedef struct { float x, y, z; } F3;
typedef struct { double x; int n; } DI;
typedef struct { long n; float f; } LF;
typedef struct { double x, y; } D2;
typedef struct { float f; char c; short s; } FCS;
typedef struct { char a, b, c; } C3;
typedef struct { D2 p; double z; } Big;
typedef struct { int a; union { float f; int i; } u; double d; } Nested;
typedef struct { void *p; int n; } PN;
typedef struct { _Bool b; long double l; } BL;
typedef struct { int v[2]; float w[2]; } IV;
typedef struct { struct { char c; } in; double d; } CD;

static F2 f2(F2 a, F2 b) { return (F2){a.x + b.y, a.y - b.x}; }
static F3 f3(F3 a) { return (F3){a.z, a.y, a.x}; }
static DI di(DI a, int k) { return (DI){a.x * k, a.n + k}; }
static LF lf(LF a) { return (LF){-a.n, a.f / 2}; }
static D2 d2(double s, D2 a) { return (D2){a.y * s, a.x * s}; }
static FCS fcs(FCS a) { a.f++; a.c++; a.s--; return a; }
static C3 c3(C3 a) { return (C3){a.c, a.a, a.b}; }
static Big big(Big a, int n) { a.z += n; a.p = d2(2, a.p); return a; }
static Nested nested(Nested n) { n.u.i = -n.u.i; n.d += n.a; return n; }
static PN pn(PN a) { return (PN){(char *)a.p + a.n, a.n * 2}; }
static BL bl(BL a) { return (BL){!a.b, a.l * 3}; }
static IV iv(IV a) { return (IV){{a.v[1], a.v[0]}, {a.w[1], a.w[0]}}; }
static CD cd(CD a) { return (CD){{a.in.c + 1}, a.d + 1}; }

static double many(int a, D2 p, long b, F2 q, DI r, double c, LF s, D2 t, C3 u, Big v, int w)
{
    return a + p.x + p.y + b + q.x * q.y + r.x + r.n + c + s.n + s.f + t.x - t.y + u.a + u.b + u.c + v.p.x + v.p.y + v.z + w;
}

int main(void)
{
    F2 a = f2((F2){1, 2}, (F2){3, 4});
    F3 b = f3((F3){1, 2, 3});
    DI c = di((DI){1.5, 2}, 3);
    LF d = lf((LF){5, 3});
    D2 e = d2(10, (D2){1, 2});
    FCS f = fcs((FCS){1, 'a', 5});
    C3 g = c3((C3){'x', 'y', 'z'});
    Big h = big((Big){{1, 2}, 3}, 4);
    Nested i = nested((Nested){1, {2.5f}, 3});
    char text[] = "thread";
    PN j = pn((PN){text, 2});
    BL k = bl((BL){0, 1.25L});
    IV l = iv((IV){{1, 2}, {3, 4}});
    CD m = cd((CD){{'A'}, 9});
    printf("%g %g | %g %g %g | %g %d | %ld %g | %g %g\n", a.x, a.y, b.x, b.y, b.z, c.x, c.n, d.n, d.f, e.x, e.y);
    printf("%g %c %d | %c%c%c | %g %g %g | %d %g %g | %s %d\n", f.f, f.c, f.s, g.a, g.b, g.c, h.p.x, h.p.y, h.z, i.a, i.u.f, i.d, (char *)j.p, j.n);
    printf("%d %Lg | %d %d %g %g | %c %g\n", k.b, k.l, l.v[0], l.v[1], l.w[0], l.w[1], m.in.c, m.d);
    printf("%g\n", many(1, e, 2, a, c, 0.5, d, e, g, h, 7));
    Big (*pointer)(Big, int) = big;
    printf("%g\n", pointer(pointer(h, 1), 2).z);
    return 0;
}
