"""The short lexicon: stated lengths ('in 200 words', 'auf einer Seite', '三句话以内'), whose very form decides.

Word stems, because inflection differs by language. A plain `str.find` for each stem, then a look at the few
characters before it: linear, and fast on the capped reading.
"""

import re
from collections.abc import Iterator

from habitus_classifier.facets import INDEX
from habitus_classifier.text import Reading

SURE = 0.97
"""The chance that a match is worth."""
CEILINGS = ((215, "150"), (430, "300"), (850, "600"), (1700, "1200"))
"""Up to so many tokens, the ceiling of the catalog that it comes to."""
_UNITS: tuple[tuple[float, tuple[str, ...]], ...] = (
    (30, ("sentence", "sätze", "satz", "phrases", "phrase", "frase", "zinnen", "zdani", "предложени", "речен", "mening",
          "cümle", "句", "文で", "문장", "جمل", "वाक्य", "câu", "kalimat", "lause", "mondat", "προτάσ", "משפט", "vět")),
    (130, ("paragraph", "absatz", "absätz", "párrafo", "parágrafo", "paragraf", "akapit", "абзац", "段落", "문단",
           "فقر", "alinea", "stycke")),
    (1150, ("page", "seite", "página", "pagina", "stron", "страниц", "сторін", "sida", "sayfa", "页", "ページ",
           "페이지", "صفح", "पेज", "trang", "halaman", "sivu", "oldal", "σελίδ", "stran")),
    (1.4, ("word", "wort", "wörter", "mots", "palabra", "palavra", "parole", "woord", "słow", "слов", "слів", " ord",
           "kelime", "단어", "كلم", "शब्द", " từ", " kata", "sana", "szó", "λέξ", "מיל", "slov")),
    (0.7, ("字", "文字", "자로", "자 이내")),
)  # fmt: skip
"""Tokens in one unit of a stated length (catalog: 150 tokens are about 100 words, or two or three sentences)."""
_NUMBERS = {
    word: number
    for number, words in {
        0.5: "half a|halben|halbe|mezza|media|demi|pół|半",
        1: "one|ein|eine|einem|einer|une|un|una|uma|um|een|jednym|jednej|одном|одной|en|bir|一|한",
        2: "two|zwei|deux|dos|duas|dois|due|twee|dwóch|двух|två|iki|两|二|두",
        3: "three|drei|trois|tres|três|tre|drie|trzech|трёх|трех|üç|三|세",
        4: "four|vier|quatre",
        5: "five|fünf|cinq",
    }.items()
    for word in words.split("|")
}
_PAGE = 1150
_SHORTENING = frozenset({"summary", "brief"})
_BEFORE = re.compile(rf"(\d{{1,5}}|(?<!\w)(?:{'|'.join(_NUMBERS)})|[一两二三半])[\s-]{{0,2}}$")
_LOOK_BACK = 12
_FEW_WORDS = 40
"""Fewer words than this are not a length but a thing asked for ('20 words that rhyme')."""


def _stated(text: str) -> Iterator[tuple[float, float]]:
    """Lengths that the text states, in tokens, each with the tokens of its unit."""
    for tokens, stems in _UNITS:
        for stem in stems:
            at = text.find(stem)
            number = _BEFORE.search(text[max(0, at - _LOOK_BACK) : at]) if at > 0 else None
            if number:
                count = _NUMBERS.get(number[1]) or float(number[1])
                if tokens >= 30 or count >= _FEW_WORDS:
                    yield count * tokens, tokens


def found_in(reading: Reading, concepts: frozenset[str] = frozenset()) -> Iterator[tuple[int, float]]:
    """Facets that the lexicon is sure of, as (position in `FACETS`, chance).

    Pages, and whatever is long where a summary is asked for, measure what was pasted and not the answer.
    """
    for tokens, unit in _stated(reading.exact):
        ceiling = next((value for limit, value in CEILINGS if tokens <= limit), None)
        if ceiling:
            yield INDEX[f"verbosity_ceiling_tokens={ceiling}"], SURE
        elif tokens <= 20000 and unit < _PAGE and not concepts & _SHORTENING:
            yield INDEX["response_density=detailed_explanatory"], SURE
