/* A RATTLE step written by hand: plain arrays, Cholesky, a fixed number of Newton iterations.
 *
 * Included by one file for each system, which first defines N, M and LINKAGE(name), includes real.h, and defines
 *   struct parameters   with `real h` and `real inverse_mass[N]`,
 *   force, constraint, jacobian.
 *
 * M v' = f - G^T l. With A = G M^-1 G^T factored at q_n:
 *   v_1/2 = v_n + h/2 M^-1 f(q_n)
 *   q     = q_n + h v_1/2, then ITERATIONS times  q <- q - M^-1 G_n^T A_n^-1 g(q)
 *   v     = (q - q_n)/h + h/2 M^-1 f(q), then  v <- v - M^-1 G^T A^-1 G v  with G and A at the new q,
 * which serve the next step's iterations. */

struct state {
    real q[N];
    real v[N];
    real jacobian[M][N];
    real factor[M][M]; /* Below the diagonal L of A = L L^T, on it the inverse of L's diagonal. */
};

/* A = G M^-1 G^T and its Cholesky factor. */
static inline void factor(const struct parameters *restrict p, struct state *restrict s)
{
    for (int i = 0; i < M; i++) {
        for (int j = 0; j <= i; j++) {
            real sum = 0;
            for (int k = 0; k < N; k++)
                sum += s->jacobian[i][k] * p->inverse_mass[k] * s->jacobian[j][k];
            for (int k = 0; k < j; k++)
                sum -= s->factor[i][k] * s->factor[j][k];
            s->factor[i][j] = i == j ? 1 / SQRT(sum) : sum * s->factor[j][j];
        }
    }
}

/* x <- x - M^-1 G^T A^-1 r. Overwrites r. */
static inline void correct(const struct parameters *restrict p, const struct state *restrict s, real x[N], real r[M])
{
    for (int i = 0; i < M; i++) {
        for (int k = 0; k < i; k++)
            r[i] -= s->factor[i][k] * r[k];
        r[i] *= s->factor[i][i];
    }
    for (int i = M - 1; i >= 0; i--) {
        for (int k = i + 1; k < M; k++)
            r[i] -= s->factor[k][i] * r[k];
        r[i] *= s->factor[i][i];
    }
    for (int k = 0; k < N; k++) {
        real sum = 0;
        for (int i = 0; i < M; i++)
            sum += s->jacobian[i][k] * r[i];
        x[k] -= p->inverse_mass[k] * sum;
    }
}

/* Makes a state from a position and a velocity that satisfy the constraints. */
void LINKAGE(start)(const struct parameters *restrict p, struct state *restrict s)
{
    jacobian(p, s->q, s->jacobian);
    factor(p, s);
}

void LINKAGE(step)(const struct parameters *restrict p, struct state *restrict s)
{
    const real h = p->h, half = h / 2;
    real q[N], f[N], r[M];

    force(p, s->q, f);
    for (int k = 0; k < N; k++)
        q[k] = s->q[k] + h * (s->v[k] + half * p->inverse_mass[k] * f[k]);
    for (int iteration = 0; iteration < ITERATIONS; iteration++) {
        constraint(p, q, r);
        correct(p, s, q, r);
    }

    const real rate = 1 / h;
    force(p, q, f);
    for (int k = 0; k < N; k++) {
        s->v[k] = (q[k] - s->q[k]) * rate + half * p->inverse_mass[k] * f[k];
        s->q[k] = q[k];
    }
    jacobian(p, s->q, s->jacobian);
    factor(p, s);
    for (int i = 0; i < M; i++) {
        r[i] = 0;
        for (int k = 0; k < N; k++)
            r[i] += s->jacobian[i][k] * s->v[k];
    }
    correct(p, s, s->v, r);
}
