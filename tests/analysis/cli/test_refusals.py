"""Bad input of every command: one clear message, exit code 2, nothing on stdout, before anything is played."""

import shlex

import pytest

from tests.analysis.cli.test_cli import refusal
from tests.conftest import in_soak

pytestmark = pytest.mark.slow

RANDOM = "--policy random"
LONG = ("tune arena --games 1500", "sensitivity arena --games 100")  # list all steps of the Arena first
REPLAY, ABLATE, SKILL = (
    f"replay coin_duel {RANDOM}",
    f"ablate coin_duel {RANDOM} --games 120",
    "skill coin_duel --levels random,greedy:1",
)
DICE = f"whatif dice_duel {RANDOM} --games 56 --set"
SENSITIVITY = f"sensitivity dice_duel {RANDOM} --fields fighter.knight.*,rules.*"
REFUSED = {  # command -> part of the message
    # games, cards, places
    "winrate arena": "'winrate' is not a command; did you mean \"winrates\"?",
    "odds arena": "'odds' is not a command; `fairfight -h` lists them",
    "winrates chess": "'chess' is neither a game nor a run folder; games are arena",
    "winrates arna": "'arna' is neither a game nor a run folder; did you mean \"arena\"?",
    "winrates nosuch-run": "'nosuch-run' is neither a game nor a run folder; games are arena",
    "report chess": "'chess' is neither a game nor a run folder",
    "new-game numpy": "name='numpy': there is a Python package of this name already",
    "new-game class": "name='class': this word has another meaning in Python",
    "new arna x": "game='arna' is not known; did you mean \"arena\"?",
    "winrates arena --cards /no/such/folder": "/no/such/folder: does not exist",
    "winrates deck_race --decks /no/such/decks.toml": "/no/such/decks.toml: does not exist",
    "winrates deck_race --random-decks 1": "--random-decks 1: plays 1 deck; at least 2 are needed",
    "check /no/such/folder": "/no/such/folder",
    "scenario /no/such/file.toml": "/no/such/file.toml",
    "winrates arena --csv /proc/x/rates.csv": "/proc/x",
    "winrates arena --rows /proc/x/rows.parquet": "/proc/x",
    "report arena --out /proc/x": "/proc/x",
    "winrates arena --csv x.doc": "--csv x.doc: a table is written as .csv, .parquet, .json or .xlsx; name a file of this type",
    "winrates arena --rows x.doc": "--rows x.doc: every game is written as .csv, .parquet, .json or .xlsx; name a file of this",
    "winrates arena --chart x.doc": "--chart x.doc: a chart is written as .png, .svg or .pdf; name a file of this type",
    "dice 2d6 --chart dice.bmp": "--chart dice.bmp: a chart is written as .png, .svg or .pdf; name a file of this type",
    "winrates arena --csv x.csv --rows x.csv": "name two files",
    "winrates arena --games 2000000 --rows x.xlsx": "games do not fit into a spreadsheet, which has 1,048,576 lines",
    # numbers, players, entrants
    "winrates arena --games 1e6": "'1e6' is not a",  # whole number; a valid integer, by older versions of Typer
    "winrates arena --precision high": "'high' is not a",
    "winrates arena --games 0": "--games 0 must be at least 1",
    "winrates arena --seats 5": "--seats 5: Arena is played by 2, 3 or 4 seats",
    "winrates arena --seed -1": "--seed -1 must be 0..",
    "winrates arena --jobs 0": "--jobs 0 must be at least 1",
    "winrates arena --policy clever": "--policy clever is not known",
    "winrates arena --policy greddy": '--policy greddy is not known; did you mean "greedy"?',
    "winrates arena --policy greedy:0": "samples must be 1..1000",
    "winrates arena --policy random,random,random": "policies='random,random,random'",
    "winrates arena --line-up rhino_guy,rhino_guy": "line-up 'rhino_guy,rhino_guy': names Rhino Guy twice",
    f"winrates arena --line-up {'x' * 300}": "line-up 'xxx",  # longer than the name of a file can be
    f"winrates {'x' * 300}": "is neither a game nor a run folder",
    "winrates arena --line-up rhino,bow_master": 'did you mean "rhino_guy"?',
    "winrates arena --forbid rhino:rule.rage": 'did you mean "rhino_guy"?',
    "pace coin_duel --games 0": "--games 0",
    "pace coin_duel --seats 9": "--seats 9",
    "pace coin_duel --jobs 0": "--jobs 0",
    "pace lone_climb --seats 1": "use 2 or more",
    # dice and duels
    "dice '5d6>=4 - 3d'": "dice expression, position",
    "dice \"__import__('os')\"": "dice expression, position",
    "dice 2d6 --entrant rhino_guy": "--entrant rhino_guy: only works with a game",
    "dice arena --entrant nobody": "--entrant nobody is not among",
    "dice arena --entrant rhino": 'did you mean "rhino_guy"?',
    "dice arena --ability hamer_time": 'did you mean "hammer_time"?',
    "dice 2d6 --rolls 0": "--rolls 0 must be 1..",
    "dice cardrogue": "fairfight duel cardrogue",
    "duel arena rhino_guy valasca": "game='arena' has no duels",
    "duel cardrogue warior troll": 'did you mean "warrior"?',
    # changes of numbers
    f"{DICE} fighter.knight.helth=1": "nearest: fighter.knight.health",
    f"{DICE} fighter.knight.health=999": "is too large; must be a whole number",
    f"{DICE} fighter.knight.health": "must be PATH=VALUE",
    f"{SENSITIVITY} --games 50": "--games 50 are too few for 13 steps: at least",
    f"{SENSITIVITY} --precision 0": "--precision 0 must be above 0",
    "sensitivity dice_duel --fields hero.*": "matches no number of the card file",
    "ablate arena hero.rhino_guy.chage": "did you mean",
    f"{ABLATE} rule.fold --list": "--list: lists all things; leave rule.fold out",
    f"{ABLATE} --entrant pike": "--entrant pike: needs the name of a thing",
    f"{ABLATE} rule.fold --entrant spike": "'spike' is not one of the fighters; did you mean \"pike\"?",
    "cardstats riftborn --deck beast": "is no deck; did you mean",
    # too few games
    "tune arena --games 1500": "--games 1500: 128 numbers that may be changed take at least 66,857 games",
    "tune arena --games 1500 --fields hero.*.move": "--max-changes 8 takes at least 25,600 games",
    "sensitivity arena --games 100": "are too few for 238 steps: at least 29,792; play more, or name fewer",
    "whatif arena --set hero.rhino_guy.move=3 --games 4": "--games 4 must be at least 10: a round of 8 line-ups before",
    "ablate arena rule.rage --games 9": "at least 112, for whole rounds of line-ups with and without each",
    "skill arena --games 50": "--games 50 must be at least",
    "train arena --games 50": "--games 50 must be at least",
    "cardstats riftborn --games 5": "--games 5 must be at least",
    "matchups arena --games 5": "--games 5 must be at least 112",
    # two entrants
    "compare arena rhino_guy mirrormage": 'did you mean "mirror_mage"?',
    "compare coin_duel pike pike": "are the same; name two different ones",
    "compare coin_duel pike nobody": "'nobody': is no fighter",
    "compare coin_duel pike maul --margin 0": "--margin 0 must be above 0 and below 50",
    "compare coin_duel pike maul --margin nan": "--margin nan must be above 0",
    "compare coin_duel pike maul --alpha 0.5": "--alpha 0.5 must be above 0 and below 0.5",
    "compare coin_duel pike maul --policy random,greedy": "one policy for all seats",
    "compare chess pike maul": "'chess' is neither a game nor a run folder",
    # levels of play
    "skill arena --levels random,gredy": "policy='gredy' is not known; did you mean \"greedy\"?",
    "skill coin_duel --levels greedy:4": "--levels greedy:4: name at least two levels, lowest first",
    "skill coin_duel --levels random,greedy:2,random": "--levels random,greedy:2,random: random is named twice",
    f"skill coin_duel --levels {','.join(f'greedy:{k}' for k in range(1, 14))}": "13 levels are too many; name at most 12",
    "skill coin_duel --levels random,search:0": "policy='search:0': playouts must be 1..100000",
    "skill coin_duel --levels ''": "policy='' is not known",
    f"{SKILL} --level-games 1": "--level-games 1 must be at least 2",
    f"{SKILL} --pair-games 9 --games 100": "--games 100: covers all games; leave --level-games and --pair-games out",
    f"{SKILL} --pair-games 0": "--pair-games 0 must be at least 2",
    f"{SKILL} --seats 1": "--seats 1: Coin duel is played by 2 or 3 seats",
    f"{SKILL} --seats 9": "--seats 9: Coin duel is played by 2 or 3 seats",
    f"{SKILL} --jobs 0": "--jobs 0 must be at least 1",
    f"{SKILL} --seed -1": "--seed -1",
    # replays
    "replay arena --game -1": "--game -1 must be from 0 to ",
    "replay arena --game 99999999999999": "--game 99999999999999 must be from 0 to 17,592,186,044,415",
    f"{REPLAY} --analyst serch:9": '--policy serch:9 is not known; did you mean "search"?',
    f"{REPLAY} --analyst random": "--analyst random: decides at random and does not evaluate its options; use search:200",
    f"{REPLAY} --chart x.gif": "--chart x.gif: a chart is written as .png, .svg or .pdf; name a file of this type",
    f"{REPLAY} --show typical": "--show typical: needs --interesting",
    f"{REPLAY} --games 7": "--games 7: needs --interesting",
    f"{REPLAY} --interesting --show funny": "--show funny must be typical, surprising or closest",
    f"{REPLAY} --interesting --replays 0": "--replays 0 must be at least 1",
    f"{REPLAY} --interesting --games 0": "--games 0 must be at least 1",
    # training
    "train coin_duel --seats 2,5": "--seats 5: Coin duel is played by 2 or 3 seats",
    "train coin_duel --seats two": "--seats two: must be numbers of seats separated by commas, such as 2 or 2,3",
    "train coin_duel --rounds 0": "--rounds 0 must be at least 1",
    "train coin_duel --round-games 0": "--games 0 must be at least 1",
    "train coin_duel --policy greedy:1/baseline": "players here evaluate with the fitted weights; leave /baseline out",
    "train coin_duel --policy clever": "--policy clever is not known",
    "train coin_duel --jobs 0": "--jobs 0 must be at least 1",
    "train coin_duel --chart c.bmp": "--chart c.bmp: a chart is written as .png, .svg or .pdf; name a file of this type",
    "train coin_duel --games 5": "--games 5 must be at least",
    "train coin_duel --games 900 --round-games 9": "--games 900 and --round-games 9: name one of the two",
    "train coin_duel --out .": ".: is a folder; name a file",
    "train deck_race": "Deck race: its evaluation has no features; there is nothing to fit",
}


@pytest.mark.parametrize("command", [in_soak(command) if command in LONG else command for command in REFUSED])
def test_bad_input_gets_one_message(command, coin_duel, deck_race, dice_duel, lone_climb, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("analysis.cli.train.prepare", lambda *_: None)
    assert REFUSED[command] in refusal(*shlex.split(command))
