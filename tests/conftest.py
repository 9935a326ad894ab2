"""How hypothesis runs: the same examples every time, unless `HYPOTHESIS_PROFILE=fuzz` asks for new ones."""

import os

from hypothesis import settings

settings.register_profile("same", derandomize=True, deadline=None, database=None, max_examples=100)
settings.register_profile("fuzz", deadline=None, max_examples=5000, print_blob=True)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "same"))
