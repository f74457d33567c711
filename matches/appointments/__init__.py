"""Appointments: tables that start at an appointed time, and their scheduled events on Discord (P40)."""

from __future__ import annotations

from typing import Final

from db.appointments.kept import Appointment
from db.model.enums import Due
from matches.appointments import appointed
from matches.appointments.scheduling import Appointments
from matches.table.feature import Feature
from matches.table.value import Table

__all__ = ["FEATURE", "Appointment", "Appointments"]

FEATURE: Final = Feature[Table](
    key=appointed.KEY,
    part=lambda work, _: Appointments(work),
    opens=appointed.opens,
    start=appointed.start,
    followed=appointed.followed,
    announced=appointed.announced,
    due={Due.READY: appointed.due},
    left_out=appointed.left_out,
)
