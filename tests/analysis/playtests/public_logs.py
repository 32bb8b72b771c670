"""The first rows of logs that other people published, with the shares of the win that they show."""

from dataclasses import dataclass


@dataclass(frozen=True)
class PublicLog:
    """Rows of a public log. source: repository and path; columns: what must be chosen; noun: for entrants; shares: by row."""

    source: str
    text: str
    noun: str
    shares: tuple[float, ...]
    columns: tuple[str, ...] = ()
    entrants: tuple[str, ...] = ()  # of the first game
    order: str = ""
    rule: str = ""
    suffix: str = ".csv"


PUBLIC_LOGS = (
    PublicLog(
        "sjbergca/terraforming-tracker games/games.csv",
        """Date,Map,SB Corp.,AV. Corp.,SB Score,AV Score,Total,Diff,Abs. Diff,Winner,Game #,SB_Win,SB Net Wins,Note,Unnamed: 20
2025-03-23,Hellas,Credicor,Manutech,100,108,208,-8,8,AV,1,0,-1,,
2025-03-23,Tharsis,Recyclon,Saturn,115,130,245,-15,15,AV,2,0,-2,,
2025-03-29,Elysium,Viron,Inventrix,130,98,228,32,32,SB,7,1,-5,,
2025-05-31,Elysium,Manutech,Arcadian,94,94,188,0,0,SB,84,1,12,,
""",
        "corporation",
        (0, 1, 0, 1, 1, 0, 1, 0),
        entrants=("Credicor", "Manutech"),
    ),
    PublicLog(
        "Jos242/magicStats data/game_players.csv",
        """game_id,seat_order,player,deck_name_raw,deck_name_normalized,deck_id,deck_owner,deck_variant,commander_name,result
G2026-001,1,Jairo,volo,Volo,jairo--volo,Jairo,,,winner
G2026-001,2,Andrés,counters(precon),Counters,andres--counters,Andrés,Precon,,loser
G2026-001,3,Chepe,bulk(artefactos sami),Bulk Artifacts,chepe--bulk-artifacts,Chepe,,,loser
G2026-022,1,Andrés,auntie,Auntie,andres--auntie,Andrés,,,draw
G2026-022,2,Jairo,iroh,Iroh,jairo--iroh,Jairo,,,draw
G2026-022,3,Chepe,jeskai,Jeskai,chepe--jeskai,Chepe,,,draw
""",
        "deck",
        (1, 0, 0, 1 / 3, 1 / 3, 1 / 3),
        entrants=("jairo--volo", "andres--counters", "chepe--bulk-artifacts"),
        order="full",
    ),
    PublicLog(
        "BenjaSanchez/keyforge matches.csv",
        "date,id1,id2,k1,k2\n2020-02-02,A3,C0,3,1\n2020-02-03,A1,A2,2,3\n2020-02-04,B1,B2,1,3\n2020-02-05,C1,C2,0,3\n",
        "entrant",
        (1, 0, 0, 1, 0, 1, 0, 1),
        columns=("entrant=id,score=k",),
        entrants=("A3", "C0"),
        rule="the highest score wins",
    ),
    PublicLog(
        "AlbertG-Infotrack/office-elo matches.csv",
        'date,winner,loser,score\n2026-09-14,Jesse,Albert,"11-3, 11-8"\n2026-09-14,Artur,Kiren,"11-7, 11-7"\n',
        "player",
        (1, 0, 1, 0),
        entrants=("Jesse", "Albert"),
    ),
    PublicLog(
        "Baticaly/eloRating games.csv",
        """PLAYER A; PLAYER B; GAME
Player A;Player E;1-0
Player A;Player F;1-0
Player E;Player D;0-0
Player C;Player D;0-1
""",
        "player",
        (1, 0, 1, 0, 0.5, 0.5, 0, 1),
        entrants=("Player A", "Player E"),
    ),
    PublicLog(
        "vskaret/leaderboard gamelog.csv",
        """date, home, away, result\x20
"2023-02-15","Christer","Kjartan","A"
"2023-02-15","Torjus","Vegar","H"
"2023-02-15","Torjus","Andras","H"
"2023-07-05","Torjus","Vegard J","A"
""",
        "player",
        (0, 1, 1, 0, 1, 0, 0, 1),
        entrants=("Christer", "Kjartan"),
    ),
    PublicLog(
        "martj42/international_results results.csv",
        """date,home_team,away_team,home_score,away_score,tournament,city,country,neutral
1872-11-30,Scotland,England,0,0,Friendly,Glasgow,Scotland,FALSE
1873-03-08,England,Scotland,4,2,Friendly,London,England,FALSE
1874-03-07,Scotland,England,2,1,Friendly,Glasgow,Scotland,FALSE
1877-03-03,England,Scotland,1,3,Friendly,London,England,FALSE
""",
        "team",
        (0.5, 0.5, 1, 0, 1, 0, 0, 1),
        entrants=("Scotland", "England"),
        rule="the highest score wins",
    ),
    PublicLog(
        "ClumsyLee/owl-sr games.csv",
        """match_id,stage,start_time,team1,team2,match_format,game_id,game_number,map_name,score1,score2
21211,Stage 1,2019-02-14 16:00:00,PHI,LDN,regular,20822,1,ilios,2,1
21211,Stage 1,2019-02-14 16:00:00,PHI,LDN,regular,20882,3,volskaya,4,5
21211,Stage 1,2019-02-14 16:00:00,PHI,LDN,regular,20883,4,,1,0
21221,Stage 1,2019-02-14 17:40:00,NYE,BOS,regular,20891,3,horizon-lunar-colony,4,4
""",
        "team",
        (1, 0, 0, 1, 1, 0, 0.5, 0.5),
        entrants=("PHI", "LDN"),
        rule="the highest score wins",
    ),
    PublicLog(
        "GuySchnidrig/ManaDash data/matches.csv",
        """season_id,draft_id,match_id,player1,player2,player1Wins,player2Wins,draws,round
Season-4,20240922,Season-4_20240922_1_Joel R._Sili,Joel R.,Sili,1,2,0,1
Season-4,20240922,Season-4_20240922_1_Andrin_Tinu,Andrin,Tinu,1,1,1,1
Season-4,20240922,Season-4_20240922_1_Sam_Guy,Sam,Guy,1,2,0,1
Season-4,20240922,Season-4_20240922_2_Sam_Joel K.,Sam,Joel K.,2,1,0,2
""",
        "player",
        (0, 1, 0.5, 0.5, 0, 1, 1, 0),
        entrants=("Joel R.", "Sili"),
        rule="a match of several games counts as one, won by the side with more of them",
    ),
    PublicLog(
        "CUBICinfinity/tidy_lichess data/games.csv",
        """Event,Date,White,Black,Result,UTCTime,WhiteElo,BlackElo,WhiteRatingDiff,BlackRatingDiff,ECO,Termination,FEN
Rated Blitz game,2022.12.28,cubicinfinity,Tubee,0-1,02:07:49,1028,1123,-6,+14,C02,Normal,NA
Rated Classical game,2022.12.28,greedyvugh,cubicinfinity,0-1,01:02:43,1500,1299,-426,+24,C46,Normal,NA
Rated Blitz game,2022.12.26,cubicinfinity,ssnmoradi,1-0,05:02:57,1012,1012,+8,-5,D02,Normal,NA
Rated Blitz game,2022.12.26,a5habbir,cubicinfinity,0-1,04:28:23,948,990,-5,+7,A07,Time forfeit,NA
""",
        "player",
        (0, 1, 0, 1, 1, 0, 0, 1),
        entrants=("cubicinfinity", "Tubee"),
        order="full",
    ),
    PublicLog(
        "M-E-Rademaker/twilight-imperium-stats- data/raw_data.xlsx",
        """game_id,player_name,victory_points,faction_short_name,starting_position
6470772d0cc21e00141af1a5,Starki,10,Naalu,3
6470772d0cc21e00141af1a5,Frank,9,Xxcha,5
6470772d0cc21e00141af1a5,Eric,8,Nekro,4
6470772d0cc21e00141af1a5,Steve,7,Creuss,1
6470772d0cc21e00141af1a5,Manu,6,Jol,2
6470772d0cc21e00141af1a5,Thomas,6,Yssaril,6
""",
        "faction",
        (0, 0, 1, 0, 0, 0),  # in turn order
        entrants=("Creuss", "Jol", "Naalu", "Nekro", "Xxcha", "Yssaril"),
        order="full",
        rule="the highest score wins",
        suffix=".xlsx",
    ),
    PublicLog(
        "Deniedpluto/BoardGamePlays CSVFiles/FACT_Play_Scores.csv",
        """uuid,score,winner,newPlayer,startPlayer,playerRefId,role,rank,seatOrder,team,startPosition,metaData,teamRole
ea50e454-ccc6-46b4-9ddf-f06f8f70b684,2,false,true,false,8,,0,0,,,,
ea50e454-ccc6-46b4-9ddf-f06f8f70b684,12,false,true,false,2,,0,0,,,,
ea50e454-ccc6-46b4-9ddf-f06f8f70b684,4,false,true,false,7,,0,0,,,,
ea50e454-ccc6-46b4-9ddf-f06f8f70b684,13,true,true,false,109,,0,0,,,,
00ab4f5f-d71e-4dd8-8946-ef5a2ed948e6,0,false,true,false,21,,0,0,,,,
00ab4f5f-d71e-4dd8-8946-ef5a2ed948e6,4,true,true,false,20,,0,0,,,,
00ab4f5f-d71e-4dd8-8946-ef5a2ed948e6,4,true,true,false,2,,0,0,,,,
""",
        "entrant",
        (0, 0, 0, 1, 0, 0.5, 0.5),
        columns=("entrant=playerRefId",),  # most games have no role
        entrants=("8", "2", "7", "109"),
    ),
    PublicLog(
        "JeffSackmann/tennis_atp atp_matches_1968.csv",
        """tourney_id,tourney_name,surface,winner_id,winner_name,winner_hand,winner_age,loser_id,loser_name,loser_age,score,winner_rank,loser_rank
1968-D035,Davis Cup EUR QF: IRI vs RSA,,100040,Bob Hewitt,R,28.3,108343,Taghi Akbari,22.4,6-4 10-8 6-3,,
1968-D035,Davis Cup EUR QF: IRI vs RSA,,100120,Robert Maud,R,21.7,125701,Issa Khodaei,21.0,6-4 6-3 6-3,,
1968-311,London,Grass,100078,Clark Graebner,R,24.6,100092,Alex Metreveli,23.6,6-4 6-2,,
1968-311,London,Grass,100084,Tom Okker,R,24.3,100029,Rod Laver,29.8,6-4 6-4,,
""",
        "player",
        (1, 0, 1, 0, 1, 0, 1, 0),
        entrants=("Bob Hewitt", "Taghi Akbari"),
    ),
)
