"""What pytest leaves out where something is missing."""

from importlib.util import find_spec

# PyTorch is no part of the tests' set, as it has gigabytes; where it is, all is looked at.
collect_ignore_glob = [] if find_spec("torch") else ["src/forsale/train/*"]
