"""What things cost, measured: `habitus bench`."""
