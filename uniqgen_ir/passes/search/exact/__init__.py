"""The strategy `exact`: what surrounds the answers is fetched once, and the best sets are searched in memory."""
