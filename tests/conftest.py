"""What holds for every test: none fails because the machine is busy, or reads the settings file of whoever runs it."""

from __future__ import annotations

import gc
import os
from collections.abc import Generator
from importlib.util import find_spec
from typing import Any

import pytest
from hypothesis import HealthCheck, settings

from mathrag.documents.office.pandoc import pandoc_path
from mathrag.errors import DocumentError
from mathrag.isolation.nursery import NURSERIES
from mathrag.isolation.spares import SPARES

pytest_plugins = ("recording",)

# Property tests take the same few examples each time, so that a commit always passes or always fails; `make fuzz` draws
# others, as many as a test asks for.
DRAWS_AT_RANDOM = "MATHRAG_TEST_DRAWING" in os.environ
MOST_EXAMPLES = 40

settings.register_profile(
    "untimed",
    deadline=None,
    suppress_health_check=(HealthCheck.too_slow,),
    derandomize=not DRAWS_AT_RANDOM,
    database=None,
    max_examples=100 if DRAWS_AT_RANDOM else MOST_EXAMPLES,
)
settings.load_profile("untimed")

# Loading what a process needs takes seconds; what is loaded serves all tests of this one.
SPARES.seconds = NURSERIES.seconds = 900.0

os.environ["MATHRAG_CONFIG"] = os.devnull
# Tests ask the documents that they are about; those of the handbook say so.
os.environ["MATHRAG_HANDBOOK"] = "no"
# The processes of pytest-xdist have a screen of 80 columns that nobody looks at.
os.environ.pop("COLUMNS", None)


def pytest_itemcollected(item: pytest.Item) -> None:
    """Keep a property test to few examples, whatever it asks for; where inputs are drawn at random, run all of them.
    What goes through all there is may take an hour before it counts as hanging."""
    if any(item.get_closest_marker(name) for name in ("soak", "fuzz", "growth", "corpora")):
        item.add_marker(pytest.mark.timeout(3600))
    if not isinstance(item, pytest.Function) or not hasattr(item.obj, "hypothesis"):
        return
    if DRAWS_AT_RANDOM:
        item.add_marker("fuzz")
        return
    drawn = getattr(item.obj, "__func__", item.obj)
    asked = drawn._hypothesis_internal_use_settings
    if asked.max_examples > MOST_EXAMPLES:
        drawn._hypothesis_internal_use_settings = settings(asked, max_examples=MOST_EXAMPLES)


@pytest.hookimpl(wrapper=True)
def pytest_fixture_setup() -> Generator[None, Any, Any]:
    """Keep the name of the test out of the environment: processes wait for others of the same environment."""
    os.environ["PYTEST_CURRENT_TEST"] = "one of many"
    return (yield)


@pytest.hookimpl(wrapper=True)
def pytest_pyfunc_call() -> Generator[None, Any, Any]:
    """The same for the test itself. One that finds an optional program missing, as this machine does, is skipped."""
    os.environ["PYTEST_CURRENT_TEST"] = "one of many"
    try:
        return (yield)
    except DocumentError as error:
        if (error.code == "no_pandoc" and not pandoc_path()) or (error.code == "no_ocr" and not find_spec("rapidocr")):
            pytest.skip(str(error))
        raise


def pytest_collection_finish() -> None:
    """What was collected stays to the end: tens of thousands of tests need not be looked through for garbage again."""
    gc.collect()
    gc.freeze()
