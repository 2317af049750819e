"""UQ684 to UQ688: graphs written for loading elsewhere, and snapshots of them."""

from __future__ import annotations

from typing import Final

from uniqgen_ir.ir.codes.base import Code

FAMILY: Final[tuple[Code, ...]] = (
    Code(
        "UQ684",
        "export_names_clash",
        "two things would get one name",
        "Under the mapping, two predicates would become the same property or relationship type, or two nodes the same "
        "key.",
        "In the exported graph they could not be told apart, and queries would answer for both.",
        "ex:name and other:name    # both `name` under the preset `plain`",
        "other:name => .other_name    # in a mapping",
    ),
    Code(
        "UQ685",
        "export_no_room",
        "no room to sort the facts",
        "A graph is written node by node, so its facts are sorted first, in a temporary file. It could not be written.",
        "Without it all facts would have to be in memory at once.",
        "TMPDIR=/small uniqgen export --graph big.nt --to neo4j-csv out",
        "TMPDIR=/large uniqgen export --graph big.nt --to neo4j-csv out",
    ),
    Code(
        "UQ686",
        "export_unsupported",
        "this cannot be written in this format",
        "A node is to be written as a relationship (the mapping says so of its class, or it stands for one of a property "
        "graph), but says more than one can: it has not one start and one end, another class, or facts that lead to or "
        "from it. Or a value holds the character that separates the items of a list in these files.",
        "Written in another way it would come back as something else.",
        "mapping m { ex:Dosage => edge -[:DOSED_WITH]-> }    # which predicates lead to the two ends?",
        "mapping m { ex:Dosage => edge ex:of -[:DOSED_WITH]-> ex:with }    # or export as `nt`",
    ),
    Code(
        "UQ687",
        "export_folder",
        "the folder cannot be used",
        "An export goes into a new or empty folder, and its files could not be written there.",
        "Files of an earlier export, or half of a file, would be loaded with the others.",
        "uniqgen export --graph films.ttl --to nt .",
        "uniqgen export --graph films.ttl --to nt films-export",
    ),
    Code(
        "UQ688",
        "snapshot",
        "this snapshot cannot be made or used",
        "Nothing in the graph has the name that the snapshot was to be cut around, or the files of a snapshot are not those that its "
        "manifest speaks of.",
        "Figures measured on another graph than the one that is named would be worth nothing.",
        'uniqgen snapshot films --graph almanac --around "Nowhere"',
        'uniqgen snapshot lake-placid --graph almanac --around "Lake Placid" --hops 2',
    ),
)
