"""bleuscope's dashboard and command line around the engine ``bleucore``."""
