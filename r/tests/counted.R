# The tests of the installed package, with one line that counts them; for ./check.
library(svenet)
took <- system.time(results <- tinytest::test_package("svenet", verbose = 0))[["elapsed"]]
cat(sprintf("%d passed in %.1f s\n", length(results), took))
