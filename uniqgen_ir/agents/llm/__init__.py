"""The client for any OpenAI-compatible model: checked answers, budgets, a cache, records of every call."""
