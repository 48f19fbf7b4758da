#include "reading.hpp"

#include <numeric>

#include "buffers.hpp"
#include "sven/io.hpp"

int sven_compare_read(const char* path, int threads, ReadAnswer* answer, char* message,
                      std::int64_t message_size) {
    return compare::guarded({message, message_size}, [&] {
        sven::io::ReadOptions options;
        options.threads = threads;
        const sven::io::Dataset data = sven::io::read(path, options);
        *answer = {sven::rows(data.X), sven::cols(data.X),
                   std::accumulate(data.y.begin(), data.y.end(), 0.0)};
    });
}
