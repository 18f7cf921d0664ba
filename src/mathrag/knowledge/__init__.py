"""What everyone knows before any document is read, as data: quantity kinds, roles, constants, units."""
