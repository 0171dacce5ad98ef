"""Words by which a person introduces what is not theirs, in the languages people write to assistants in.

These lists are language, not data: reporting verbs, mail headers, sign-offs, names of documents, and what one asks
to be done with a text. A word more costs little, a word less lets a stranger's rule pass for the person's.
"""

import re


def _any(*alternatives: str) -> re.Pattern[str]:
    return re.compile("|".join(alternatives), re.IGNORECASE)


_REPORTING = (
    r"(?:says?|said|saying|wrote|writes|written|tells?|told|reads?|states?|stated|claims?|claimed|asks|asked|found|"
    r"quotes?|quoted|comments?|commented|replied|answered|according to|insists?|demands?|posted|goes|like[ds]?|"
    r"steht|stand|sagte?|schrieb|schreibt|meinte?|heißt|laut|fordert|"
    r"dit|disait|écrit|a écrit|répond|demande|selon|lit|"
    r"dice|dijo|escribió|escribe|pone|según|pide|dicen|dijeron|"
    r"diz|disse|escreveu|escreve|segundo|pede|dizem|"
    r"dice|disse|scrive|scritto|secondo|chiede|dicono|"
    r"staat|zegt|zei|schreef|schrijft|volgens|säger|sa|skrev|skriver|siger|sagde|sier|"
    r"mówi|powiedział|powiedziała|napisał|napisała|pisze|powtarza|według|jest|říká|řekl|napsal|píše|"
    r"сказал|сказала|говорит|пишет|написал|написала|написано|каже|пише|сказав|написав|"
    r"diyor|dedi|yazdı|yazıyor|bilang|menulis|nói|viết|"
    r"katanya|said|shouted|whispered)"
)
REPORTED_BEFORE = _any(
    rf"\b{_REPORTING}\b[^.!?\n]{{0,30}}\Z",
    r"(?:说|說|写道|寫道|写着|要求|规定|表示|称|と言|と書|によると|曰く|라고|에 따르면|قال|كتب|يقول|כתב|אמר|कहा|लिखा)[^。！？\n]{0,12}\Z",
)
"""Before a quotation: someone says or writes it, or something holds it."""
REPORTED_AFTER = _any(
    rf"[\s,]*(?:\w+\s+)?{_REPORTING}\b",
    r"[\s,，、]*(?:と言|と書|という(?:ルール|規則)|라고|这是|這是|他说|她说)",
)
SELF_REPORTED = _any(
    r"\b(?:I|i've|i)\s+(?:say|said|write|wrote|type|typed|mean|meant|ask|asked|tell|told)(?:\s+you)?\W*\Z",
    r"\b(?:ich (?:sage|sagte|schreibe|meine)|je (?:dis|disais|veux dire)|(?:yo )?(?:digo|dije)|eu (?:digo|disse))\W*\Z",
    r"(?:我说|我說|我写|私が言|내가 말)\W*\Z",
)
"""Before a quotation: the person quotes themselves."""

MAIL_FROM = _any(
    r"\W{0,4}(?:from|von|de|da|van|от|од|від|od|fra|från|lähettäjä|gönderen|kimden|发件人|寄件者|寄件人|差出人|送信者|"
    r"보낸 ?사람|발신|من|מאת|प्रेषक|dari|từ)\s*\*{0,2}\s*[:：]\s*\*{0,2}\s*\S"
)
MAIL_HEADER = _any(
    MAIL_FROM.pattern,
    r"\W{0,4}(?:to|cc|bcc|subject|date|sent|reply-to|an|betreff|datum|gesendet|à|objet|envoyé|date|para|asunto|enviado|"
    r"fecha|assunto|data|enviada em|a|oggetto|inviato|aan|onderwerp|verzonden|till|ämne|til|emne|do|temat|wysłano|komu|"
    r"předmět|кому|тема|дата|отправлено|kime|konu|收件人|主题|主旨|日期|時間|宛先|件名|日時|받는 ?사람|제목|날짜|إلى|الموضوع|"
    r"התאריך|נושא|सेवा में|विषय|kepada|perihal|chủ đề)\s*\*{0,2}\s*[:：]\s*\*{0,2}\s*\S",
)
MAIL_INTRO = _any(
    r"\s*-{3,}\s*(?:original|forwarded|ursprüngliche|weitergeleitete|message d|mensaje|mensagem|messaggio|oorspronkelijk|"
    r"исходное|пересылаемое|原始邮件|转发|元のメッセージ|원본)[^\n]{0,40}",
    r"\s*begin forwarded message",
    r"\s*on [^\n]{4,200} wrote:\s*\Z",
    r"\s*am [^\n]{4,200} schrieb[^\n]{0,80}:\s*\Z",
    r"\s*le [^\n]{4,200} a écrit\s*:\s*\Z",
    r"\s*el [^\n]{4,200} escribió\s*:\s*\Z",
    r"\s*em [^\n]{4,200} escreveu\s*:\s*\Z",
    r"\s*il [^\n]{4,200} ha scritto\s*:\s*\Z",
    r"\s*op [^\n]{4,200} schreef[^\n]{0,80}:\s*\Z",
    r"\s*[^\n]{4,200} (?:написал|написала|пишет|написав)[^\n]{0,40}:\s*\Z",
    r"\s*[^\n]{4,200}(?:写道|寫道|のメール|作成)\s*[:：]\s*\Z",
)
SIGN_OFF = _any(
    r"\s*(?:(?:with )?(?:best|kind|warm|many|kindest|warmest)(?: (?:regards|wishes|thanks))?|regards|sincerely|"
    r"yours (?:sincerely|faithfully|truly)|yours|cheers|thanks(?: again| so much| a lot)?|thank you|all the best|love|"
    r"mit (?:freundlichen|besten|herzlichen) grüßen|(?:viele|beste|liebe|schöne|herzliche) grüße|mfg|lg|vg|gruß|"
    r"cordialement|bien (?:cordialement|à vous)|sincères salutations|bises|à bientôt|"
    r"(?:un )?saludos?(?: cordiales?)?|atentamente|un abrazo|abraços?|atenciosamente|att|cumprimentos|"
    r"cordiali saluti|distinti saluti|un saluto|a presto|met vriendelijke groet(?:en)?|groeten?|"
    r"(?:med )?vänliga hälsningar|mvh|med venlig hilsen|pozdrawiam|z poważaniem|s pozdravem|"
    r"с уважением|з повагою|saygılarımla|salam|trân trọng)[,.!]?\s*\Z",
    r"\s*(?:此致|敬礼|祝好|敬具|よろしくお願い(?:いた)?します。?|감사합니다\.?|드림|مع (?:تحياتي|أطيب التحيات)|בברכה|सादर|भवदीय)\s*[,，、]?\s*\Z",
    r"--\s?\Z",
)

FOR_MACHINES = _any(
    r"\b(?:the|this|that|your) users?\b|\bon behalf of\b.{0,20}\buser\b|\buser (?:preferences?|prefers|wants|likes)\b",
    r"\b(?:note|message|instructions?|hint|notice|reminder|request)s?\b.{0,24}\b(?:a\.?i\.?|assistants?|agents?|llms?|bots?|"
    r"models?|chatgpt|copilot|claude|gemini|gpt)\b",
    r"(?:^|\n)\W*(?:dear |hey |hi |hello |to (?:the |any )?)?(?:a\.?i\.?|assistants?|agents?|llms?|chatbots?|system|coding agent)\b"
    r"[^\n]{0,30}[:,]",
    r"\bif you(?:'re| are)? (?:an? |use an? )?(?:a\.?i\.?|assistant|llm|language model|agent)\b",
    r"\bsystem (?:override|prompt|note|message)\b|\bignore (?:all |any )?(?:previous|prior|the above)\b|\blong-term memory\b",
    r"\b(?:die|eine|jede|alle) ki\b|\bki[- ](?:assistent|modell)|\bassistent(?:en|in|innen)?\b|\bde[rsmn] nutzers?\b|\bdieser nutzer\b",
    r"\bl[’']?(?:ia|assistant|utilisateur|utilisatrice)\b|\bassistants? (?:ia|d’ia|d'ia)\b|\bcet utilisateur\b",
    r"\b(?:el|este|la) usuari[oa]\b|\b(?:asistentes?|agentes?) (?:de )?ia\b|\bla ia\b|\bo (?:usuário|utilizador)\b|\bassistentes? de ia\b",
    r"\bl[’']?utente\b|\bassistent[ei] (?:ia|ai)\b|\bde gebruiker\b|\banvändaren\b|\bbrugeren\b|\bużytkownik|\buživatel",
    r"пользовател|користувач|ассистент|ассистенту|помощник[ау]? ии|\bии\b|\bші\b|\bkullanıcı|\bpengguna\b|người dùng",
    r"用户|用戶|使用者|助手|人工智能|ユーザー|アシスタント|사용자|어시스턴트|المستخدم|المساعد|למשתמש|המשתמש|העוזר|उपयोगकर्ता|सहायक",
)
"""Talk about 'the user', or to an assistant as such: in what a person shows, never of the person themselves."""

OWN_RULES = _any(
    r"\b(?:my|our) (?:own |personal |usual |standing )?(?:\d+ |few |two |three )?(?:rules?|preferences?|prefs|habits?|defaults?|wishes|ways?|style)\b",
    r"\b(?:house|ground|basic) rules?\b|\b(?:rules?|notes?|reminders?|guidelines?|instructions?|preferences?) for you\b",
    r"\bhow i (?:like|want|prefer|work|need)\b|\b(?:i|i'd) (?:always |generally |usually )?(?:want|need|like|prefer|expect|rather)\b",
    r"\b(?:from now on|going forward|in general|as a rule|always|every time|whenever you|when you (?:write|answer|reply|code|work))\b",
    r"\b(?:please )?(?:follow|stick to|respect|obey|keep to|remember|note) (?:these|this|the following|a few)\b|\bwith me\b|\bfor me\b",
    r"\b(?:two|three|four|five|\d+|a few|some|several) (?:things|rules|points|wishes|requests|notes|remarks)\b",
    r"\b(?:meine|unsere) (?:\w+ )?(?:regeln|vorlieben|wünsche)\b|\bfür mich\b|\bab (?:jetzt|sofort)\b|\bimmer\b|\bgrundsätzlich\b|\bich (?:will|möchte|mag|brauche)\b",
    r"\bmes (?:règles|préférences|habitudes)\b|\bdésormais\b|\btoujours\b|\bje (?:veux|préfère|souhaite)\b|\bpour moi\b",
    r"\bmis (?:reglas|preferencias|normas)\b|\ba partir de ahora\b|\bsiempre\b|\b(?:quiero|prefiero)\b|\bpara mí\b|\bconmigo\b",
    r"\bminhas (?:regras|preferências)\b|\ba partir de agora\b|\bsempre\b|\b(?:quero|prefiro)\b|\bcomigo\b",
    r"\ble mie (?:regole|preferenze)\b|\bd[’']ora in poi\b|\bsempre\b|\b(?:voglio|preferisco)\b|\bcon me\b",
    r"\bmijn (?:regels|voorkeuren)\b|\bvoortaan\b|\baltijd\b|\bмои (?:правила|предпочтения)\b|\bвсегда\b|\bотныне\b|\bmoje (?:zasady|preferencje)\b|\bzawsze\b",
    r"我的(?:规则|习惯|偏好|要求)|以后|每次|总是|一律|今後|いつも|常に|私の(?:ルール|好み)|앞으로|항상|내 (?:규칙|취향)|دائما|قواعدي|हमेशा|मेरे नियम",
)
"""In the line before a list: the rules that follow are the person's own."""

MATERIAL = _any(
    r"\b(?:translate|summari[sz]e|convert|proofread|re-?write|reword|rephrase|paraphrase|shorten|simplify|explain|review|check|"
    r"fix|correct|edit|improve|polish|reply|respond|decline|extract|classify|analy[sz]e|compare|refactor|optimi[sz]e|debug|"
    r"reformat|transcribe|parse|rate|grade|interpret|decode|clean up|make sense|turn (?:this|these|it|the|that)|"
    r"answer (?:this|these|him|her|them|it)|what (?:do|does|did|is|are|should)|what's|whats|why (?:does|do|is|did)|is (?:this|that|it)|"
    r"are (?:these|those)|which of|draft|write (?:back|a reply|an answer|the release))\b",
    r"\b(?:readme|docs?|documents?|documentation|articles?|e-?mails?|mails?|letters?|messages?|memos?|minutes|tickets?|issues?|"
    r"specs?|guides?|guidelines?|polic(?:y|ies)|logs?|outputs?|errors?|traces?|configs?|files?|pages?|posts?|reviews?|comments?|"
    r"threads?|transcripts?|chats?|contracts?|clauses?|paragraphs?|texts?|snippets?|scripts?|quer(?:y|ies)|templates?|prompts?|"
    r"notes from|code|functions?|yaml|json|xml|html|css|csv|sql|diff|wiki|forum|ad|advert|listing|brief|newsletter|slides?|"
    r"strings?|quotes?|lyrics|poem|story|essay|abstract|report|manual|handbook|instructions|ingredients|recipe)\b",
    r"\b(?:(?:got|received|found) (?:this|these|it)|sent (?:me|us)|forwarded|pasted?|copied|attached|here(?:'s| is| are| comes)|below|"
    r"the following|from (?:the|our|my|a) (?:\w+ )?(?:boss|client|customer|vendor|supplier|colleague|team|manager|lead|hr|landlord|bank|lawyer|school))\b",
    r"\b(?:übersetze?n?|fass|zusammen(?:fassen)?|korrigiere?n?|kürze?n?|erkläre?n?|prüfe?n?|umformulieren|antworte?n?|wandle|verbessere?n?|"
    r"was (?:bedeutet|heißt|soll|will|wollen)|dokument|brief|e-?mail|nachricht|protokoll|text|vertrag|artikel|richtlinie|anleitung|log|ausgabe|"
    r"hier (?:ist|sind|kommt)|bekommen|geschickt|folgende[rsnm]?)\b",
    r"\b(?:traduis|traduire|traduisez|résume[rz]?|corrige[rz]?|reformule[rz]?|explique[rz]?|réponds|répondre|améliore[rz]?|que (?:veut|veulent|signifie)|"
    r"document|lettre|courriel|mail|message|compte[- ]rendu|article|contrat|consigne|énoncé|texte|journal|voici|reçu|suivante?s?|ci-dessous)\b",
    r"\b(?:traduce|traducir|resume|resumir|corrige|corregir|reescribe|explica|responde|mejora|qué (?:significa|quiere|quieren|piden|dice)|documento|carta|"
    r"correo|mensaje|acta|artículo|contrato|guía|texto|registro|aquí (?:está|va|tienes)|recibí|llegado|mandado|siguientes?)\b",
    r"\b(?:traduza|traduz|resuma|resume|corrija|reescreva|explique|explica|responda|melhore|o que (?:significa|quer|querem)|e-?mail|ata|artigo|contrato|"
    r"aqui (?:está|vai)|recebi|seguintes?|traduci|riassumi|correggi|riscrivi|spiega|rispondi|cosa (?:significa|vuole|vogliono)|lettera|verbale|articolo|"
    r"contratto|testo|ecco|ricevuto|seguenti?)\b",
    r"\b(?:vertaal|vat|leg uit|herschrijf|verbeter|bericht|brief|tekst|översätt|sammanfatta|förklara|oversæt|przetłumacz|streść|popraw|wyjaśnij|"
    r"przelož|vysvětli|açıkla|düzelt|çevir|terjemahkan|jelaskan|dịch|giải thích)\b",
    r"перевед|переклад|резюмируй|сократи|исправь|объясни|ответь на|письмо|документ|статья|текст|лог|вот |получил|следующ|перекажи|поясни",
    r"翻译|翻譯|总结|總結|概括|解释|解釋|修改|润色|改写|回复|回覆|什么意思|什麼意思|报错|報錯|日志|文档|文檔|邮件|郵件|文章|合同|原文|如下|收到|訳して|翻訳|要約|説明して|直して|"
    r"添削|意味|メール|文書|次の|以下|번역|요약|설명|고쳐|맞춤법|메일|문서|다음|로그|뜻|ترجم|لخص|لخّص|اشرح|صحح|رسالة|النص|תרגם|סכם|הסבר|अनुवाद|सारांश|समझाओ|ईमेल",
)
"""In the line before a block: the block is something to work on, or something that came from elsewhere."""

ASKING = _any(
    r"[?？؟]\s*\Z",
    r"\s*(?:and|so|but|also|then|now|ok(?:ay)?|please|pls|can you|could you|would you|i |i'm|i'd|my |make |keep |write |give |tell |"
    r"thanks|thx|don't|do not|just|only|use |draft |answer |reply |und |also |bitte |kannst |ich |et |donc |merci|je |y |por favor|puedes |"
    r"e |por favor|pode |puoi |per favore|и |а |пожалуйста|请|麻烦|帮我|お願い|해 ?줘|من فضلك)",
)
"""The start or end of a paragraph in which a person, after what they pasted, asks for something."""
