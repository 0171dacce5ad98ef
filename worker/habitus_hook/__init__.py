"""What an agent starts when a session ends. It imports next to nothing, prints nothing, and always exits 0."""
