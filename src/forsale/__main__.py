"""`python -m forsale` is the command `forsale`."""

import sys

from forsale.cli import main

if __name__ == "__main__":
    sys.exit(main())
