"""A shopping cart. `total` has a bug that a test finds: it ignores the quantity."""


class Cart:
    def __init__(self):
        self.lines = []

    def add(self, name, price, quantity=1):
        if quantity < 1:
            raise ValueError(f"Invalid quantity {quantity}: expected 1 or more.")
        self.lines.append({"name": name, "price": price, "quantity": quantity})

    def total(self):
        return sum(line["price"] for line in self.lines)

    def names(self):
        return [line["name"] for line in self.lines]
