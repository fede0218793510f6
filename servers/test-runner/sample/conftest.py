"""Makes `cart` importable from the tests, whatever folder pytest starts in."""
