"""Numeric caps: 'at most 100 words', 'two sentences', 'half a page', in many languages, as a token ceiling."""

import math
import re

from habitus_schema.vocabulary import VerbosityCeilingTokens

_NUMBERS = {
    1: (
        "one a single ein eine einen einem einer un une uno una um uma een en ett jeden jedna jedno "
        "jedną один одна одну одне bir satu một एक واحد واحدة אחד אחת 一 1"
    ),
    2: (
        "two couple zwei deux dos due dois duas twee två dwa dwie dwóch dva dvě два две дві iki dua hai "
        "दो اثنين جملتين שני שתי שתיים 二 两 兩 두 2"
    ),
    3: "three drei trois tres tre três drie trzy trzech tři три üç tiga ba तीन ثلاث ثلاثة שלוש שלושה 三 세 3",
    4: (
        "four vier quatre cuatro quattro quatro fyra cztery čtyři четыре чотири dört empat bốn चार أربع "
        "أربعة ארבע ארבעה 四 네 4"
    ),
    5: "five fünf cinq cinco cinque vijf fem pięć pět пять п'ять beş lima năm पाँच पांच خمس خمسة חמש חמישה 五 다섯 5",
    6: "six sechs seis sei zes sex sześć šest шесть шість altı enam sáu छह ست ستة שש 六 여섯",
    8: "eight acht huit ocho otto oito åtta osiem osm восемь вісім sekiz delapan tám आठ ثمان ثماني שמונה 八 여덟",
    10: "ten zehn dix diez dieci dez tien tio dziesięć deset десять on sepuluh mười दस عشر عشرة עשר 十 열",
    100: "hundred hundert cent cien cento cem honderd hundra sto сто yüz seratus trăm सौ مئة مائة מאה 百 一百 백",
    200: "zweihundert tweehonderd duzentas doscientas двести двісті מאתיים مئتي 两百 二百 이백",
    400: "vierhundert 四百 사백",
    600: "sechshundert 六百 육백",
    800: "achthundert 八百 팔백",
}
_VALUE = {word: value for value, words in _NUMBERS.items() for word in words.split()}
_HALF = (
    r"half|halbe|halben|demi|demie|media|medio|mezza|meia|halve|halva|pół|půl|pol|пол|пів|yarım|"
    r"setengah|nửa|आधा|आधे|نصف|חצי|半|반"
)
_WORD_UNIT = (
    r"words?|wörter[n]?|worte[n]?|mots|palabras|palavras|parole|woorden|ord|słów|słowa|slov|slova|"
    r"слов[а]?|слів|слова|kelime\w*|kata|từ|chữ|"
    r"शब्द\w*|كلمة|كلمات|מילים|個?字|字|文字|단어|글자|자"
)
_SENTENCE_UNIT = (
    r"sentences?|sätze[n]?|satz|phrases?|frases?|frasi|frase|zin(?:nen)?|mening(?:ar)?|zda(?:nie|nia|ń|niach)|"
    r"vět[ay]?|věty|предложени\w+|"
    r"речен\w+|cümle\w*|kalimat|câu|वाक्य\w*|جمل|جملة|جملتين|משפטים|משפט|句话|句話|句|文(?!字)|文章|문장"
)
_LINE_UNIT = (
    r"lines?|zeilen?|lignes?|líneas?|linhas?|righe|riga|regels?|rader|linij\w*|wiersz\w*|řád\w+|"
    r"строк\w*|рядк\w*|satır\w*|baris|dòng|पंक्ति\w*|أسطر|سطر\w*|שורות|שורה|行|줄"
)
_PARAGRAPH_UNIT = (
    r"paragraphs?|absätze[n]?|absatz|paragraphes?|párrafos?|parágrafos?|paragraf\w*|alinea'?s?|"
    r"stycken?|akapit\w*|odstav\w+|абзац\w*|"
    r"đoạn(?: văn)?|अनुच्छेद|पैराग्राफ|فقرات|فقرة|פסקאות|פסקה|段落|段|단락|문단"
)
_PAGE_UNIT = (
    r"pages?|seiten?|páginas?|pagin[ae]|pagina's|sida|sidor|stron\w*|strán\w+|стран\w+|сторін\w+|"
    r"sayfa\w*|halaman|trang|पन्ने|पेज|पृष्ठ|صفحة|صفحات|עמוד\w*|页|頁|ページ|페이지|쪽"
)
_PIECE_UNIT = r"tokens?|токен\w*|トークン|토큰"
_TOKENS_EACH = (
    (_WORD_UNIT, 1.5),
    (_SENTENCE_UNIT, 45.0),
    (_LINE_UNIT, 25.0),
    (_PARAGRAPH_UNIT, 150.0),
    (_PAGE_UNIT, 1200.0),
    (_PIECE_UNIT, 1.0),
)
_HUNDRED = (
    r"hundred|hundert|cents?|cientos|cientas|centos|centas|cento|honderd|hundra|sta|set|сот|сотни|сто|"
    r"yüz|ratus|trăm|सौ|مئة|مائة|"
    r"מאות|百|백"
)
_NUMBER = r"\d[.,]\d{3}|\d{1,4}|" + "|".join(sorted((re.escape(word) for word in _VALUE), key=len, reverse=True))
_CAP = re.compile(
    rf"(?<![a-zA-Z\u00c0-\u04ff\u0600-\u06ff])(?:(?P<half>{_HALF})|(?P<count>{_NUMBER})(?:\s?(?P<hundred>{_HUNDRED}))?)(?:\s(?:a|an|of|eine?|une?|una|uma|een))?[\s-]{{0,3}}"
    + "(?:"
    + "|".join(f"(?P<u{i}>{unit})" for i, (unit, _) in enumerate(_TOKENS_EACH))
    + ")",
    re.IGNORECASE,
)
_LARGEST = 2_400
"""Tokens above which a number is no ceiling of this vocabulary."""


def _count(match: re.Match[str]) -> float:
    if match.group("half"):
        return 0.5
    digits = re.sub("[.,]", "", match.group("count"))
    number = float(digits) if digits.isdigit() else float(_VALUE.get(digits.casefold(), 0))
    return number * 100 if match.group("hundred") else number


def _tokens(match: re.Match[str]) -> float:
    """A cap in tokens. One paragraph is as much as two: the vocabulary's 300 is 'one or two paragraphs'."""
    unit = next(i for i in range(len(_TOKENS_EACH)) if match.group(f"u{i}"))
    count = _count(match)
    if _TOKENS_EACH[unit][0] is _PARAGRAPH_UNIT:
        count = max(count, 2)
    return count * _TOKENS_EACH[unit][1]


def nearest(tokens: float) -> VerbosityCeilingTokens:
    """The ceiling of the vocabulary nearest to a number of tokens, by ratio."""
    return min(VerbosityCeilingTokens, key=lambda ceiling: abs(math.log(tokens / float(ceiling.value))))


def ceiling(text: str) -> VerbosityCeilingTokens | None:
    """The ceiling that the smallest numeric cap of a text asks for; None without one, or when all are out of range."""
    found = [tokens for tokens in map(_tokens, _CAP.finditer(text)) if 20 <= tokens <= _LARGEST]
    return nearest(min(found)) if found else None
