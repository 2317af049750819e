"""Schemas, lexicons and mappings as the text of a `.cts` file. Reading it back gives the same document."""

from __future__ import annotations

from collections.abc import Iterable

from uniqgen_ir.ir.mapping import Mapping, MediatorMapping
from uniqgen_ir.ir.print_names import Names, quoted, word
from uniqgen_ir.ir.printer import print_note, rule_sides
from uniqgen_ir.ir.schema import (
    ClassDeclaration,
    Dependency,
    Document,
    ImpliedRule,
    Lexicon,
    PropertyDeclaration,
    RelationDeclaration,
    Schema,
    Synonym,
)
from uniqgen_ir.ir.terms import IRI


def print_document(document: Document) -> str:
    """The document as a file: prefixes, `use schema`, then schemas, lexicons and mappings. Ends with a line end."""
    names = Names(document.prefixes)
    writer = _Writer(names)
    lines = [f"prefix {prefix}: {names.full_iri(namespace)}" for prefix, namespace in names.declared.items()]
    lines += [f"use schema {quoted(name)}" for name in document.uses]
    blocks = [
        *map(writer.schema, document.schemas),
        *map(writer.lexicon, document.lexicons),
        *map(writer.mapping, document.mappings),
    ]
    return "\n\n".join(filter(None, ["\n".join(lines), *blocks])) + "\n"


def _block(title: str, lines: Iterable[str]) -> str:
    return f"{title} {{\n" + "".join(f"  {line}\n" for line in lines) + "}"


class _Writer:
    def __init__(self, names: Names) -> None:
        self.names = names

    def iri(self, iri: IRI) -> str:
        return self.names.iri(iri.value)

    def schema(self, schema: Schema) -> str:
        lines = [
            *map(self.class_, schema.classes),
            *map(self.relation, schema.relations),
            *map(self.property, schema.properties),
            *map(self.synonym, schema.synonyms),
            *map(self.dependency, schema.dependencies),
        ]
        return _block(f"schema {word(schema.name)}", lines)

    def lexicon(self, lexicon: Lexicon) -> str:
        lines = [*map(self.synonym, lexicon.synonyms), *map(self.implied, lexicon.implied)]
        return _block(f"lexicon {word(lexicon.name)}{_for(lexicon.schema)}", lines)

    def named(self, keyword: str, iri: IRI, label: str | None) -> str:
        return f"{keyword} {self.iri(iri)}" + (f" {quoted(label)}" if label is not None else "")

    def class_(self, one: ClassDeclaration) -> str:
        text = self.named("class", one.iri, one.label)
        if one.parents:
            text += f" < {', '.join(map(self.iri, one.parents))}"
        if one.disjoint:
            text += f" disjoint {', '.join(map(self.iri, one.disjoint))}"
        return text

    def relation(self, one: RelationDeclaration) -> str:
        inverse = f" inverse {self.iri(one.inverse)}" if one.inverse is not None else ""
        signature = self.signature(one.domain, one.range)
        return self.named("relation", one.iri, one.label) + signature + inverse + _traits(one.functional, one.key)

    def property(self, one: PropertyDeclaration) -> str:
        signature = self.signature(one.domain, IRI(one.datatype) if one.datatype is not None else None)
        return self.named("property", one.iri, one.label) + signature + _traits(one.functional, one.key)

    def signature(self, domain: IRI | None, range_: IRI | None) -> str:
        if domain is None and range_ is None:
            return ""
        ends = ("" if end is None else f" {self.iri(end)}" for end in (domain, range_))
        return " :" + " ->".join(ends)

    def synonym(self, one: Synonym) -> str:
        return f"synonym {', '.join(map(quoted, one.texts))} = {self.iri(one.target)}"

    def dependency(self, one: Dependency) -> str:
        body, head = rule_sides(self.names, one.body, one.head)
        if one.equal is not None:
            left, right = one.equal
            head = f"{self.names.term(left)} = {self.names.term(right)}"
        return f"rule {word(one.name)}: {body} => {head}"

    def implied(self, one: ImpliedRule) -> str:
        body, head = rule_sides(self.names, one.body, one.head)
        return f"implied {word(one.name)}: {body} => {head}{print_note(one.note)}"

    def mapping(self, mapping: Mapping) -> str:
        preset = f" preset {word(mapping.preset)}" if mapping.preset != "plain" else ""
        lines = [
            f"key {word(mapping.key)}",
            f"label_property {word(mapping.label_property)}",
            *(f"{self.iri(one.iri)} => {_label(one.label)}" for one in mapping.labels),
            *(f"{self.iri(one.iri)} => {_edge(_label(one.type), one.reverse)}" for one in mapping.edges),
            *(f"{self.iri(one.iri)} => .{word(one.name)}{'[]' if one.many else ''}" for one in mapping.properties),
            *map(self.mediator, mapping.mediators),
        ]
        return _block(f"mapping {word(mapping.name)}{_for(mapping.schema)}{preset}", lines)

    def mediator(self, one: MediatorMapping) -> str:
        fields = ", ".join(f"{word(name)}: {self.iri(iri)}" for name, iri in one.properties)
        inside = _label(one.type) + (f" {{{fields}}}" if fields else "")
        source = f" {self.iri(one.source)}" if one.source is not None else ""
        target = f" {self.iri(one.target)}" if one.target is not None else ""
        return f"{self.iri(one.iri)} => edge{source} -[{inside}]->{target}"


def _for(schema: str | None) -> str:
    return f" for {word(schema)}" if schema is not None else ""


def _traits(functional: bool, key: bool) -> str:
    return (" functional" if functional else "") + (" key" if key else "")


def _label(name: str) -> str:
    """`:Drug`; between backticks where the name is no plain word."""
    return f":{word(name)}"


def _edge(label: str, reverse: bool) -> str:
    return f"<-[{label}]-" if reverse else f"-[{label}]->"
