# The bundled sample graph "almanac": Olympic Games, the places that hosted them, and medicines.
# The data is in olympics.ttl, places.ttl and medicine.ttl; SOURCES.md says where the facts come from.

prefix ol: <http://almanac.example/olympics/>
prefix pl: <http://almanac.example/place/>
prefix med: <http://almanac.example/medicine/>
prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#>
prefix skos: <http://www.w3.org/2004/02/skos/core#>
prefix xsd: <http://www.w3.org/2001/XMLSchema#>

schema almanac {
  # Olympic Games
  class    ol:OlympicGames "Olympic Games"
  class    ol:Sport "sport"
  class    ol:Person "person"
  relation ol:hostCity "host city" : ol:OlympicGames -> pl:City
  relation ol:sport "included sport" : ol:OlympicGames -> ol:Sport
  relation ol:openedBy "opened by" : ol:OlympicGames -> ol:Person functional
  relation ol:follows "follows" : ol:OlympicGames -> ol:OlympicGames functional
  relation pl:countryAtTheTime "country at the time" : ol:OlympicGames -> pl:FormerCountry functional
  property ol:season "season" : ol:OlympicGames -> xsd:string functional
  property ol:year "year" : ol:OlympicGames -> xsd:integer functional
  property ol:openingDate "opening date" : ol:OlympicGames -> xsd:date functional
  property ol:closingDate "closing date" : ol:OlympicGames -> xsd:date functional
  property ol:nations "number of nations" : ol:OlympicGames -> xsd:integer functional
  property ol:athletes "number of athletes" : ol:OlympicGames -> xsd:integer functional

  # Places
  class    pl:Place "place"
  class    pl:City "city" < pl:Place
  class    pl:Region "region" < pl:Place
  class    pl:Country "country" < pl:Place
  class    pl:FormerCountry "former country" < pl:Place
  class    pl:Continent "continent" < pl:Place
  class    pl:Language "language"
  class    pl:Currency "currency"
  relation pl:containedIn "contained in" : pl:Place -> pl:Place functional
  relation pl:capital "capital" : pl:Place -> pl:City functional
  relation pl:officialLanguage "official language" : pl:Country -> pl:Language
  relation pl:currency "uses currency" : pl:Country -> pl:Currency functional
  property pl:isoCode "ISO code" : pl:Country -> xsd:string functional

  # Medicines
  class    med:Medicine "medicine"
  class    med:Condition "condition"
  class    med:Substance "substance"
  class    med:DrugClass "drug class"
  class    med:BodySystem "body system"
  relation med:treats "treats" : med:Medicine -> med:Condition
  relation med:ingredient "ingredient" : med:Medicine -> med:Substance
  relation med:drugClass "belongs to drug class" : med:Medicine -> med:DrugClass
  relation med:affects "affects" : med:Condition -> med:BodySystem
  property med:status "status" : med:Medicine -> xsd:string functional
  property med:route "route" : med:Medicine -> xsd:string
  property med:approvedYear "approval year" : med:Medicine -> xsd:integer functional
  property med:withdrawnYear "withdrawal year" : med:Medicine -> xsd:integer functional
  property med:boxedWarning "boxed warning" : med:Medicine -> xsd:boolean functional
}

lexicon almanac for almanac {
  # Olympic Games
  synonym "games", "olympics", "olympic", "olympic game", "olympiad", "olympic edition" = ol:OlympicGames
  synonym "olympic event", "edition of the games" = ol:OlympicGames
  synonym "discipline", "athletic discipline", "olympic sport", "medal sport" = ol:Sport
  synonym "people", "individual", "dignitary", "head of state", "politician", "monarch" = ol:Person
  synonym "host", "hosts", "hosted", "hosting", "host town", "hosted by", "hosted in" = ol:hostCity
  synonym "held", "held in", "hold", "holds", "took place", "take place", "takes place", "taking place" = ol:hostCity
  synonym "took place in", "take place in", "takes place in", "venue", "location of the games", "site" = ol:hostCity
  synonym "organised in", "organized in", "staged in", "staged", "stage", "celebrated in", "happened in" = ol:hostCity
  synonym "included", "include", "includes", "featured", "feature", "features", "had", "contested" = ol:sport
  synonym "competed in", "competition in", "on the programme", "on the program", "medal event in" = ol:sport
  synonym "was a sport at", "was played at", "played", "sport on the programme" = ol:sport
  synonym "declared open by", "officially opened by", "opener", "declared open", "declare open" = ol:openedBy
  synonym "was opened by", "were opened by", "who opened" = ol:openedBy
  synonym "came after", "comes after", "come after", "following", "followed", "follow" = ol:follows
  synonym "previous games", "preceding games", "predecessor", "succeeded", "succeeds", "next after" = ol:follows
  synonym "country then", "state at the time", "then in", "historical country", "host state then" = pl:countryAtTheTime
  synonym "time of year", "kind of games", "season of the games" = ol:season
  synonym "games year", "olympic year", "edition year", "in the year" = ol:year
  synonym "opened", "open", "opens", "opening", "opening day", "opening ceremony" = ol:openingDate
  synonym "began", "begin", "begins", "begun", "beginning", "start", "starts", "started", "starting" = ol:openingDate
  synonym "start date", "begin date", "first day", "commenced", "commence", "kicked off", "kick off" = ol:openingDate
  synonym "closed", "close", "closes", "closing", "closing day", "closing ceremony", "concluded" = ol:closingDate
  synonym "ended", "end", "ends", "ending", "end date", "finish", "finished", "last day" = ol:closingDate
  synonym "nations", "participating nations", "participating countries", "nations taking part" = ol:nations
  synonym "number of countries", "number of teams", "countries taking part", "teams", "delegations" = ol:nations
  synonym "athletes", "competitors", "participants", "number of competitors", "athlete count" = ol:athletes
  synonym "number of participants", "participating athletes", "sportspeople", "competitor count" = ol:athletes

  # Places
  synonym "places", "location", "locality", "area" = pl:Place
  synonym "cities", "town", "towns", "municipality", "village", "metropolis", "resort" = pl:City
  synonym "regions", "province", "provinces", "us state", "federal state", "american state" = pl:Region
  synonym "state", "states", "canton", "territory", "county", "prefecture", "subdivision" = pl:Region
  synonym "countries", "nation", "nation state", "sovereign state", "land" = pl:Country
  synonym "former countries", "historical state", "former state", "country that no longer exists" = pl:FormerCountry
  synonym "continents", "part of the world" = pl:Continent
  synonym "languages", "tongue" = pl:Language
  synonym "currencies", "money", "legal tender" = pl:Currency
  synonym "located in", "located", "is in", "are in", "lies in", "lie in", "lying in", "situated in" = pl:containedIn
  synonym "part of", "belongs to", "belong to", "within", "inside", "found in", "lies within" = pl:containedIn
  synonym "from the country", "in the country", "in the state", "in the region" = pl:containedIn
  synonym "in the continent", "on the continent", "country of the city" = pl:containedIn
  synonym "capital city", "capital of", "capitals", "seat of government", "chief city" = pl:capital
  synonym "official languages", "speak", "speaks", "spoken", "spoken in", "language of" = pl:officialLanguage
  synonym "currency of", "pays in", "pay with", "paid with", "currency used", "uses as money" = pl:currency
  synonym "country code", "two-letter code", "iso 3166 code", "iso country code", "alpha-2 code" = pl:isoCode

  # Medicines
  synonym "medicines", "drug", "drugs", "medication", "medications", "pharmaceutical", "pharmaceuticals" = med:Medicine
  synonym "remedy", "remedies", "treatment", "treatments", "therapy", "therapies" = med:Medicine
  synonym "pill", "pills", "tablet", "prescription", "prescription drug", "medicament", "pharmaceutical drug" = med:Medicine
  synonym "conditions", "disease", "diseases", "illness", "illnesses", "disorder", "disorders" = med:Condition
  synonym "sickness", "ailment", "ailments", "complaint", "medical condition", "symptom", "indication" = med:Condition
  synonym "substances", "active substance", "active ingredient", "compound", "chemical", "active agent" = med:Substance
  synonym "drug classes", "class of drugs", "class of medicine", "class of medicines", "medicine class" = med:DrugClass
  synonym "drug family", "pharmacological class", "pharmacologic class", "kind of drug", "type of drug" = med:DrugClass
  synonym "body systems", "organ system", "system of the body", "part of the body", "body part", "organ" = med:BodySystem
  synonym "treat", "treated", "treating", "treated with", "treated by", "treatment for", "treatment of" = med:treats
  synonym "cure", "cures", "cured", "curing", "cure for", "cured by", "help with", "helps with", "help", "helps" = med:treats
  synonym "help against", "helps against", "used for", "use for", "used against", "used to treat" = med:treats
  synonym "prescribed for", "prescribe for", "prescribe", "prescribes", "given for", "taken for" = med:treats
  synonym "medicine for", "drug for", "medication for", "remedy for", "therapy for", "pill for" = med:treats
  synonym "indicated for", "indicated in", "works for", "work for", "good for", "works against" = med:treats
  synonym "relieve", "relieves", "relief of", "relief from", "fight", "fights", "manage", "manages" = med:treats
  synonym "alleviate", "alleviates", "combat", "combats", "against", "effective against" = med:treats
  synonym "ingredients", "contains", "contain", "contains the substance", "made of", "made from", "composed of", "made with" = med:ingredient
  synonym "with the active ingredient", "containing", "consists of", "based on", "component" = med:ingredient
  synonym "is a kind of", "belongs to the class", "in the class", "of the class", "member of the class" = med:drugClass
  synonym "class", "family", "kind", "type" = med:drugClass
  synonym "affect", "affected", "affecting", "harms", "harm", "damages", "damage", "attacks", "attack" = med:affects
  synonym "involves", "disease of", "disorder of", "illness of", "concerns" = med:affects
  synonym "approval status", "market status", "regulatory status", "legal status", "availability" = med:status
  synonym "taken", "administered", "administration", "given", "form of administration", "how to take" = med:route
  synonym "route of administration", "applied", "by way of", "method of administration" = med:route
  synonym "approved in", "year of approval", "first approved", "approved since", "licensed in" = med:approvedYear
  synonym "authorised in", "authorized in", "came on the market", "came to market", "introduced in" = med:approvedYear
  synonym "withdrawn in", "year of withdrawal", "taken off the market", "pulled from the market" = med:withdrawnYear
  synonym "recalled in", "removed from the market", "pulled in", "banned in" = med:withdrawnYear
  synonym "black box warning", "black-box warning", "serious warning", "boxed warnings" = med:boxedWarning

  # What a question leaves unsaid
  implied approved_only: { ?m a med:Medicine } => { ?m med:status "approved" } @pragmatic(u = 0.3, "a question about medicines means those that may be prescribed")
}

mapping almanac for almanac {
  key id
  label_property name
  ol:OlympicGames => :OlympicGames
  ol:Sport => :Sport
  ol:Person => :Person
  ol:hostCity => -[:HOST_CITY]->
  ol:sport => -[:INCLUDES_SPORT]->
  ol:openedBy => -[:OPENED_BY]->
  ol:follows => -[:FOLLOWS]->
  pl:countryAtTheTime => -[:COUNTRY_AT_THE_TIME]->
  ol:season => .season
  ol:year => .year
  ol:openingDate => .openingDate
  ol:closingDate => .closingDate
  ol:nations => .nations
  ol:athletes => .athletes
  pl:Place => :Place
  pl:City => :City
  pl:Region => :Region
  pl:Country => :Country
  pl:FormerCountry => :FormerCountry
  pl:Continent => :Continent
  pl:Language => :Language
  pl:Currency => :Currency
  pl:containedIn => -[:CONTAINED_IN]->
  pl:capital => -[:CAPITAL]->
  pl:officialLanguage => -[:OFFICIAL_LANGUAGE]->
  pl:currency => -[:USES_CURRENCY]->
  pl:isoCode => .isoCode
  med:Medicine => :Medicine
  med:Condition => :Condition
  med:Substance => :Substance
  med:DrugClass => :DrugClass
  med:BodySystem => :BodySystem
  med:treats => -[:TREATS]->
  med:ingredient => -[:INGREDIENT]->
  med:drugClass => -[:DRUG_CLASS]->
  med:affects => -[:AFFECTS]->
  med:status => .status
  med:route => .routes[]
  med:approvedYear => .approvedYear
  med:withdrawnYear => .withdrawnYear
  med:boxedWarning => .boxedWarning
  # names, on everything
  rdfs:label => .name
  skos:altLabel => .aliases[]
}
