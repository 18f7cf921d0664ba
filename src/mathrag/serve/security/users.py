"""Who may come in by name: a private TOML file of users, each with a role and a salted hash of the token. Knows no web.

Tokens are made here, never chosen: 32 random bytes cannot be guessed, so one round of a salted hash protects them.
"""

from __future__ import annotations

import contextlib
import hashlib
import hmac
import os
import re
import secrets
import stat
import threading
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from enum import IntEnum
from pathlib import Path
from typing import Any

from mathrag.errors import UsageError

# More is no list of people who share a server, and every token that comes is compared with all of them.
MOST_USERS = 1_000
_LARGEST_FILE = 1024 * 1024
_NAME = re.compile(r"[a-z0-9][a-z0-9_.-]{0,39}")
_HEX = re.compile(r"[0-9a-f]{32,128}")
_HEAD = "# Users of `mathrag serve --users`, written by `mathrag users`. Tokens are not kept, only salted hashes.\n"


class Role(IntEnum):
    """What somebody may do; each may all that the ones before it may."""

    READER = 1
    EDITOR = 2
    OWNER = 3

    @property
    def word(self) -> str:
        """Its name in files, options and sentences."""
        return self.name.lower()


ROLE_WORDS = tuple(role.word for role in Role)


def role_of(word: object) -> Role | None:
    """The role of a name; None where there is none of it."""
    return next((role for role in Role if role.word == word), None)


@dataclass(frozen=True, slots=True)
class User:
    """One user. `hash` is that of the salt and the token."""

    name: str
    role: Role
    salt: str
    hash: str
    created: str = ""

    def has(self, token: str) -> bool:
        """Whether a text is the token, in a time that tells nothing."""
        return hmac.compare_digest(_hashed(self.salt, token), self.hash)


def new_user(name: str, role: Role) -> tuple[User, str]:
    """A user and the token, which is shown once and kept nowhere."""
    if _NAME.fullmatch(name) is None:
        raise UsageError(
            f"{name[:60]!r} is no name for a user: small letters, digits, dots, hyphens and underscores, at most 40"
        )
    token, salt = secrets.token_urlsafe(32), secrets.token_hex(16)
    created = datetime.now(UTC).isoformat(timespec="seconds")
    return User(name, role, salt, _hashed(salt, token), created), token


def _hashed(salt: str, token: str) -> str:
    return hashlib.sha256(f"{salt}:{token}".encode("utf-8", "replace")).hexdigest()


class UsersFile:
    """The users of a file. What is changed in it, by whatever process, holds from the next request on."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._lock = threading.Lock()
        self._known: tuple[tuple[int, ...], dict[str, User]] | None = None

    def users(self) -> Mapping[str, User]:
        """All users by name. `UsageError` where the file is missing, readable by others, or not as it should be."""
        try:
            found = self.path.stat()
        except OSError as error:
            raise UsageError(f"cannot read the users in {self.path}: {error.strerror or error}") from error
        stamp = (found.st_mtime_ns, found.st_size, found.st_ino, found.st_mode)
        with self._lock:
            if self._known is None or self._known[0] != stamp:
                self._known = (stamp, _read(self.path))
            return self._known[1]

    def with_token(self, token: str) -> User | None:
        """Whose token it is. Every user is compared, so that the time does not tell which one it was."""
        found = None
        for user in self.users().values():
            if user.has(token):
                found = user
        return found

    def add(self, name: str, role: Role) -> str:
        """Add a user, making the file where there is none; the token."""
        with self._changing() as users:
            if name in users:
                raise UsageError(f"there is a user {name} already; `mathrag users token {name}` gives a new token")
            if len(users) >= MOST_USERS:
                raise UsageError(f"a file holds {MOST_USERS} users")
            users[name], token = new_user(name, role)
        return token

    def remove(self, name: str) -> None:
        """Take a user out; what the token opened is closed at once."""
        with self._changing() as users:
            self._one(users, name)
            del users[name]

    def renew(self, name: str) -> str:
        """Give a user another token; the one before is worth nothing from now on."""
        with self._changing() as users:
            old = self._one(users, name)
            made, token = new_user(name, old.role)
            users[name] = replace(made, created=old.created)
        return token

    def _one(self, users: Mapping[str, User], name: str) -> User:
        if name not in users:
            raise UsageError(f"there is no user {name[:60]!r} in {self.path}; `mathrag users list` shows all")
        return users[name]

    @contextlib.contextmanager
    def _changing(self) -> Iterator[dict[str, User]]:
        """The users, written back at the end: two changes at once wait for each other."""
        self.path.parent.mkdir(parents=True, exist_ok=True)
        with _locked(self.path.with_name(f".{self.path.name}.lock")):
            users = dict(self.users()) if self.path.exists() else {}
            yield users
            _write(self.path, users)


@contextlib.contextmanager
def _locked(path: Path) -> Iterator[None]:
    number = os.open(path, os.O_CREAT | os.O_RDWR, 0o600)
    try:
        try:
            import fcntl
        except ImportError:
            pass
        else:
            fcntl.flock(number, fcntl.LOCK_EX)
        yield
    finally:
        os.close(number)


def _read(path: Path) -> dict[str, User]:
    with path.open("rb") as file:
        about = os.fstat(file.fileno())
        if os.name == "posix" and stat.S_IMODE(about.st_mode) & 0o077:
            raise UsageError(f"others can read or write {path}; make it private with: chmod 600 {path}")
        if about.st_size > _LARGEST_FILE:
            raise UsageError(f"{path} is too large to be a list of users")
        content = file.read(_LARGEST_FILE + 1)
    try:
        listed = tomllib.loads(content.decode("utf-8")).get("users", {})
    except (ValueError, RecursionError) as error:
        raise UsageError(f"{path} is no TOML: {error}") from error
    if not isinstance(listed, dict) or len(listed) > MOST_USERS:
        raise UsageError(f"{path} has no table `users` of at most {MOST_USERS} users")
    return {name: _user(path, name, fields) for name, fields in listed.items()}


def _user(path: Path, name: str, fields: Any) -> User:
    known = fields if isinstance(fields, dict) else {}
    role, salt, digest = role_of(known.get("role")), known.get("salt"), known.get("hash")
    created = known.get("created", "")
    if _NAME.fullmatch(name) is None or role is None:
        raise UsageError(f"{path}: user {name[:60]!r} has no proper name, or no role of {', '.join(ROLE_WORDS)}")
    if not all(isinstance(each, str) and _HEX.fullmatch(each) for each in (salt, digest)):
        raise UsageError(f"{path}: user {name} has no token; give one with `mathrag users token {name}`")
    return User(name, role, str(salt), str(digest), created if isinstance(created, str) else str(created))


def _write(path: Path, users: Mapping[str, User]) -> None:
    """Write the file anew, whole or not at all, readable by nobody else at any moment."""
    lines = [_HEAD]
    for name, user in sorted(users.items()):
        fields = {"role": user.role.word, "salt": user.salt, "hash": user.hash, "created": user.created}
        # Names and values hold no quotes or backslashes: they were checked when made or read.
        lines.append(f'[users."{name}"]\n' + "".join(f'{key} = "{_plain(value)}"\n' for key, value in fields.items()))
    draft = path.with_name(f".{path.name}.{secrets.token_hex(6)}")
    number = os.open(draft, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600)
    try:
        with os.fdopen(number, "w", encoding="utf-8") as file:
            file.write("\n".join(lines))
            file.flush()
            os.fsync(file.fileno())
        draft.replace(path)
    except BaseException:
        draft.unlink(missing_ok=True)
        raise


def _plain(value: str) -> str:
    return re.sub(r"[^0-9A-Za-z:+.-]", "", value)
