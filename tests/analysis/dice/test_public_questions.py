"""Questions about dice, pools and draws that players ask in public; right values by plain enumeration or combinatorics.

A question is its name, the expression that asks it, and the mean of the results; of outcomes the chance of each.
"""

from fractions import Fraction

import pytest

from analysis.dice import draw_language
from analysis.dice.exact import parse
from analysis.dice.odds import fractions_of, solve

SIX_GOOD_SCORES = " + ".join(["(sum(4d6dl1)>=16)"] * 6)
NO_DOUBLE = "(sum(d6)!=sum(d6))"
ABILITY, PROFICIENCY, DIFFICULTY = "{0,1,1,2,0,0,1,0}", "{0,1,1,2,2,0,1,1,1,0,0,1}", "{0,1,2,0,0,0,0,1}"
NO_TRIPLE = "max(count(r==2), count(r==3), count(r==4), count(r==6))<3"
NO_THREE_PAIRS = "(count(r==2)==1 or count(r==3)==1 or count(r==4)==1 or count(r==6)==1)"
RANKS = ("aces", "twos", "threes", "fours", "fives", "sixes", "sevens", "eights", "nines", "tens", "jacks", "queens", "kings")
PAIR = " or ".join(f"at least 2 of 4 {rank}" for rank in RANKS)
SAME_SUIT = " or ".join(f"exactly 5 of 13 {suit}" for suit in ("hearts", "spades", "clubs", "diamonds"))
TUTOR = (
    "at least 1 of 4 A and at least 1 of 4 B or at least 1 of 4 A and at least 1 of 4 tutors "
    "or at least 1 of 4 B and at least 1 of 4 tutors or at least 2 of 4 tutors"
)

DICE = [
    (
        "death saves without the rules for 1 and 20",
        "before(3, 3, d20>=10)",
        Fraction(11, 20) ** 3 * (1 + 3 * Fraction(9, 20) + 6 * Fraction(9, 20) ** 2),
    ),
    ("attack with d6+3 that hits on 8, d6 more on a 20", "a = d20; (a>=8)*(d6+3) + (a==20)*d6", Fraction(22, 5)),
    ("critical hit with three d20", "3d20kh==20", Fraction(1141, 8000)),
    ("advantage, one 1 rerolled", "r = 2d20; max(highest(1, r), (count(r==1)>=1)*d20)", Fraction(11307, 800)),
    ("fireball, save for half", "a = 8d6; s = d20+2>=15; a*(1-s) + a//2*s", Fraction(223, 10)),
    ("saving throw with a d4 more", "(1d20+5+1d4)>=15", Fraction(27, 40)),
    ("an 18 in six scores", "6d(4d6dl1)kh>=18", Fraction(606876045137999, 6499837226778624)),
    ("two scores of 16 in six", "6d(4d6dl1)>=16>=2", Fraction(845812984760811509, 4738381338321616896)),
    ("two scores of 16 in six, as a sum", f"{SIX_GOOD_SCORES} >= 2", Fraction(845812984760811509, 4738381338321616896)),
    ("middle of three d20", "3d20dh1dl1>=15", Fraction(27, 125)),
    ("2d6 twice, the higher sum", "2d(2d6)kh", Fraction(5425, 648)),
    ("2d6 twice, the larger sum", "max(2d6, 2d6)", Fraction(5425, 648)),
    ("Year Zero, pushed", "count(5d6ro2ro3ro4ro5==6)>=1", Fraction(1518275, 1889568)),
    ("Blades in the Dark, no dice", "2d6kl>=4", Fraction(1, 4)),
    ("Call of Cthulhu, bonus die", "(10*(2d10kl-1)+d10)<=45", Fraction(139, 200)),
    (
        "Warhammer, sixes to hit wound at once, then saves",
        "r = 10d6; count((count((max(0, count(r>=3)-count(r==6)))d6>=4) + count(r==6))d6<=4)>=4",
        Fraction(21738728125, 74384733888),
    ),
    ("X-Wing, focus and target lock", "(3d8ro<=2>=3 - 2d8>=6)>=1", Fraction(127125, 131072)),
    ("Vampire, pairs of tens", "r = 7d10; count(r>=6)+2*(count(r==10)//2) >= 5", Fraction(4871, 16000)),
    ("Legend of the Five Rings, 6k3", "sum(6d10!kh3)>=40", Fraction(394219247, 5_000_000_000)),
    ("Genesys, net success", f"(2d{ABILITY}+d{PROFICIENCY}-2d{DIFFICULTY})>=1", Fraction(7997, 12288)),
    ("best die of the other pool", "a = 3d6; b = 3d6; count(a>=highest(1, b)) > count(b>=highest(1, a))", Fraction(389, 972)),
    ("first d10 under 7 against first under 6", "count(2d10<=6) > count(2d10<=5)", Fraction(39, 100)),
    ("d10 against d6, ties lose", "d10>d6", Fraction(13, 20)),
    ("three of a kind in one roll", "same(5d6)>=3", Fraction(23, 108)),
    ("five of a kind in one roll", "same(5d6)==5", Fraction(1, 1296)),
    ("King of Tokyo, three claws", "count(6d6ro<6ro<6==6)>=3", Fraction(25378367006083, 50779978334208)),
    ("One Roll Engine, a set", "same(5d10)>=2", Fraction(436, 625)),
    ("craps, a 7 or 11 at once", "r = 2d6; sum(r)==7 or sum(r)==11", Fraction(2, 9)),
    ("Farkle", f"r = 6d6; count(r==1)+count(r==5)==0 and {NO_TRIPLE} and {NO_THREE_PAIRS}", Fraction(5, 216)),
    (
        "Catan, at most one 8 in 72 rolls",
        "72d(2d6)==8<=1",
        Fraction(31, 36) ** 72 + 72 * Fraction(5, 36) * Fraction(31, 36) ** 71,
    ),
    (
        "Can't Stop, two of four dice add to 7",
        "r = 4d6; count(r==1)>=1 and count(r==6)>=1 or count(r==2)>=1 and count(r==5)>=1 or count(r==3)>=1 and count(r==4)>=1",
        Fraction(139, 216),
    ),
    ("backgammon, a blot six away", "a = d6; b = d6; a==6 or b==6 or (a+b)==6 or (a==b and (a==2 or a==3))", Fraction(17, 36)),
    ("Axis and Allies, two hits", "(3d6<=1 + 2d6<=3) >= 2", Fraction(23, 48)),
    ("doubles in three tries", "before(1, 3, d6==d6)", Fraction(91, 216)),
    ("doubles in three tries, as a product", f"1 - {NO_DOUBLE} * {NO_DOUBLE} * {NO_DOUBLE}", Fraction(91, 216)),
    ("Arkham Horror, one token", "(4 + d{1,0,0,-1,-1,-1,-2,-2,-3,-4,-99}) >= 3", Fraction(6, 11)),
]
OUTCOMES = [
    (
        "Savage Worlds, damage against toughness 7",
        "a = d8!+d6!; wound: a>=11; shaken: a>=7; nothing: 1",
        [Fraction(119, 384), Fraction(145, 384), Fraction(5, 16)],
    ),
    (
        "World of Darkness, botch",
        "r = 4d10; h = count(r>=6); o = count(r==1); botch: h==0 and o>=1; success: h>o; failure: 1",
        [Fraction(369, 10_000), Fraction(1601, 2000), Fraction(813, 5000)],
    ),
    (
        "World of Darkness, botch, without names of counts",
        "r = 4d10; botch: r>=6==0 and r==1>=1; success: r>=6>r==1; failure: 1",
        [Fraction(369, 10_000), Fraction(1601, 2000), Fraction(813, 5000)],
    ),
    (
        "Shadowrun, glitch",
        "r = 6d6; critical: count(r==1)>3 and count(r>=5)==0; glitch: count(r==1)>3; clean: 1",
        [Fraction(77, 23328), Fraction(7, 1296), Fraction(23125, 23328)],
    ),
    (
        "Blades in the Dark, three dice",
        "r = 3d6; critical: count(r==6)>=2; full: r kh==6; partial: r kh>=4; bad: 1",
        [Fraction(2, 27), Fraction(25, 72), Fraction(49, 108), Fraction(1, 8)],
    ),
    (
        "Powered by the Apocalypse",
        "r = 2d6+1; strong: r>=10; weak: r>=7; miss: 1",
        [Fraction(5, 18), Fraction(4, 9), Fraction(5, 18)],
    ),
    (
        "Fate, opposed",
        "g = 4dF+3 - (4dF+2); style: g>=3; success: g>=1; tie: g==0; fail: 1",
        [Fraction(1711, 6561), Fraction(2123, 6561), Fraction(1016, 6561), Fraction(1711, 6561)],
    ),
    (
        "GURPS, skill 12",
        "r = 3d6; critical: sum(r)<=4; success: sum(r)<=12; fumble: sum(r)>=17; failure: 1",
        [Fraction(1, 54), Fraction(13, 18), Fraction(1, 54), Fraction(13, 54)],
    ),
    (
        "Eclipse Phase, doubles",
        "t = d10-1; u = d10-1; r = 10*t+u; critical: r<=55 and t==u; success: r<=55; fumble: t==u; failure: 1",
        [Fraction(3, 50), Fraction(1, 2), Fraction(1, 25), Fraction(2, 5)],
    ),
]
DRAWS = [
    ("Magic, lands and a first drop", "draw 7 from 60: 2 to 5 of 24 lands and at least 1 of 8 drops", Fraction(2867732, 5363985)),
    (
        "Magic, one free mulligan",
        "draw 7 from 60: at least 2 of 24 lands and at most 5 of 24 lands; mulligan to 7",
        Fraction(25777087896, 26420877025),
    ),
    (
        "Magic, one free mulligan with a range",
        "draw 7 from 60: 2 to 5 of 24 lands; mulligan to 7",
        Fraction(25777087896, 26420877025),
    ),
    ("two halves of a combination, or a tutor", f"draw 7 from 60: {TUTOR}", Fraction(17897603, 48275865)),
    ("Yu-Gi-Oh, two halves", "draw 5 from 40: at least 1 of 3 A and at least 1 of 3 B", Fraction(10745, 109668)),
    ("Pokemon, no basic in the hand", "draw 7 from 60: 0 of 8 basics", Fraction(3344614, 9655173)),
    ("Pokemon, both copies are prizes", "draw 6 from 60: all of 2", Fraction(1, 118)),
    ("Hearthstone, three cards replaced", "draw 3 from 30: at least 1 of 2; replace others", Fraction(53, 145)),
    ("Hearthstone, three cards replaced, as six cards", "draw 6 from 30: at least 1 of 2", Fraction(53, 145)),
    ("poker, a pair or better", f"draw 5 from 52: {PAIR}", Fraction(2053, 4165)),
    ("poker, five of a suit", f"draw 5 from 52: {SAME_SUIT}", Fraction(33, 16660)),
    ("poker, nine outs by the river", "draw 2 from 47: at least 1 of 9 outs", Fraction(378, 1081)),
    ("blackjack", "draw 2 from 52: exactly 1 of 4 aces and exactly 1 of 16 tens", Fraction(32, 663)),
    ("Dominion, five and two", "draw 5 from 10: exactly 2 of 7 coppers or exactly 5 of 7 coppers", Fraction(1, 6)),
    ("four aces in thirteen cards", "draw 13 from 52: all of 4 aces", Fraction(11, 4165)),
]


def cases(questions):
    return [pytest.param(text, right, id=name) for name, text, right in questions]


@pytest.mark.parametrize(("text", "right"), cases(DICE))
def test_a_question_about_dice_has_its_exact_mean_or_chance(text, right):
    results = fractions_of(solve(parse(text)))
    assert sum(value * chance for value, chance in results.items()) == right


@pytest.mark.parametrize(("text", "right"), cases(OUTCOMES))
def test_a_question_about_outcomes_has_the_exact_chance_of_each(text, right):
    assert fractions_of(solve(parse(text))) == dict(enumerate(right))


@pytest.mark.parametrize(("text", "right"), cases(DRAWS))
def test_a_question_about_a_draw_has_its_exact_chance(text, right):
    assert draw_language.read(text).chances()[1] == right
