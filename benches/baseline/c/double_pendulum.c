/* Two point masses on two rods in the plane: q = (x1, y1, x2, y2). */

#define N 4
#define M 2
#include "real.h"

struct parameters {
    real h;
    real inverse_mass[N];
    real weight, square_of_length;
};

static inline void force(const struct parameters *p, const real q[N], real f[N])
{
    (void)q;
    f[0] = f[2] = 0;
    f[1] = f[3] = -p->weight;
}

static inline void constraint(const struct parameters *p, const real q[N], real g[M])
{
    const real dx = q[2] - q[0], dy = q[3] - q[1];
    g[0] = (q[0] * q[0] + q[1] * q[1] - p->square_of_length) / 2;
    g[1] = (dx * dx + dy * dy - p->square_of_length) / 2;
}

static inline void jacobian(const struct parameters *p, const real q[N], real g[M][N])
{
    const real dx = q[2] - q[0], dy = q[3] - q[1];
    (void)p;
    g[0][0] = q[0];
    g[0][1] = q[1];
    g[0][2] = g[0][3] = 0;
    g[1][0] = -dx;
    g[1][1] = -dy;
    g[1][2] = dx;
    g[1][3] = dy;
}

#include "rattle.h"
