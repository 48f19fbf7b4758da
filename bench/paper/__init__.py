"""bench/paper: the evaluation of the SVEN paper, run again."""
