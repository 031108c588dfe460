"""Does the order of systems hang on the references, or on a setting?"""
