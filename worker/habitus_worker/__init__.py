"""Wiring of habitus: queues, sealed payloads, settings, logs, and the commands that people type."""
