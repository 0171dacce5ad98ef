"""Nouns of habitus: the vocabulary, the models, the rejection codes, the tables, keyed ids and errors."""
