import pytest
from cart import Cart


def test_new_cart_is_empty():
    assert Cart().total() == 0


class TestAdd:
    def test_keeps_the_order(self):
        cart = Cart()
        cart.add("pen", 2)
        cart.add("ink", 7)
        assert cart.names() == ["pen", "ink"]

    class TestQuantity:
        @pytest.mark.parametrize("quantity", [0, -1])
        def test_rejects(self, quantity):
            with pytest.raises(ValueError):
                Cart().add("pen", 2, quantity)


def test_total_counts_the_quantity():
    cart = Cart()
    cart.add("pen", 2, quantity=3)
    print("lines:", cart.lines)
    assert cart.total() == 6
