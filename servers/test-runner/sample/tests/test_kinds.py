"""One test for each outcome."""

import time

import pytest


@pytest.mark.parametrize("text", ["plain", "with space", "a::b", "[brackets]", "größe"])
def test_parametrised(text):
    assert text.strip() == text


@pytest.mark.slow
def test_slow():
    time.sleep(1)


@pytest.mark.skip(reason="needs a printer")
def test_skipped():
    raise NotImplementedError


@pytest.mark.xfail(reason="discounts are not written yet")
def test_expected_failure():
    assert "discount" in []


@pytest.mark.xfail(reason="was fixed")
def test_unexpected_pass():
    assert True


@pytest.fixture
def broken_fixture():
    raise RuntimeError("no database")


def test_error_in_setup(broken_fixture):
    raise NotImplementedError
