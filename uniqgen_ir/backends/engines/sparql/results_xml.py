"""SPARQL Query Results XML Format (W3C Recommendation, second edition, 2013)."""

from __future__ import annotations

from typing import Final
from xml.parsers import expat

from uniqgen_ir.backends.engines.sparql.results import BrokenResults, Results
from uniqgen_ir.ir.protocols import AnswerRow
from uniqgen_ir.ir.terms import IRI, BlankNode, GroundTerm, Literal
from uniqgen_ir.ir.vocabulary import RDF_LANG_STRING, XSD_STRING

_NAMESPACE: Final = "http://www.w3.org/2005/sparql-results#"
_LANGUAGE: Final = "http://www.w3.org/XML/1998/namespace lang"


def read_xml(body: bytes) -> Results:
    """The results. Raises BrokenResults; a document type declaration, with which entities could come, is refused."""
    reader = _Reader()
    parser = expat.ParserCreate(namespace_separator=" ")
    parser.buffer_text = True
    parser.StartElementHandler = reader.start
    parser.EndElementHandler = reader.end
    parser.CharacterDataHandler = reader.text.append
    parser.StartDoctypeDeclHandler = _refuse_doctype
    try:
        parser.Parse(body, True)
    except expat.ExpatError as error:
        raise BrokenResults(f"the XML is broken or cut off after {len(body):,} bytes: {error}") from error
    return reader.results()


def _refuse_doctype(name: str, system: str | None, public: str | None, internal: bool) -> None:
    del system, public, internal
    raise BrokenResults(f"the XML declares a document type {name}")


class _Reader:
    """Collects rows from the events of the parser."""

    def __init__(self) -> None:
        self.text: list[str] = []
        self._names: list[str] = []
        self._rows: list[AnswerRow] = []
        self._row: dict[str, GroundTerm] = {}
        self._name = ""
        self._attributes: dict[str, str] = {}
        self._truth: bool | None = None
        self._root = False

    def start(self, element: str, attributes: dict[str, str]) -> None:
        name = self._local(element)
        self.text.clear()
        self._attributes = attributes
        match name:
            case "sparql":
                self._root = True
            case "variable":
                self._names.append(attributes.get("name", ""))
            case "result":
                self._row = {}
            case "binding":
                self._name = attributes.get("name", "")
                if self._name not in self._names:
                    raise BrokenResults(f"a row binds ?{self._name}, which the head does not list")
            case "triple":
                raise BrokenResults("a term is a triple, which SPARQL 1.1 does not know")
            case _:
                pass

    def end(self, element: str) -> None:
        name = self._local(element)
        match name:
            case "uri" | "literal" | "bnode":
                self._row[self._name] = self._term(name, "".join(self.text))
            case "result":
                self._rows.append(tuple(self._row.get(one) for one in self._names))
            case "boolean":
                self._truth = self._boolean("".join(self.text).strip())
            case _:
                pass
        self.text.clear()

    def results(self) -> Results:
        """What was read. Raises BrokenResults where the document was something else."""
        if not self._root:
            raise BrokenResults("the XML is not SPARQL results")
        return Results(truth=self._truth) if self._truth is not None else Results(tuple(self._names), tuple(self._rows))

    def _local(self, element: str) -> str:
        namespace, _, name = element.rpartition(" ")
        if namespace != _NAMESPACE:
            raise BrokenResults(f"the element {name} is not one of SPARQL results")
        return name

    def _term(self, kind: str, text: str) -> GroundTerm:
        if kind == "uri":
            return IRI(text)
        if kind == "bnode":
            return BlankNode(text)
        language, datatype = self._attributes.get(_LANGUAGE), self._attributes.get("datatype", XSD_STRING)
        if language:
            return Literal.tagged(text, language)
        if datatype == RDF_LANG_STRING:
            raise BrokenResults(f"the literal {text!r} has no language tag")
        return Literal(text, datatype)

    def _boolean(self, text: str) -> bool:
        if text not in ("true", "false"):
            raise BrokenResults(f"the answer to ASK is {text!r}")
        return text == "true"
