"""`habitus report`: one self-contained page that an auditor can file."""
