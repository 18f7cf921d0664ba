"""A library as data for pages, programs and commands: lists, entries, places, pictures, queries. Decides nothing."""
