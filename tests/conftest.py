"""Hypothesis profiles: `ci` is the default and repeatable, `nightly` looks further.

`HYPOTHESIS_PROFILE` picks one; `UNIQGEN_EXAMPLES` sets the number of examples, for a quick look while writing a test.
"""

from __future__ import annotations

import os

from hypothesis import HealthCheck, settings

_SLOW_IS_FINE = (HealthCheck.too_slow, HealthCheck.data_too_large)

settings.register_profile(
    "ci", max_examples=200, deadline=None, derandomize=True, suppress_health_check=_SLOW_IS_FINE, print_blob=True
)
settings.register_profile(
    "nightly", max_examples=2000, deadline=None, suppress_health_check=_SLOW_IS_FINE, print_blob=True
)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "ci"))
if "UNIQGEN_EXAMPLES" in os.environ:
    settings.register_profile("asked", settings(), max_examples=int(os.environ["UNIQGEN_EXAMPLES"]))
    settings.load_profile("asked")
