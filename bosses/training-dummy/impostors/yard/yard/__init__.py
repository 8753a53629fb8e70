"""The practice yard: words, arguments, and the gate that joins them."""
