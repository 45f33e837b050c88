"""Run the command line with ``python -m prefdata``."""

from __future__ import annotations

import sys

from prefdata.cli import main

sys.exit(main())
