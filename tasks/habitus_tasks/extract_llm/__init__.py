"""Extraction by a large language model, over HTTP: optional, masked, validated, and never without a way back.

One file a part: what is sent (`mask`, `facts`, `portions`, `prompt`), how (`dialects`, `transport`, `client`,
`limits`), what comes back (`answer`, `notes`, `weighing`), and `extractor`, which puts them together.
"""
