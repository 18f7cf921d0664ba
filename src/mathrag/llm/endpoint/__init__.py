"""Any server that speaks OpenAI's protocol, as a `ChatModel` and an `EmbeddingModel`. Trusts nothing it sends."""

from mathrag.llm.endpoint.client import Endpoint

__all__ = ["Endpoint"]
