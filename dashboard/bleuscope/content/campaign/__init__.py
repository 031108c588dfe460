"""Campaigns as pages, reports and commands show them: many test sets, each with its systems."""
