"""Final answers of mathematics: found in a text, read, and compared."""

from mathrag.compute.answers.comparing import answer_key, same_answer
from mathrag.compute.answers.finding import final_answer
from mathrag.compute.answers.reading import read_answer

__all__ = ["answer_key", "final_answer", "read_answer", "same_answer"]
