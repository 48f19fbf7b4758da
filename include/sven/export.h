#ifndef SVEN_EXPORT_H
#define SVEN_EXPORT_H
/* What a shared library of sven exports; it is built with everything else hidden. */

#if defined(__GNUC__)
#define SVEN_API __attribute__((visibility("default")))
#else
#define SVEN_API
#endif

#endif
