#ifndef SVEN_TESTS_PLAIN_C_H
#define SVEN_TESTS_PLAIN_C_H
/* A use of the library by a translation unit in C99: NULL, or what went wrong. */

#ifdef __cplusplus
extern "C" {
#endif

const char* use_from_c(void);

#ifdef __cplusplus
}
#endif

#endif
