"""The library as an RDF graph: its vocabulary, its triples, the graph on disk, SPARQL, shapes. Never the truth."""
