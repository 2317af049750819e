"""Questions made of plain ones: what is *not* so, whether something is so, averages and sums."""
