"""Agent a2 with a model: which set of rows the beam should go on with."""
