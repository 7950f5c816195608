/* A point mass on a rod in the plane: q = (x, y). */

#define N 2
#define M 1
#include "real.h"

struct parameters {
    real h;
    real inverse_mass[N];
    real weight, square_of_length;
};

static inline void force(const struct parameters *p, const real q[N], real f[N])
{
    (void)q;
    f[0] = 0;
    f[1] = -p->weight;
}

static inline void constraint(const struct parameters *p, const real q[N], real g[M])
{
    g[0] = (q[0] * q[0] + q[1] * q[1] - p->square_of_length) / 2;
}

static inline void jacobian(const struct parameters *p, const real q[N], real g[M][N])
{
    (void)p;
    g[0][0] = q[0];
    g[0][1] = q[1];
}

#include "rattle.h"
