"""The pages for people: drawn here, without a script."""
