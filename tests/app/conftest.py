"""The store with every layer, and the app at an address."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator

import pytest
from streamlit.testing.v1 import AppTest

from kb.data import app_file


@pytest.fixture(scope="session")
def full_store(own_folders: object) -> Iterator[None]:
    """A store of the project's data with verdicts and vectors, not built again while the tests run."""
    from kb.app import shop

    assert not shop.bring_up_to_date()
    before = os.environ.get("KB_APP_BUILD")
    os.environ["KB_APP_BUILD"] = "never"
    yield
    if before is None:
        os.environ.pop("KB_APP_BUILD")


@pytest.fixture
def at(full_store: None) -> Callable[..., AppTest]:
    """Opens the app at an address: ``at(rule="431")``."""

    def opened(**params: str) -> AppTest:
        page = AppTest.from_file(str(app_file()), default_timeout=120)
        for key, value in params.items():
            page.query_params[key] = value
        return page.run()

    return opened


def shown(page: AppTest) -> str:
    """The markup of a page, without style and script."""
    bodies = [str(one.proto.body) for one in page.get("html")]
    return "\n".join(body for body in bodies if body.startswith('<div class="kb"'))
