"""The Northwind graph from its tables, as the script beside them loads it."""

from __future__ import annotations

import csv
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Final

_NODES: Final = {
    "Product": ("products", "productID"),
    "Category": ("categories", "categoryID"),
    "Supplier": ("suppliers", "supplierID"),
    "Customer": ("customers", "customerID"),
    "Order": ("orders", "orderID"),
}
_TYPES: Final = {
    "Product": {"unitPrice": "float", "discontinued": "boolean"}
    | dict.fromkeys(("unitsInStock", "unitsOnOrder", "reorderLevel"), "int"),
}
_EDGES: Final = (
    # the type, the label it leads from and the key there, the label it leads to and the key there, the table
    ("PART_OF", ("Product", "productID"), ("Category", "categoryID"), "products"),
    ("SUPPLIES", ("Supplier", "supplierID"), ("Product", "productID"), "products"),
    ("PURCHASED", ("Customer", "customerID"), ("Order", "orderID"), "orders"),
    ("ORDERS", ("Order", "orderID"), ("Product", "productID"), "order-details"),
)


def write_northwind(tables: Path, folder: Path) -> Path:
    """Write the graph as node and relationship files into an empty folder, which is returned."""
    for label, (table, key) in _NODES.items():
        types = _TYPES.get(label, {})
        rows = list(rows_of(tables, table))
        names = [name for name in rows[0] if name != key]
        header = [f"{key}:ID({label})", *(f"{one}:{types[one]}" if one in types else one for one in names), ":LABEL"]
        values = ([row[key], *(_value(row[one], types.get(one)) for one in names), label] for row in rows)
        write_table(folder / f"{table}.csv", header, values)
    for type_, (start, start_key), (end, end_key), table in _EDGES:
        names = ["unitPrice", "quantity", "discount"] if type_ == "ORDERS" else []
        header = [f":START_ID({start})", f":END_ID({end})", ":TYPE"]
        header += [f"{one}:int" if one == "quantity" else one for one in names]
        values = ([row[start_key], row[end_key], type_, *(row[one] for one in names)] for row in rows_of(tables, table))
        write_table(folder / f"rel_{type_.lower()}.csv", header, values)
    return folder


def rows_of(tables: Path, name: str) -> Iterator[Mapping[str, str]]:
    """The rows of a table."""
    with (tables / f"{name}.csv").open(encoding="utf-8", newline="") as file:
        yield from csv.DictReader(file)


def _value(text: str, type_: str | None) -> str:
    return str(text != "0").lower() if type_ == "boolean" else text


def write_table(file: Path, header: Sequence[str], rows: Iterable[Sequence[str]]) -> None:
    """Write a CSV file."""
    with file.open("w", encoding="utf-8", newline="") as out:
        writer = csv.writer(out)
        writer.writerow(header)
        writer.writerows(rows)
