#pragma once
// What is asked of the columns of one rank, and how it answers.

#include <functional>
#include <string>

#include "linalg/design.hpp"
#include "linalg/wire.hpp"
#include "sven/distributed.hpp"

namespace sven::linalg {

// The first byte of a request; a verb of Design each, but the first two, which have no answer.
enum class Verb : std::uint8_t { end, set_shift, correlate, gather, moments, pack_rows };

// Whether all ranks have to know more than the request, which then goes down the tree.
inline bool has_common(Verb verb) {
    return verb == Verb::correlate || verb == Verb::moments;
}

// The answer, which begins with a byte: whether it is an error, in words.
std::string answer(Design& part, const std::string& request, const std::string& common,
                   const Execution& execution);

// The same where the request comes with the shift that the columns are to have, as those of tasks.
std::string answer_task(Design& part, const std::string& message, const std::string& common,
                        const Execution& execution);

// Down the tree: from rank 0 to all. Others than rank 0 get what they return.
std::string spread(Communicator& ranks, std::string common);

// The lanes of a panel that are in use.
void put_panel(const Panel& Q, Writer& to);

// Columns of rows() numbers each, by their entries that are not zero if that is shorter.
void put_columns(const double* values, Index rows, Index count, Writer& to);
void get_columns(Reader& from, Index rows, Index count,
                 const std::function<double*(Index c)>& place);

}  // namespace sven::linalg
