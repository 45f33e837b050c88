"""Analysis: conventions compared and understood, rounding studied, players profiled."""

from prefdata.analysis.rounding_study import RoundingStudy, study_rounding

__all__ = ["RoundingStudy", "study_rounding"]
