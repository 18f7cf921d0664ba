"""A stranger's SQL: one query, read only, behind an allow-list, in a process of its own."""
