"""The study of bounded path context: what a walk gains or loses by showing K hops of its past."""
