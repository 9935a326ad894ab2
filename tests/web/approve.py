"""Makes the approved pictures anew from what the screens show now. Look at every one before you commit it.

$ .venv/bin/python -m tests.web.approve [-k NAME]
"""

import os
import sys

import pytest

from tests.web.pictures import APPROVE

if __name__ == "__main__":
    os.environ[APPROVE] = "1"
    sys.exit(pytest.main(["tests/web/test_pictures.py", *sys.argv[1:]]))
