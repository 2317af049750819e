"""The CSV files of Northwind with the headers of nodes and relationships, as somebody would prepare them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final

from tests.integration.northwind import rows_of, write_table

_NODES: Final[Mapping[str, tuple[str, str, Mapping[str, str]]]] = {
    "Category": ("categories", "categoryID", {"categoryName": "name", "description": "description"}),
    "Product": (
        "products",
        "productID",
        {
            "productName": "name",
            "unitPrice": "unitPrice:double",
            "unitsInStock": "unitsInStock:int",
            "quantityPerUnit": "quantityPerUnit",
        },
    ),
    "Supplier": (
        "suppliers",
        "supplierID",
        {"companyName": "name", "city": "city", "country": "country", "phone": "phone"},
    ),
    "Customer": (
        "customers",
        "customerID",
        {"companyName": "name", "contactName": "contactName", "city": "city", "country": "country"},
    ),
    "Shipper": ("shippers", "shipperID", {"companyName": "name", "phone": "phone"}),
    "Employee": (
        "employees",
        "employeeID",
        {"name": "name", "title": "title", "birthDate": "birthDate:date", "hireDate": "hireDate:date", "city": "city"},
    ),
    "Order": ("orders", "orderID", {"orderDate": "orderDate:date", "freight": "freight:double"}),
    "Territory": ("territories", "territoryID", {"territoryDescription": "name"}),
    "Region": ("regions", "regionID", {"regionDescription": "name"}),
}
"""Label → file, key, column → header."""

_EDGES: Final[Sequence[tuple[str, str, str, str, str, str]]] = (
    ("PART_OF", "products", "productID", "Product", "categoryID", "Category"),
    ("SUPPLIED_BY", "products", "productID", "Product", "supplierID", "Supplier"),
    ("PLACED_BY", "orders", "orderID", "Order", "customerID", "Customer"),
    ("SOLD_BY", "orders", "orderID", "Order", "employeeID", "Employee"),
    ("SHIPPED_BY", "orders", "orderID", "Order", "shipVia", "Shipper"),
    ("CONTAINS", "order-details", "orderID", "Order", "productID", "Product"),
    ("REPORTS_TO", "employees", "employeeID", "Employee", "reportsTo", "Employee"),
    ("IN_REGION", "territories", "territoryID", "Territory", "regionID", "Region"),
    ("IN_TERRITORY", "employee-territories", "employeeID", "Employee", "territoryID", "Territory"),
)
"""Type, file, start column and label, end column and label."""


def prepare(source: Path, target: Path) -> Path:
    """Write the files of nodes and relationships of `source` to `target`, with headers."""
    for label, (file, key, columns) in _NODES.items():
        head = [f"{key}:ID({label})", *columns.values(), ":LABEL"]
        rows = ([row[key], *(_cell(row, column) for column in columns), label] for row in _rows(source, file))
        write_table(target / f"{label}.csv", head, rows)
    for kind, file, start, start_label, end, end_label in _EDGES:
        head = [f":START_ID({start_label})", f":END_ID({end_label})", ":TYPE"]
        rows = ([row[start], row[end], kind] for row in _rows(source, file) if _cell(row, end))
        write_table(target / f"edges_{kind}.csv", head, rows)
    return target


def _rows(source: Path, file: str) -> list[dict[str, str]]:
    return [{**row, "name": f"{row.get('firstName')} {row.get('lastName')}"} for row in rows_of(source, file)]


def _cell(row: Mapping[str, str], column: str) -> str:
    text = "" if row[column] == "NULL" else row[column]
    return text[:10] if column.endswith("Date") else text
