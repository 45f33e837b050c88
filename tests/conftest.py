from __future__ import annotations

from hypothesis import HealthCheck, settings

slow = [HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.filter_too_much]
settings.register_profile("default", max_examples=100, deadline=None, suppress_health_check=slow, derandomize=True)
settings.register_profile("nightly", max_examples=3000, deadline=None, suppress_health_check=slow)
settings.load_profile("default")  # pytest --hypothesis-profile=nightly loads the other one afterwards
