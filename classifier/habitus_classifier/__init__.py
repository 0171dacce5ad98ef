"""The query-time classifier: for each pair of a profile and each new query, ignore, support or drive."""
