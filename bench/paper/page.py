def render(results, others):
    return "<html></html>"
