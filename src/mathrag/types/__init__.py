"""The nouns of the house: frozen values, checked when made, equal by content. They import nothing of ours."""
