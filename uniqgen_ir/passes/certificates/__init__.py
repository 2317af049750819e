"""The checker of certificates: replays every claim of a trace, and shares no code with the search."""
