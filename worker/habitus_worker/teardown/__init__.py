"""How sessions get here: the agents' settings, the spool that their hooks fill, their history folders."""
