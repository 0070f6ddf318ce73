"""Schedules: cron expressions, actions on schedules, the runs that start tournaments, and pages."""
