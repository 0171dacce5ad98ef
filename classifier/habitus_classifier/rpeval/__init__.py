"""RPEval (arXiv 2601.16621): its files read, its figures computed, our vote beside the baselines.

None of its text ships. The data is CC BY-NC 4.0: it is read from where the caller keeps it, nothing of it is written
anywhere, and nothing of habitus was trained or tuned on it.
"""
