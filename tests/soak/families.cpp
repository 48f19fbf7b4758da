#include "soak/families.hpp"

namespace sven::soak {

const std::vector<Family>& families() {
    static const std::vector<Family> all = [] {
        std::vector<Family> list;
        for (const auto table : {edge_families(), design_families(), statement_families(),
                                 scale_families(), call_families(), outcome_families()})
            list.insert(list.end(), table.begin(), table.end());
        return list;
    }();
    return all;
}

}  // namespace sven::soak
