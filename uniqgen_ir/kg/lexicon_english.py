"""A small thesaurus of everyday English: words that people use for the same relation or kind of thing.

It holds language, not facts about any graph: each group says that its words *can* mean the same when somebody asks a
question. A project's own words belong in its lexicon (`.cts`), which weighs more.
"""

from __future__ import annotations

from collections import defaultdict
from functools import lru_cache
from typing import Final

from uniqgen_ir.kg.lexicon_words import plain, stem

# Words of a group separated by spaces; words with an underscore are phrases.
_GROUPS: Final[tuple[str, ...]] = (
    # family
    "parent mother father mom dad mum mommy daddy mama papa ancestor",
    "child son daughter kid offspring heir descendant baby boy girl",
    "spouse husband wife couple partner married marry marriage darling other_half better_half consort sweetheart wed",
    "sibling brother sister",
    # the person
    "gender sex male_or_female man woman",
    "profession occupation job work career vocation employment living working_on do_for_a_living professional "
    "line_of_business line_of_work trade",
    "nationality nation country citizenship citizen come_from from homeland",
    "religion faith belief religious church denomination worship creed practice",
    "ethnicity ethnic race people origin",
    "zip_code postal_code postcode zip postal",
    "influence influenced inspire inspired inspiration inspirations",
    "architect design designed designer structures_designed",
    "institution school university college education educational study studied alumni academy organization "
    "organisation alma_mater graduate attend go_to_school go_to_college",
    "birth born birthplace native hometown raised raise grow_up grew_up come_from",
    "death die decease passed_away pass_away killed kill demise end_of_life buried",
    "cause reason why how kill killed die_from died_from die_of died_of",
    "age old aged how_old",
    "employer company firm business work work_for work_at institution organization organisation employ",
    "residence live reside dwell home address",
    # places and containment
    "place where location city town spot site address venue institution headquarters",
    "country nation state where land national national_team national_football_team national_soccer_team",
    "locate location place situated based lie lies found_in where",
    "contain contained within inside part belong lie located situated in",
    "capital seat",
    "language speak tongue spoken",
    "currency money",
    # time
    "date when day time",
    "year when date",
    "open start begin opening beginning commence inaugurate launch",
    "close end finish closing conclude ending",
    "release come_out publish premiere launch issued",
    # arts
    "film movie picture flick",
    "star act actor actress cast appear feature play_in performer role perform",
    "direct director filmmaker helm",
    "write writer author screenwriter scriptwriter screenplay pen script wrote",
    "genre type kind sort style category",
    "tag topic keyword about describe",
    "rating rated score popular popularity famous",
    "vote voted",
    "compose composer music soundtrack score",
    "produce producer make maker manufacture manufacturer",
    "publish publisher",
    "create creator invent inventor found founder establish design designer",
    # sport and events
    "club team side squad professional professionally",
    "number jersey shirt",
    "wear number jersey",
    "position role",
    "soccer football",
    "player footballer athlete sportsman competitor",
    "host hold held stage take_place organise organize venue where",
    "win winner champion victory",
    "participate compete take_part entrant",
    "coach manager trainer",
    # medicine
    "treat treatment cure therapy remedy relieve help used_for use indicate indication prescribe",
    "drug medicine medication pharmaceutical remedy",
    "disease condition illness disorder sickness ailment",
    "ingredient contain substance component compound active",
    "symptom sign",
    "approve approved authorise authorize license licensed",
    "withdraw withdrawn recall",
    # having something in common
    "together jointly share shared sharing common collaborate collaborated",
    # things
    "person people human individual man woman who",
    "city town municipality",
    "part component piece",
    "own owner possess property",
    "lead leader head chief president chair govern rule ruler",
    "follow successor next after succeed",
    "precede predecessor previous before",
    "member belong join",
    "manager boss supervisor superior report manage supervise",
    "buy purchase order",
    "supply supplier vendor provide",
    "cost price expensive cheap",
    "require requirement prerequisite precondition need",
    "occur happen take_place",
    "capacity seat",
    "employ employer hire staff",
    "salary pay wage earn",
)

_DEMONYMS: Final = """
american:united_states british:united_kingdom english:england scottish:scotland welsh:wales irish:ireland french:france
german:germany italian:italy spanish:spain portuguese:portugal dutch:netherlands belgian:belgium swiss:switzerland
austrian:austria greek:greece swedish:sweden norwegian:norway danish:denmark finnish:finland icelandic:iceland
polish:poland czech:czech_republic slovak:slovakia hungarian:hungary romanian:romania bulgarian:bulgaria
serbian:serbia croatian:croatia bosnian:bosnia_and_herzegovina slovenian:slovenia albanian:albania turkish:turkey
russian:russia soviet:soviet_union ukrainian:ukraine belarusian:belarus estonian:estonia latvian:latvia
lithuanian:lithuania georgian:georgia armenian:armenia israeli:israel iranian:iran iraqi:iraq syrian:syria
lebanese:lebanon egyptian:egypt moroccan:morocco algerian:algeria tunisian:tunisia nigerian:nigeria ghanaian:ghana
kenyan:kenya ethiopian:ethiopia ivorian:ivory_coast cameroonian:cameroon canadian:canada mexican:mexico
brazilian:brazil argentine:argentina argentinian:argentina chilean:chile colombian:colombia peruvian:peru
uruguayan:uruguay paraguayan:paraguay ecuadorian:ecuador venezuelan:venezuela bolivian:bolivia cuban:cuba
jamaican:jamaica honduran:honduras japanese:japan chinese:china korean:south_korea indian:india pakistani:pakistan
bangladeshi:bangladesh thai:thailand vietnamese:vietnam indonesian:indonesia malaysian:malaysia filipino:philippines
australian:australia european:europe asian:asia african:africa yugoslav:yugoslavia
"""


@lru_cache(maxsize=1)
def _groups() -> tuple[dict[str, frozenset[int]], dict[tuple[str, ...], frozenset[int]]]:
    words: defaultdict[str, set[int]] = defaultdict(set)
    phrases: defaultdict[tuple[str, ...], set[int]] = defaultdict(set)
    for number, line in enumerate(_GROUPS):
        for entry in line.split():
            parts = tuple(entry.split("_"))
            if len(parts) == 1:
                words[stem(entry)].add(number)
            else:
                phrases[tuple(map(stem, parts))].add(number)
    return (
        {word: frozenset(numbers) for word, numbers in words.items()},
        {phrase: frozenset(numbers) for phrase, numbers in phrases.items()},
    )


NO_GROUPS: Final[frozenset[int]] = frozenset()


def word_groups(stemmed: str) -> frozenset[int]:
    """The groups of meaning that a stem belongs to."""
    return _groups()[0].get(stemmed, NO_GROUPS)


def phrase_groups(words: tuple[str, ...]) -> frozenset[int]:
    """The groups of meaning that a phrase of plain words belongs to, as a whole: *came out* like *come out*."""
    return _groups()[1].get(tuple(map(stem, words)), NO_GROUPS)


@lru_cache(maxsize=1)
def demonyms() -> dict[str, str]:
    """Adjective of a people or country → its usual name, both plain."""
    pairs = (entry.split(":") for entry in _DEMONYMS.split())
    return {plain(adjective): name.replace("_", " ") for adjective, name in pairs}


@lru_cache(maxsize=10_000)
def is_near_a_known_word(word: str) -> bool:
    """Whether a longer word is a word of the thesaurus with one letter too many, too few, or wrong."""
    from rapidfuzz.distance import Levenshtein

    known = _groups()[0]
    return len(word) >= 6 and any(Levenshtein.distance(stem(word), one, score_cutoff=1) <= 1 for one in known)
