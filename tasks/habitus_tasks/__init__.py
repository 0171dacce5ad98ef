"""Verbs of habitus: one module a stage (parse, extract, gate, count, promote), plain functions first."""
