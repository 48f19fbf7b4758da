"""Where things are."""
import os
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PROGRAM = Path(os.environ.get("SVEN_PROGRAM", ROOT / "build/release/sven"))
# A folder of data sets beside the repository, where there is one.
SHARED_DATA = Path(os.environ.get("SVEN_SHARED_DATA", ROOT.parent / "shared/data"))
