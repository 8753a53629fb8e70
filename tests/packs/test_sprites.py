"""Sprites as data: every shipped one is sound, and a broken one says where."""

import pytest

from evalforge.packs.locations import shipped_sprites
from evalforge.packs.sprites import ACCENTS, CLEAR, SpriteError, load_sprite, parse_sprite

SOUND = "size 2x2\npalette\n  k #0d0a09 soot\n  a accent\nframe idle.1\n 0 k.\n 1 .a\nframe hurt.1 = idle.1\n 1 aa\n"


@pytest.mark.parametrize("path", sorted(shipped_sprites().glob("*.sprite")), ids=lambda path: path.stem)
def test_every_shipped_sprite_is_sound(path: object) -> None:
    sprite = parse_sprite(path.read_text("utf-8"))
    for rows in sprite.frames.values():
        assert len(rows) == sprite.height
        assert {len(row) for row in rows} == {sprite.width}
        assert set("".join(rows)) <= {*sprite.palette, CLEAR}


def test_a_frame_like_another_names_only_what_differs() -> None:
    sprite = parse_sprite(SOUND)
    assert sprite.frame("hurt", 0) == ("k.", "aa")
    assert sprite.frame("defeated", 3) == sprite.frame("idle", 0) == ("k.", ".a")
    assert sprite.palette["a"] in ACCENTS


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ("size 2x2", "size 2x3", "line 1"),
        ("frame hurt.1", "size 4x4\nframe hurt.1", "line 8: a sprite has one size"),
        ("#0d0a09", "url(#x)", "line 3: .* neither #rrggbb nor accent"),
        (" 0 k.", " 0 k..", "line 6"),
        (" 0 k.", " 0 kz", "line 6"),
        (" 1 .a", " 9 .a", "line 7: row 9 is beyond the height of 2"),
        (" 1 .a", " -1 .a", "line 7: a row is its number"),
        ("= idle.1", "= gone.1", "line 8"),
        ("idle.1", "hurt.2", "needs a frame called idle.1|line 8"),
    ],
)
def test_a_broken_sprite_says_where(old: str, new: str, words: str) -> None:
    with pytest.raises(SpriteError, match=words):
        parse_sprite(SOUND.replace(old, new))


@pytest.mark.parametrize("name", ["", "../../etc/passwd", "no-such-sprite", "UPPER"])
def test_whoever_has_no_sprite_is_unknown(name: str) -> None:
    assert load_sprite(name) == load_sprite("unknown")
