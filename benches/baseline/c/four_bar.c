/* A four-bar linkage, each rod by (x, y, angle) of its centre: 9 coordinates, both components of 4 joints. */

#define N 9
#define M 8
#include "real.h"

struct parameters {
    real h;
    real inverse_mass[N];
    real weight[3], half_length[3], ground;
};

static inline void force(const struct parameters *p, const real q[N], real f[N])
{
    (void)q;
    for (int rod = 0; rod < 3; rod++) {
        f[3 * rod] = f[3 * rod + 2] = 0;
        f[3 * rod + 1] = -p->weight[rod];
    }
}

/* From the centre of each rod to its end. */
static inline void halves(const struct parameters *p, const real q[N], real x[3], real y[3])
{
    for (int rod = 0; rod < 3; rod++) {
        x[rod] = p->half_length[rod] * COS(q[3 * rod + 2]);
        y[rod] = p->half_length[rod] * SIN(q[3 * rod + 2]);
    }
}

static inline void constraint(const struct parameters *p, const real q[N], real g[M])
{
    real x[3], y[3];
    halves(p, q, x, y);
    g[0] = q[0] - x[0];
    g[1] = q[1] - y[0];
    g[2] = q[0] + x[0] - q[3] + x[1];
    g[3] = q[1] + y[0] - q[4] + y[1];
    g[4] = q[3] + x[1] - q[6] - x[2];
    g[5] = q[4] + y[1] - q[7] - y[2];
    g[6] = q[6] - x[2] - p->ground;
    g[7] = q[7] - y[2];
}

static inline void jacobian(const struct parameters *p, const real q[N], real g[M][N])
{
    real x[3], y[3];
    halves(p, q, x, y);
    for (int i = 0; i < M; i++)
        for (int k = 0; k < N; k++)
            g[i][k] = 0;
    g[0][0] = g[1][1] = g[2][0] = g[3][1] = g[4][3] = g[5][4] = g[6][6] = g[7][7] = 1;
    g[2][3] = g[3][4] = g[4][6] = g[5][7] = -1;
    g[0][2] = y[0];
    g[1][2] = -x[0];
    g[2][2] = -y[0];
    g[3][2] = x[0];
    g[2][5] = g[4][5] = -y[1];
    g[3][5] = g[5][5] = x[1];
    g[4][8] = g[6][8] = y[2];
    g[5][8] = g[7][8] = -x[2];
}

#include "rattle.h"
