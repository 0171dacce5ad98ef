"""`habitus serve`: the HTTP interface and the pages, over the same functions that the commands use."""
