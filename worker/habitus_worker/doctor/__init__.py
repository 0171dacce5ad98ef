"""`habitus doctor`: what of a deployment is not as it should be, and what to do about it."""
