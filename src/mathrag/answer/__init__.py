"""From an outcome to what people and programs read: data, cards, citations, tools. Nothing is computed here."""
