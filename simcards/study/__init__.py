"""Studies: plans, the engine that plays them, and what comes out."""
