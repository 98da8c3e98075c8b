"""Rule sets and compiled games, one package a family."""
