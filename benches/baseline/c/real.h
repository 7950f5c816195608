/* The scalar, and as many Newton iterations as taut makes by default. */

#include <math.h>

#ifdef SINGLE
typedef float real;
#define SQRT sqrtf
#define SIN sinf
#define COS cosf
#define ITERATIONS 2
#else
typedef double real;
#define SQRT sqrt
#define SIN sin
#define COS cos
#define ITERATIONS 6
#endif
