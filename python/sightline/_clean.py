"""Leaves secrets out of what is recorded of a program: of its arguments, addresses and variables.

A secret is known by its name (`--token`, `api_key=`), by its place (https://user:password@host) or by its form (ghp_...).
One that has none of these is not found.
"""

import re
from collections.abc import Sequence

HIDDEN = "***"

# The words of a name that make it that of a secret.
_SECRET_WORDS = frozenset(
    "auth authorization apikey bearer cookie cookies credential credentials dsn key passphrase passwd password passwords"
    " pass pat pwd secret secrets sig signature token accesskey secretkey authtoken accesstoken".split()
)

# A name, the sign after it and the value: --token=x, TOKEN=x, "token": "x", ?token=x&, X-Api-Key: x
_NAMED = re.compile(
    r"""(?P<name>[A-Za-z][\w.-]*)(?P<sign>\\?["']?\s*[=:]\s*)(?P<value>\\?"[^"]*"|'[^']*'|[^\s,;&"'}\])]+)"""
)
_SCHEME = re.compile(r"(?i)\b(bearer|basic|digest|token)\s+[\w.~+/=-]{6,}")
_USER_OF_ADDRESS = re.compile(r"(?i)\b([a-z][a-z0-9+.-]*://)[^\s/@]+@")
_FORMS = re.compile(
    r"\b(?:gh[pousr]_\w{16,}|github_pat_\w{16,}|glpat-[\w-]{16,}|hf_[A-Za-z0-9]{16,}|sk-[\w-]{16,}|pypi-[\w-]{16,}"
    r"|npm_[A-Za-z0-9]{16,}|xox[abeoprs]-[\w-]{8,}|A[KS]IA[0-9A-Z]{16}|AIza[\w-]{30,}|ya29\.[\w-]{16,}"
    r"|eyJ[\w-]{8,}\.[\w-]+\.?[\w-]*)"
)
_PRIVATE_KEY = re.compile(
    r"-----BEGIN [A-Z ]*PRIVATE KEY-----.*?(?:-----END [A-Z ]*PRIVATE KEY-----|\Z)", re.S
)


def is_secret_name(name: str) -> bool:
    """Whether what has this name, such as api_key, --hf-token or accessToken, is a secret."""
    words = re.sub(r"([a-z0-9])([A-Z])", r"\1_\2", name)
    return not _SECRET_WORDS.isdisjoint(re.split(r"[^a-z0-9]+", words.lower()))


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
    hides_next = False
    for argument in arguments:
        is_option = argument.startswith("-") and len(argument) > 1
        cleaned.append(HIDDEN if hides_next and not is_option else clean(argument))
        hides_next = is_option and not re.search(r"[=:\s]", argument) and is_secret_name(argument)
    return cleaned


def _hide_named(text: str) -> str:
    cleaned, at = "", 0
    while found := _NAMED.search(text, at):
        if is_secret_name(found["name"]):
            cleaned, at = cleaned + text[at : found.end("sign")] + HIDDEN, found.end()
        else:  # Its value may hold further names.
            cleaned, at = cleaned + text[at : found.end("name")], found.end("name")
    return cleaned + text[at:]
