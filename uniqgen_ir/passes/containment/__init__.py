"""Containment and equivalence of tables: proofs by homomorphism, witness graphs, `unknown` with a reason."""
