"""Snapshots: the surroundings of some nodes, cut out of a graph once, with a manifest that says how."""
