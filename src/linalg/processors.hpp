#pragma once
// How many processors there are for this process.

namespace sven::linalg {

// Processors that the calling thread may run on.
int usable_processors();

// Threads where nobody says how many.
int default_threads();

}  // namespace sven::linalg
