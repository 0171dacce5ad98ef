"""Structural facts of prose: what the form of an answer is, whatever its subject. All counts; no text is kept."""

import re
from dataclasses import dataclass

FENCE = re.compile(r"^[ \t]*(`{3,}|~{3,})[^\n`]*$", re.MULTILINE)
BULLET = re.compile(r"^[ \t]*[-*•·‣+]\s+\S", re.MULTILINE)
NUMBERED = re.compile(r"^[ \t]*\(?\d{1,2}[.)、]\s*\S", re.MULTILINE)
TABLE_ROW = re.compile(r"^[ \t]*\|?[^|\n]{1,200}\|[^|\n]{1,200}(?:\||$)", re.MULTILINE)
TABLE_RULE = re.compile(r"^[ \t]*\|?[ :]*-{2,}[-:| ]*\|?[ \t]*$", re.MULTILINE)
HEADING = re.compile(r"^[ \t]*#{1,6}[ \t]+\S|^\*\*[^*\n]{2,60}\*\*:?[ \t]*$", re.MULTILINE)
EMOJI = re.compile("[\U0001f300-\U0001faff\u2600-\u27bf\u2b50\u2b55\u231a\u231b\u23e9-\u23f3]")
EM_DASH = re.compile("\u2014|(?<=\\w) -- (?=\\w)")
SOURCE = re.compile(
    r"https?://|\[\d{1,2}\]|\bdoi\b|\(\D{2,40},? \d{4}\)|^\W*(?:sources?|references?|quellen?)\b", re.I | re.M
)
METRIC = re.compile(
    r"\d\s?(?:ms|µs|s\b|sec|secs|seconds?|MB|KB|GB|%|passed|failed|ops|req/s|rows?/s)|"
    r"\bexit (?:code )?0\b|\btests? (?:pass|ok)",
    re.I,
)
QUESTION = re.compile("[?？؟]")
SENTENCE_END = re.compile("[.!?。！？؟…](?=\\s|$)|[。！？]")
CJK = re.compile("[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")
PLEASANTRY = re.compile(
    r"^\W*(?:sure|certainly|of course|absolutely|great|good|excellent|happy to|what an?|thank|hi\b|hello|"
    r"no problem|you(?:'re| are)"
    r"|klar|gerne|natürlich|gute|toll|bien sûr|avec plaisir|excellente|très bonne|claro|por supuesto|"
    r"buena|ótim|boa|certo|ottima"
    r"|natuurlijk|goede|oczywiście|świetn|конечно|отличн|звісно|чудов|tabii|elbette|harika|tentu|"
    r"pertanyaan|självklart|bra|jasně"
    r"|samozřejmě|skvěl|chắc chắn|tất nhiên|câu hỏi|当然|好的|很好|もちろん|はい|承知|いい質問|물론|"
    r"좋은|네[,!]|بالتأكيد|بالطبع|سؤال|כמובן|שאלה|ज़रूर|बिल्कुल)",
    re.I,
)
RECAP = re.compile(
    r"\b(?:in (?:short|summary|conclusion)|to (?:sum|recap|summar)|summary|recap|overall|all in all|zusammen|"
    r"fazit|kurz gesagt|en résumé"
    r"|en bref|pour résumer|en resumen|resumiendo|em resumo|resumindo|in sintesi|riassum|samengevat|"
    r"kortom|podsumow|итог|таким образом"
    r"|підсум|özet|kesimpul|singkatnya|sammanfatt|shrnut|tóm lại)|总之|总结|综上|まとめ|要するに|요약|"
    r"정리하면|باختصار|الخلاصة|לסיכום|सारांश|संक्षेप",
    re.I,
)


@dataclass(frozen=True, slots=True)
class ProseFacts:
    """Counts over the prose of one output (code blocks taken out, except `fence` which counts them)."""

    words: int = 0
    sentences: int = 0
    fence3: int = 0
    fence4: int = 0
    bullets: int = 0
    numbered: int = 0
    table_rows: int = 0
    headings: int = 0
    emoji: int = 0
    em_dashes: int = 0
    sources: int = 0
    questions: int = 0
    ends_with_question: int = 0
    preamble: int = 0
    recap: int = 0
    metrics: int = 0


def split_code(text: str) -> tuple[str, list[str], list[int]]:
    """A text's prose, its fenced blocks, and the length of each block's fence. An unclosed fence runs to the end."""
    prose: list[str] = []
    blocks: list[str] = []
    ticks: list[int] = []
    open_fence = ""
    for line in text.split("\n"):
        match = FENCE.match(line)
        mark = match.group(1) if match else ""
        if not open_fence and mark:
            open_fence = mark
            blocks.append("")
            ticks.append(len(mark))
        elif open_fence and mark.startswith(open_fence) and line.strip() == mark:
            open_fence = ""
        elif open_fence:
            blocks[-1] += line + "\n"
        else:
            prose.append(line)
    return "\n".join(prose), blocks, ticks


def word_count(text: str) -> int:
    """Words; for scripts without spaces two characters count as one word."""
    cjk = len(CJK.findall(text))
    return len(CJK.sub(" ", text).split()) + (cjk + 1) // 2


def _last_lines(prose: str) -> str:
    lines = [line for line in prose.split("\n") if line.strip()]
    return "\n".join(lines[-3:]) if len(lines) > 1 else ""


def prose_facts(text: str) -> ProseFacts:
    """The facts of one output."""
    prose, _, ticks = split_code(text)
    stripped = prose.strip()
    return ProseFacts(
        words=word_count(stripped),
        sentences=len(SENTENCE_END.findall(stripped)),
        fence3=sum(count == 3 for count in ticks),
        fence4=sum(count > 3 for count in ticks),
        bullets=len(BULLET.findall(prose)),
        numbered=len(NUMBERED.findall(prose)),
        table_rows=len(TABLE_ROW.findall(prose)) if TABLE_RULE.search(prose) else 0,
        headings=len(HEADING.findall(prose)),
        emoji=len(EMOJI.findall(text)),
        em_dashes=len(EM_DASH.findall(prose)),
        sources=len(SOURCE.findall(prose)),
        questions=len(QUESTION.findall(stripped)),
        ends_with_question=int(bool(QUESTION.match(stripped[-1:]))),
        preamble=int(bool(PLEASANTRY.match(stripped.strip("\"'«»“”„「[")))),
        recap=int(bool(RECAP.search(_last_lines(prose)))),
        metrics=len(METRIC.findall(stripped)),
    )
