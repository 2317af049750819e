"""Servers that speak the SPARQL Protocol over HTTP."""
