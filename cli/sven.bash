# Loaded by bash-completion when sven is first completed; the program knows its own options.
source <(sven completion bash)
