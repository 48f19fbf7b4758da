#include "linalg/remote_part.hpp"

#include <algorithm>

#include "linalg/remote_design.hpp"

namespace sven::linalg {
namespace {

Panel get_panel(Reader& from, Index rows) {
    const auto lanes = from.get<Index>();
    Panel Q;
    Q.resize(rows, lanes);
    for (Index i = 0; i < rows; ++i) from.get(Q.row(i), lanes);
    return Q;
}

void correlate(const Design& part, const std::string& common, const Execution& execution,
               Writer& to) {
    Reader from(common);
    const Panel Q = get_panel(from, part.rows());
    Buffer<double> all(part.cols() * Q.lanes());
    part.correlate(Q, execution, [&](Index begin, Index count, const double* tile) {
        for (Index c = 0; c < count; ++c)
            std::copy_n(tile + c * Q.stride(), Q.lanes(), all.data() + (begin + c) * Q.lanes());
    });
    to.put(all.data(), part.cols() * Q.lanes());
}

void gather(const Design& part, Reader& from, const Execution& execution, Writer& to) {
    const auto columns = from.get_list<Index>();
    const auto count = static_cast<Index>(columns.size());
    Buffer<double> values(count * part.rows());
    part.gather(columns, execution, values.data(), part.rows());
    put_columns(values.data(), part.rows(), count, to);
}

void moments(const Design& part, const std::string& common, const Execution& execution,
             Writer& to) {
    Reader from(common);
    const auto count = static_cast<std::size_t>(from.get<Index>());
    std::vector<std::vector<double>> weights(count), v(count);
    std::vector<MomentRequest> requests;
    for (std::size_t k = 0; k < count; ++k) {
        weights[k] = from.get_list<double>();
        v[k] = from.get_list<double>();
        requests.push_back({weights[k], v[k]});
    }
    std::vector<ColumnMoments> found(count);
    to.put(part.moments_of(requests, execution, found));
    for (const ColumnMoments& m : found) {
        for (const auto* numbers : {&m.mean, &m.centred_sum, &m.squares, &m.products})
            to.put(numbers->data(), part.cols());
        to.put(m.is_constant.data(), part.cols());
    }
}

// Column after column.
void pack_rows(const Design& part, Reader& from, Writer& to) {
    const auto begin = from.get<Index>();
    const auto end = from.get<Index>();
    const Index rows = end - begin;
    const Index p = part.cols();
    const std::vector<double> zero(static_cast<std::size_t>(p));
    Buffer<double> packed((p + gram_width - 1) / gram_width * gram_width * rows);
    part.pack_rows(begin, end, zero, nullptr, packed.data());
    for (Index j = 0; j < p; ++j)
        for (Index i = 0; i < rows; ++i)
            to.put(packed[(j / gram_width * rows + i) * gram_width + j % gram_width]);
}

void answer_to(Design& part, const std::string& request, const std::string& common,
               const Execution& execution, Writer& to) {
    Reader from(request);
    switch (from.get<Verb>()) {
        case Verb::end:
            return;
        case Verb::set_shift:
            return part.set_shift(from.get_list<double>());
        case Verb::correlate:
            return correlate(part, common, execution, to);
        case Verb::gather:
            return gather(part, from, execution, to);
        case Verb::moments:
            return moments(part, common, execution, to);
        case Verb::pack_rows:
            return pack_rows(part, from, to);
    }
    throw Error("a message of another rank is damaged");
}

}  // namespace

std::string answer(Design& part, const std::string& request, const std::string& common,
                   const Execution& execution) {
    try {
        Writer to;
        to.put(char{0});
        answer_to(part, request, common, execution, to);
        return to.take();
    } catch (const Cancelled&) {
        throw;
    } catch (const std::exception& error) {
        return char{1} + std::string(error.what());
    }
}

std::string answer_task(Design& part, const std::string& message, const std::string& common,
                        const Execution& execution) {
    Reader from(message);
    part.set_shift(from.get_list<double>());
    const std::size_t begin =
        sizeof(Index) + part.shift().size() * sizeof(double);  // of the request
    return answer(part, message.substr(begin), common, execution);
}

std::string spread(Communicator& ranks, std::string common) {
    const int rank = ranks.rank();
    int below = 1;  // ranks from this one on that have it from here
    while (below < ranks.size() && rank % (2 * below) == 0) below *= 2;
    if (rank != 0) common = ranks.receive(rank - below);
    for (int step = below / 2; step >= 1; step /= 2)
        if (rank + step < ranks.size()) ranks.send(rank + step, common);
    return common;
}

void put_panel(const Panel& Q, Writer& to) {
    to.put(Q.lanes());
    for (Index i = 0; i < Q.rows(); ++i) to.put(Q.row(i), Q.lanes());
}

void put_columns(const double* values, Index rows, Index count, Writer& to) {
    const Index all = rows * count;
    const Index filled = all - std::count(values, values + all, 0.0);
    const bool is_short = filled * Index{sizeof(double) + sizeof(Index)} < all * Index{8};
    to.put(is_short);
    if (!is_short) {
        to.put(values, rows * count);
        return;
    }
    std::vector<Index> places;
    std::vector<double> entries;
    for (Index c = 0; c < count; ++c) {
        places.clear();
        entries.clear();
        for (Index i = 0; i < rows; ++i) {
            if (values[c * rows + i] == 0) continue;
            places.push_back(i);
            entries.push_back(values[c * rows + i]);
        }
        to.put_list<Index>(places).put_list<double>(entries);
    }
}

void get_columns(Reader& from, Index rows, Index count,
                 const std::function<double*(Index c)>& place) {
    const bool is_short = from.get<bool>();
    for (Index c = 0; c < count; ++c) {
        double* const out = place(c);
        if (!is_short) {
            from.get(out, rows);
            continue;
        }
        const auto places = from.get_list<Index>();
        const auto entries = from.get_list<double>();
        std::fill_n(out, rows, 0.0);
        for (std::size_t e = 0; e < std::min(places.size(), entries.size()); ++e) {
            if (places[e] < 0 || places[e] >= rows)
                throw Error("a message of another rank is damaged");
            out[places[e]] = entries[e];
        }
    }
}

void serve(Communicator& ranks, Design& part, const Execution& execution) {
    for (;;) {
        const std::string request = ranks.receive(0);
        const auto verb = Reader(request).get<Verb>();
        if (verb == Verb::end) return;
        std::string common;
        if (has_common(verb)) common = spread(ranks, {});
        std::string found = answer(part, request, common, execution);
        if (verb != Verb::set_shift) ranks.send(0, found);
    }
}

}  // namespace sven::linalg
