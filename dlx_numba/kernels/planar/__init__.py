"""Perfect matchings of planar graphs: an embedding, Kasteleyn's signs, and a determinant."""
