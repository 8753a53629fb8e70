"""Sprites: every shipped one is whole, and a broken one is never more than a missing picture."""

import pytest

from evalforge.app.ui.theme.look import Look
from evalforge.app.ui.theme.sprite_strips import FRAMES, strips
from evalforge.app.ui.theme.themes import PALETTES
from evalforge.packs.locations import shipped_sprites
from evalforge.packs.sprites import SpriteError, load_sprite, parse_sprite

SHIPPED = sorted(path.stem for path in shipped_sprites().glob("*.sprite"))
WHOLE = "size 2x2\npalette\n  a #ffffff snow\nframe idle.1\n 0 a.\n 1 .a\n"


@pytest.mark.parametrize("name", SHIPPED)
def test_a_shipped_sprite_has_every_frame_in_the_house_format(name):
    sprite = parse_sprite((shipped_sprites() / f"{name}.sprite").read_text("utf-8"))
    assert 32 <= sprite.width <= 40
    assert 24 <= sprite.height <= 32
    assert 8 <= len(sprite.palette) <= 12
    assert set(sprite.frames) == {f"{mood}.{i}" for mood, count in FRAMES.items() for i in range(1, count + 1)}


@pytest.mark.parametrize("name", SHIPPED)
@pytest.mark.parametrize("mood", FRAMES)
def test_every_frame_is_drawn_in_full_width(name, mood):
    for number in range(FRAMES[mood]):
        drawn = strips(name, None, mood, number, "#d9822b", 0, Look())
        assert len(drawn) == load_sprite(name).height // 2
        assert {strip.cell_length for strip in drawn} == {load_sprite(name).width}


def test_a_frame_like_another_names_only_its_own_rows():
    sprite = parse_sprite(f"{WHOLE}frame idle.2 = idle.1\n 1 aa\n")
    assert sprite.frames["idle.2"] == ("a.", "aa")


@pytest.mark.parametrize(
    ("text", "line"),
    [
        (WHOLE.replace(" 1 .a", " 1 .aa"), "line 6"),
        (WHOLE.replace(" 1 .a", " 1 .b"), "line 6"),
        (WHOLE.replace("#ffffff", "#ggg"), "line 3"),
        ("size 2x3\n", "line 1"),
        ("size 200x200\n", "line 1"),
        ("size two\n", "line 1"),
        ("palette\nframe idle.1 = nothing\n", "line 2"),
    ],
)
def test_a_broken_file_says_where(text, line):
    with pytest.raises(SpriteError, match=line):
        parse_sprite(text)


def test_a_sprite_without_an_idle_frame_is_refused():
    with pytest.raises(SpriteError, match=r"idle\.1"):
        parse_sprite("size 2x2\npalette\n  a #ffffff\n")


@pytest.mark.parametrize("name", ["nobody", "../../etc/passwd", "", "a b"])
def test_a_boss_without_a_sprite_gets_the_unknown_one(name):
    assert load_sprite(name) == load_sprite("unknown")


def test_a_pack_brings_its_own(tmp_path):
    (tmp_path / "mine.sprite").write_text(WHOLE, "utf-8")
    assert load_sprite("mine", tmp_path).width == 2


def test_equal_neighbours_are_one_segment():
    line = strips("furnace-controller", None, "idle", 0, "#d9822b", 0, Look())[3]
    assert len(line) < load_sprite("furnace-controller").width


def test_ascii_terminals_get_letters():
    from evalforge.app.ui.theme.glyphs import ASCII

    drawn = strips("furnace-controller", None, "idle", 0, "#d9822b", 0, Look(PALETTES["ember"], ASCII))
    assert all(strip.text.isascii() for strip in drawn)
