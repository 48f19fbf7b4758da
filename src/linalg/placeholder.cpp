namespace sven {}
