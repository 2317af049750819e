"""What becomes of final answers when the reference answers are incomplete or wrong."""
