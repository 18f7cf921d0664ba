"""Files that are not what they say, or that grow when they are unpacked: refused, or read without harm."""

from __future__ import annotations

import io
import json
import stat
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from serve_makers import QUESTION, client_of, wait_for
from starlette.testclient import TestClient

from hand_written_pdf import lines_down_a_page, pdf_bytes
from thinned import thinned

API = "/api/v1"
pytestmark = pytest.mark.slow
WORD = "application/vnd.openxmlformats-officedocument.wordprocessingml.document"
CONTAINER = (
    '<?xml version="1.0"?><container version="1.0" xmlns="urn:oasis:names:tc:opendocument:xmlns:container">'
    '<rootfiles><rootfile full-path="b.opf" media-type="application/oebps-package+xml"/></rootfiles></container>'
)
LAUGHS = (
    '<?xml version="1.0"?><!DOCTYPE x [<!ENTITY a "aaaaaaaaaa">'
    + "".join(f'<!ENTITY {after} "{f"&{before};" * 10}">' for before, after in zip("abcdefgh", "bcdefghi", strict=True))
    + ']><w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><w:body><w:p><w:r>'
    "<w:t>&i;</w:t></w:r></w:p></w:body></w:document>"
)
STRANGER = (
    '<?xml version="1.0"?><!DOCTYPE x [<!ENTITY a SYSTEM "file:///etc/passwd">]>'
    '<w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><w:body><w:p><w:r>'
    "<w:t>&a;</w:t></w:r></w:p></w:body></w:document>"
)


def _packed(entries: dict[str, bytes], *, first: str = "", blank_megabytes: int = 0) -> bytes:
    """An archive; `first` is what some formats have as their first, unpacked entry. The last entry may be a bomb."""
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as archive:
        if first:
            archive.writestr(zipfile.ZipInfo("mimetype"), first)
        for name, content in entries.items():
            with archive.open(name, "w") as entry:
                entry.write(content)
                # Blanks after the content: what a bomb is made of.
                for _ in range(blank_megabytes if name == next(reversed(entries)) else 0):
                    entry.write(b" " * 1_000_000)
    return made.getvalue()


def _word(document: bytes, more: dict[str, bytes] | None = None, *, blank_megabytes: int = 0) -> bytes:
    types = (
        '<?xml version="1.0"?><Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">'
        f'<Override PartName="/word/document.xml" ContentType="{WORD}.main+xml"/></Types>'
    ).encode()
    entries = {"[Content_Types].xml": types, "word/document.xml": document, **(more or {})}
    return _packed(entries, blank_megabytes=blank_megabytes)


def _book(entries: dict[str, bytes], *, blank_megabytes: int = 0) -> bytes:
    whole = {"META-INF/container.xml": CONTAINER.encode(), **entries}
    return _packed(whole, first="application/epub+zip", blank_megabytes=blank_megabytes)


def _with_link() -> bytes:
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w") as archive:
        archive.writestr(zipfile.ZipInfo("mimetype"), "application/epub+zip")
        archive.writestr("META-INF/container.xml", CONTAINER)
        link = zipfile.ZipInfo("b.opf")
        link.external_attr = (stat.S_IFLNK | 0o777) << 16
        archive.writestr(link, "/etc/passwd")
    return made.getvalue()


PDF = pdf_bytes(lines_down_a_page("Notes", "E = m c^2"))
# Made when they are sent: some are large for a moment.
HOSTILE: dict[str, Callable[[], bytes]] = {
    "bomb.docx": lambda: _word(b"<w>", blank_megabytes=400),
    "laughs.docx": lambda: _word(LAUGHS.encode()),
    "stranger.docx": lambda: _word(STRANGER.encode()),
    "many.docx": lambda: _word(b"<w/>", {f"word/media/{number}.png": b"" for number in range(20_000)}),
    "climbing.docx": lambda: _word(b"<w/>", {"../../../escaped.txt": b"escaped", "/escaped.txt": b"escaped"}),
    "bomb.epub": lambda: _book({"b.opf": b"<package>"}, blank_megabytes=400),
    "climbing.epub": lambda: _book({"../../escaped.txt": b"escaped"}),
    "link.epub": _with_link,
    "nested.docx": lambda: _word(_packed({"again.zip": _packed({"zeros": b""}, blank_megabytes=50)})),
    "polyglot.pdf": lambda: b"MZ\x90\x00" + bytes(60) + PDF,
    "both.pdf": lambda: PDF + _packed({"x.txt": b"x"}),
    "page.pdf": lambda: b"%PDF-1.4\n<html><script>alert(1)</script></html>",
    "notes.html": lambda: b"MZ<script>alert(1)</script>" * 100,
    "deep.ipynb": lambda: b'{"cells": ' + b"[" * 100_000,
    "wide.md": lambda: b"$" * 500_000,
    "dark.txt": lambda: b"\xff\xfe" + "E = m c^2\n".encode("utf-16-le"),
}


@pytest.fixture(scope="module")
def reading(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[TestClient, Path]]:
    folder = tmp_path_factory.mktemp("uploads")
    with client_of(folder / "library") as client:
        yield client, folder


@pytest.mark.parametrize("name", thinned(list(HOSTILE), 4, pytest.mark.soak))
def test_a_hostile_file_is_refused_or_read_without_harm(reading: tuple[TestClient, Path], name: str) -> None:
    client, folder = reading
    reply = client.post(f"{API}/jobs/uploads", files=[("files", (name, HOSTILE[name]()))])
    assert reply.status_code in (202, 415, 422), reply.text
    if reply.status_code == 202:
        job = _done(client, reply.json()["id"])
        assert job["state"] == "done", job
        (file,) = job["report"]["files"]
        assert file["state"] in ("added", "failed"), file
        assert "/etc" not in json.dumps(job)
        assert str(folder) not in json.dumps(job)
        assert "Traceback" not in json.dumps(job)
    assert not list(folder.rglob("*escaped*"))
    assert sorted(path.name for path in folder.iterdir()) == ["library"]
    found = client.get(f"{API}/search", params={"q": "root daemon nologin"}).text
    assert "root:x:0" not in found
    assert client.get("/healthz").status_code == 200


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("report.pdf", b"MZ\x90\x00\x03" + bytes(500)), ("report.pdf", b"\x7fELF\x02\x01\x01" + bytes(500)),
        ("report.docx", _packed({"evil.exe": b"MZ"})), ("report.md", b"PK\x03\x04" + bytes(500)),
        ("report.html", b"\x00asm\x01\x00\x00\x00" + bytes(500)), ("report.txt", b"\xca\xfe\xba\xbe" + bytes(500)),
        ("report.tar.gz", b"\x1f\x8b\x08" + bytes(500)), ("report.7z", b"7z\xbc\xaf\x27\x1c" + bytes(500)),
        ("report.md", b"\x89HDF\r\n\x1a\n" + bytes(500)), ("report.svg", b"\x00" * 5_000),
    ],
    ids=lambda value: value if isinstance(value, str) else repr(value[:4]),
)  # fmt: skip
def test_the_content_decides_and_not_the_name(reading: tuple[TestClient, Path], name: str, content: bytes) -> None:
    client, folder = reading
    before = client.get(f"{API}/jobs").json()["total"]
    reply = client.post(f"{API}/jobs/uploads", files=[("files", (name, content))])
    assert reply.status_code == 415, reply.text
    assert client.get(f"{API}/jobs").json()["total"] == before
    assert not (folder / "library" / "uploads" / name).exists()


@pytest.mark.parametrize(
    "name",
    thinned(
        ["../../../escaped.md", "/escaped.md", "..\\..\\escaped.md", "C:\\escaped.md", "x/../../escaped.md",
         "....//escaped.md", "%2e%2e%2fescaped.md", "uploads/.incoming/escaped.md", "~/escaped.md",
         "\u2215..\u2215escaped.md"],
        3, pytest.mark.soak,
    ),
)  # fmt: skip
def test_no_name_leads_out_of_the_folder(reading: tuple[TestClient, Path], name: str) -> None:
    client, folder = reading
    text = b"# Notes\n\nNothing to compute here.\n"
    reply = client.post(f"{API}/jobs/uploads", files=[("files", (name, text))])
    assert reply.status_code == 202
    (kept,) = reply.json()["names"]
    assert kept == Path(kept).name
    assert (folder / "library" / "uploads" / kept).read_bytes() == text
    assert not [path for path in folder.rglob("*escaped*") if path.parent != folder / "library" / "uploads"]
    _done(client, reply.json()["id"])


def test_the_server_still_answers(reading: tuple[TestClient, Path]) -> None:
    client, _ = reading
    text = rb"# N\n\n## Kinetic energy\n\n$$E_k = \frac{1}{2} m v^2$$\n".replace(rb"\n", b"\n")
    text += b"\nwhere $E_k$ is the kinetic energy in J, $m$ is the mass in kg and $v$ is the speed in m/s.\n"
    reply = client.post(f"{API}/jobs/uploads", files=[("files", ("good.md", text))])
    assert _done(client, reply.json()["id"])["report"]["files"][0]["state"] == "added"
    assert client.post(f"{API}/ask", json={"question": QUESTION}).json()["value"] == 9


def _done(client: TestClient, job: str) -> dict[str, Any]:
    def over() -> dict[str, Any] | None:
        found: dict[str, Any] = client.get(f"{API}/jobs/{job}").json()
        return found if found["state"] in ("done", "failed", "cancelled") else None

    return wait_for(over, seconds=180, what="the end of the job")
