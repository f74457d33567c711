"""Names in any script: joined, in order, within their space, never a box."""

from typing import Final

import pytest

from render import fonts
from render.canvas import label
from render.palette import INK, PAPER
from tests.render.positions import NAMES


def drawn(text: str) -> str:
    """The letters in drawing order."""
    return "".join(run.text for run in fonts.runs(text))


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("room", [40, 90, 200, 400])
def test_a_shortened_name_fits_into_its_room(name: str, room: int) -> None:
    short = fonts.fitted(name, 40, room)
    assert fonts.width(short, 40) <= room
    assert short == name or short.endswith(fonts.ELLIPSIS)


def test_a_name_with_room_enough_is_left_alone() -> None:
    assert fonts.fitted("Ada", 40, 200) == "Ada"


@pytest.mark.parametrize("name", NAMES)
def test_every_letter_drawn_is_in_its_face(name: str) -> None:
    for face, text in fonts.runs(name):
        if face is None:
            assert text == fonts.MARK
        else:
            assert {ord(letter) for letter in text} <= fonts.coverage(face)


def test_what_no_face_has_becomes_one_mark_a_word() -> None:
    assert drawn("ᠮᠣᠩ བཀྲ") == f"{fonts.MARK} {fonts.MARK}"
    assert drawn("x👨‍👩‍👧y") == f"x{fonts.MARK}y"
    assert not fonts.is_drawable("👨‍👩‍👧")
    assert fonts.is_drawable("👨‍👩‍👧 a")


# FOUND W9
def test_letters_of_a_style_are_drawn_as_the_plain_ones_and_others_stay() -> None:
    assert drawn("𝕯𝖆𝖛𝖊 Ⓐⓝⓝ 𝓜𝓲𝓪") == "Dave Ann Mia"
    assert drawn("Ann… ½ ² ﬁ Ａ") == "Ann… ½ ² fi Ａ"


# FOUND W9
SCRIPTS: Final = {
    "Devanagari": "राम कुमार क्षत्रिय श्री",
    "Bengali": "অমিত সুব্রত কৃষ্ণ রো",
    "Gurmukhi": "ਪੰਜਾਬੀ ਸਿੰਘ",
    "Gujarati": "ગુજરાતી કૃષ્ણ",
    "Tamil": "தமிழ் செல்வன் கௌரி",
    "Telugu": "తెలుగు శ్రీనివాస్",
    "Kannada": "ಕನ್ನಡ ಶ್ರೀ",
    "Malayalam": "മലയാളം കൃഷ്ണൻ",
    "Khmer": "ខ្មែរ សុភាព",
    "Lao": "ລາວ ສົມພອນ",
    "Thai": "ประยุทธ์",
    "Arabic": "فاطمة",
    "Armenian": "Արմեն",
    "Georgian": "გიორგი",
}


@pytest.mark.parametrize("script", SCRIPTS)
def test_names_in_the_scripts_of_discords_people_are_drawn_whole(script: str) -> None:
    name = SCRIPTS[script]
    assert {run.face for run in fonts.runs(name) if run.text.strip()} == {f"NotoSans{script}-Bold"}
    assert 100 < fonts.width(name, 40) < 800
    image, *_ = label(name, 40, INK, PAPER)
    other, *_ = label(name[::-1], 40, INK, PAPER)
    assert image.image.tobytes() != other.image.tobytes()


def test_without_a_shaping_library_vowels_stand_where_they_are_seen() -> None:
    assert fonts.unshaped("किरण") == "िकरण"
    assert fonts.unshaped("क्षत्रि") == "क्षित्र"
    assert fonts.unshaped("রো") == "েরা"
    assert fonts.unshaped("செல்வன் கௌ") == "ெசல்வன் ெகௗ"
    assert fonts.unshaped("Ann, فاطمة 勅") == "Ann, فاطمة 勅"


def test_arabic_letters_take_their_joined_forms() -> None:
    # Heh, beh, teh: initial, medial, final, drawn from the right.
    assert drawn("هبت") == "\ufe96\ufe92\ufeeb"
    # Dal doesn't join to its left, so the next letter starts a new group.
    assert drawn("ده") == "\ufee9\ufea9"
    # Lam and alef become one letter.
    assert drawn("لا") == "\ufefb"
    assert drawn("بلا") == "\ufefc\ufe91"


def test_right_to_left_runs_are_turned_and_numbers_in_them_are_not() -> None:
    assert drawn("אבג") == "גבא"
    assert drawn("אב 12 גד") == "דג 12 בא"
    assert drawn("אב (x) גד") == "דג (x) בא"
    assert drawn("abc אב def") == "abc בא def"


@pytest.mark.parametrize(
    ("text", "seen"),
    [
        # A number follows the letters before it, whatever stands between that and the next letters.
        ("ab שמ 12", "ab 12 מש"),
        ("שמ2 ab", "ab 2מש"),
        ("ab9שמ", "ab9מש"),
        # Both brackets of a pair have the same direction: that of their contents or their context.
        ("ab(2 (שמ", "ab(2 (מש"),
        ("ab (שמ) cd", "ab (מש) cd"),
        ("שמ (ab) 1984", "1984 (ab) מש"),
        ("«שמ» [ab]", "[ab] «מש»"),
        # Signs between two directions have the direction of the name, which is that of its first letter.
        ("שמ - ab", "ab - מש"),
        ("ab - שמ!", "ab - מש!"),
        ("!שמ", "מש!"),
    ],
)
def test_names_in_two_directions_are_seen_as_the_bidirectional_algorithm_says(text: str, seen: str) -> None:
    assert drawn(text) == seen
    assert drawn(f"{fonts.isolated(text)} digs (NES).") == f"{seen} digs (NES)."


def test_an_isolated_name_does_not_turn_the_sentence_round() -> None:
    sentence = f"{fonts.isolated('שלום')} digs NES at 3,-1."
    assert drawn(sentence) == "םולש digs NES at 3,-1."


def test_combining_marks_stay_with_their_letters() -> None:
    short = fonts.fitted("น้ำน้ำน้ำน้ำ", 40, 60)
    assert short.removesuffix(fonts.ELLIPSIS)[-1:] != "น"


def test_a_word_keeps_to_one_face_where_one_has_all_of_it() -> None:
    assert [run.face for run in fonts.runs("Nguyễn")] == ["Nunito-ExtraBold"]
    assert [run.face for run in fonts.runs("Ada")] == ["Fredoka-SemiBold"]


def test_all_bundled_fonts_together_stay_small() -> None:
    assert sum((fonts.ASSETS / f"{face}.ttf").stat().st_size for face in fonts.FACES) < 3_000_000
