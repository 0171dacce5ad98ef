"""The main job on sample sessions: made up, one person, six task contexts, three formats."""
