"""What holds for every test: none fails because the machine is busy, or reads the settings file of whoever runs it."""

from __future__ import annotations

import os

from hypothesis import HealthCheck, settings

# Property tests look for new examples wherever they run, except where a change is judged: there the same commit passes
# or fails each time.
settings.register_profile(
    "untimed",
    deadline=None,
    suppress_health_check=(HealthCheck.too_slow,),
    derandomize="CI" in os.environ,
)
settings.load_profile("untimed")

os.environ["MATHRAG_CONFIG"] = os.devnull
# The processes of pytest-xdist have a screen of 80 columns that nobody looks at.
os.environ.pop("COLUMNS", None)
