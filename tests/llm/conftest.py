"""The real model, started once for all tests that want it."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from real_model import RealModel, missing

from mathrag.llm.endpoint import Endpoint


@pytest.fixture(scope="session")
def real_model() -> Iterator[RealModel]:
    """A server with a real model that can chat."""
    reason = missing()
    if reason:
        pytest.skip(reason)
    with RealModel(context=1024, parallel=2) as running:
        yield running


@pytest.fixture
def real_endpoint(real_model: RealModel) -> Iterator[Endpoint]:
    """Our client of it."""
    with Endpoint(real_model.url, real_model.name, timeout_seconds=300, retries=0) as endpoint:
        yield endpoint
