/* A planar chain of LINKS point masses on rods: q = (x1, y1, x2, y2, ...). */

#define N (2 * LINKS)
#define M LINKS
#include "real.h"

struct parameters {
    real h;
    real inverse_mass[N];
    real weight, square_of_length;
};

static inline void force(const struct parameters *p, const real q[N], real f[N])
{
    (void)q;
    for (int link = 0; link < LINKS; link++) {
        f[2 * link] = 0;
        f[2 * link + 1] = -p->weight;
    }
}

static inline void constraint(const struct parameters *p, const real q[N], real g[M])
{
    real x = 0, y = 0; /* of the mass above */
    for (int link = 0; link < LINKS; link++) {
        const real dx = q[2 * link] - x, dy = q[2 * link + 1] - y;
        g[link] = (dx * dx + dy * dy - p->square_of_length) / 2;
        x = q[2 * link];
        y = q[2 * link + 1];
    }
}

static inline void jacobian(const struct parameters *p, const real q[N], real g[M][N])
{
    (void)p;
    for (int link = 0; link < LINKS; link++) {
        for (int k = 0; k < N; k++)
            g[link][k] = 0;
        for (int axis = 0; axis < 2; axis++) {
            const int here = 2 * link + axis;
            const real d = link > 0 ? q[here] - q[here - 2] : q[here];
            g[link][here] = d;
            if (link > 0)
                g[link][here - 2] = -d;
        }
    }
}

#include "rattle.h"
