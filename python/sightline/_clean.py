"""Leaves secrets out of what is recorded of a program: of its arguments, addresses and variables.

A secret is known by its name (`--token`, `api_key=`), by its place (https://user:password@host) or by its form (ghp_...).
One that has none of these is not found. Where it is unclear how far a secret goes, more is hidden, not less.

It runs beside a training and holds the interpreter: the time of every pattern grows with the text, not with its square.
"""

import re
from collections.abc import Sequence

HIDDEN = "***"

# The words of a name that make it that of a secret, without the digits behind them.
_SECRET_WORDS = frozenset(
    "auth authorization bearer cookie cookies credential credentials dsn jwt key keys otp pass passcode passphrase"
    " passwords pat pw pwd secrets sig signature".split()
)
# Of a word that is written together, such as hftoken.
_SECRET_ENDS = (
    *("token", "password", "passwd", "secret"),
    *("apikey", "accesskey", "authkey", "privatekey", "secretkey", "sshkey"),
)

# A name, and the sign before its value: --token=x, TOKEN=x, "token": "x", ?token=x&, X-Api-Key: x, --token x
_NAMED = re.compile(
    r"""(?<![\w.-])(?P<name>[\w.-]+)(?P<sign>\\?["']?\s*(?:[=:]+>?|%3[AaDd])\s*|\s+(?![-=:\s]))"""
)
_VALUE = re.compile(
    r"""
    (?: \\"(?:(?!\\").)*(?:\\")? | "(?:\\.|[^"\\])*"? | '(?:\\.|[^'\\])*'? )?  # Quoted; \" is in JSON within a text.
    (?:
      [^\s,;&"'}\])\\]
      | \\.
      | [,;&](?!\s|["']|\Z|[\w.-]+["']?\s*[=:])             # Not before a further name.
      | [}\])](?![\s,;&"'}\])]|\Z)
      | "(?![\s,;&}\])]|\Z)(?:\\.|[^"\\])*"? | '(?![\s,;&}\])]|\Z)(?:\\.|[^'\\])*'?  # A shell joins a"b"'c'.
    )*""",
    re.S | re.X,
)
_BRACKETS = re.compile(
    r""""(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'|(?P<open>[\[{(])|(?P<close>[\])}])""", re.S
)
# The values of these have blanks and several parts.
_HEADER = re.compile(r"(?i)(?:proxy-)?authorization|(?:set-)?cookie")
_LINE = re.compile(r"[^\r\n]*")
# An argument that begins with a name: it is the value to its end. After -c it is a script, whose other words stay.
_ARGUMENT = re.compile(r"(?P<name>[-+\w.]+)\s*[=:]\s*(?=.)", re.S)
_BEFORE_SCRIPTS = ("-c", "-lc", "-ec")
# Rather than an option: a token of base64 may begin with a dash.
_MAY_BE_SECRET = re.compile(r"-[^-].{7}")
_SCHEME = re.compile(r"(?i)\b(bearer|basic|digest|token)\s+[\w.~+/=-]{6,}")
_USER_OF_ADDRESS = re.compile(
    r"(?i)([a-z][a-z0-9+.-]{0,30}://)(?:[^\s/]*@|[^\s/@:]*:(?!\d+(?:[/?#\s]|\Z))[^\s@]{1,200}@)"
)
_FORMS = re.compile(
    r"(?<![A-Za-z0-9])(?:gh[pousr]_\w{16,}|github_pat_\w{16,}|gl(?:pat|rt|dt|cbt|ptt|ft|soat)-[\w-]{16,}|hf_[A-Za-z0-9]{16,}"
    r"|sk-[\w-]{16,}|[rs]k_(?:live|test)_\w{16,}|pypi-[\w-]{16,}|npm_[A-Za-z0-9]{16,}|dckr_pat_[\w-]{16,}"
    r"|xox[a-z]-[\w-]{8,}|xapp-[\w-]{8,}|A[KS]IA[0-9A-Z]{16}|AIza[\w-]{30,}|ya29\.[\w-]{16,}|GOCSPX-[\w-]{16,}"
    r"|nvapi-[\w-]{16,}|wandb_v1_\w{16,}|gsk_\w{16,}|r8_\w{16,}|dapi[0-9a-f]{32}|SG\.[\w-]{16,}\.[\w-]{16,}"
    r"|eyJ[\w-]{16,}[\w.=-]*)"
    r"|(?<=hooks\.slack\.com/)[^\s\"']+|(?<=/api/webhooks/)[^\s\"']+|(?<=/webhookb2/)[^\s\"']+"
)
_PRIVATE_KEY = re.compile(
    r"-----BEGIN [A-Z ]*PRIVATE KEY(?: BLOCK)?-----.*?(?:-----END [A-Z ]*PRIVATE KEY(?: BLOCK)?-----|\Z)",
    re.S,
)


def is_secret_name(name: str) -> bool:
    """Whether what has this name, such as api_key, --hf-token, HFToken or accessToken2, is a secret."""
    parts = re.sub(r"([a-z0-9])([A-Z])", r"\1_\2", re.sub(r"([A-Z])([A-Z][a-z])", r"\1_\2", name))
    words = [word.rstrip("0123456789") for word in re.split(r"[^a-z0-9]+", parts.lower())]
    return any(word in _SECRET_WORDS or word.endswith(_SECRET_ENDS) for word in words)


def clean(text: str) -> str:
    """The text with each secret in it replaced by ***."""
    text = _PRIVATE_KEY.sub(HIDDEN, text)
    text = _SCHEME.sub(rf"\1 {HIDDEN}", text)
    text = _USER_OF_ADDRESS.sub(rf"\1{HIDDEN}@", text)
    text = _FORMS.sub(HIDDEN, text)
    return _hide_named(text)


def clean_arguments(arguments: Sequence[str]) -> list[str]:
    """The arguments of a command, without the secrets in them and those that an option before them names."""
    cleaned: list[str] = []
    hides_next = is_script = False
    for argument in arguments:
        is_option = argument.startswith("-") and len(argument) > 1
        begins = None if is_script else _ARGUMENT.match(argument)
        if hides_next and (not is_option or _MAY_BE_SECRET.match(argument)):
            cleaned.append(HIDDEN)
        elif begins and is_secret_name(begins["name"]):  # No sign in it ends its value.
            cleaned.append(begins[0] + HIDDEN)
        else:
            cleaned.append(clean(argument))
        hides_next = is_option and not re.search(r"[=:\s]", argument) and is_secret_name(argument)
        is_script = argument in _BEFORE_SCRIPTS
    return cleaned


def _hide_named(text: str) -> str:
    cleaned: list[str] = []
    at = 0
    while found := _NAMED.search(text, at):
        name, sign = found["name"], found["sign"]
        begin = end = found.end()
        if is_secret_name(name) and (name.startswith("-") or not sign.isspace()):
            end = _end_of_value(text, name, begin)
        if end > begin:
            cleaned += text[at:begin], HIDDEN
        else:  # What is no secret may hold further names.
            end = found.end("name")
            cleaned.append(text[at:end])
        at = end
    return "".join([*cleaned, text[at:]])


def _end_of_value(text: str, name: str, begin: int) -> int:
    if text[begin : begin + 1] in {"[", "{", "("} and not _HEADER.fullmatch(name):
        return _end_of_brackets(text, begin)
    found = (_LINE if _HEADER.fullmatch(name) else _VALUE).match(text, begin)
    return found.end() if found else begin


def _end_of_brackets(text: str, begin: int) -> int:
    depth = 0
    for part in _BRACKETS.finditer(text, begin):
        depth += bool(part["open"]) - bool(part["close"])
        if depth == 0:
            return part.end()
    return len(text)
