"""The package as users install it, built once."""

import pytest

from tests.plugins.building import ROOT, Site, copied, source_distribution, wheel


@pytest.fixture(scope="session")
def archive(tmp_path_factory):
    """The source distribution."""
    place = tmp_path_factory.mktemp("package")
    return source_distribution(copied(ROOT, place / "sources"), place / "sdist")


@pytest.fixture(scope="session")
def site(archive, tmp_path_factory) -> Site:
    """A folder with fairfight from the wheel of the source distribution, and Pig beside it."""
    place = tmp_path_factory.mktemp("installed")
    found = Site(place / "site")
    found.install(wheel(archive, place / "wheels"), copied(ROOT / "tests/plugins/pig", place / "pig"))
    return found
