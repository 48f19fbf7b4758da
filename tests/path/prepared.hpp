#pragma once
// A problem made ready for the engines, for tests of their parts.

#include "path/session.hpp"
#include "support/problems.hpp"

namespace sven::test {

// The workspace points to the data: neither moves.
struct Prepared {
    explicit Prepared(const Data& from, Convention convention = Convention::documented)
        : data(from), problem(data.problem()), session(problem, options) {
        session.prepare(Method::primal, convention);
    }
    Prepared(const Prepared&) = delete;
    Prepared& operator=(const Prepared&) = delete;

    linalg::ScaledDesign scaled() const {
        return problem::scale_design(*work.design, problem, work.response, work.columns,
                                     work.moments);
    }

    const Data data;
    const Problem problem;
    const Options options;
    path::Session session;
    path::Workspace& work = session.whole().work;
};

}  // namespace sven::test
