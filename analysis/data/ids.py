"""Ids of the card file beside the names in the frames of an answer.

Code counts entrants from 0. People who use the data write `frame.query("entrant == 'rhino_guy'")`, so the column `entrant` of
an answer has the id of what `name` names, an entrant or a part of a team, and `opponent` that of `opponent_name`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import pandas as pd

from analysis.answer.model import Answer
from analysis.data.study import Study

COLUMNS = {"name": "entrant", "opponent_name": "opponent"}  # column of names -> column of their ids


def with_ids(answer: Answer, study: Study) -> Answer:
    """Add the ids of entrants, or of the parts of teams, to all frames of an answer."""
    ids = {**dict(zip(study.units, study.unit_ids, strict=True)), **dict(zip(study.names, study.cards.ids, strict=True))}
    tables = [one if one.whole is None else replace(one, whole=identified(one.whole, ids)) for one in answer.tables]
    return replace(answer, tables=tuple(tables))


def identified(frame: pd.DataFrame, ids: Mapping[str, str]) -> pd.DataFrame:
    """The frame with a column of ids before each column of names, in place of numbers; unchanged if no name has an id.

    Columns of a matrix are named by ids, too. ids: by name; rows with other names, such as "all together", have None.
    """
    frame = frame.rename(columns=ids)
    for names, column in COLUMNS.items():
        if names not in frame:
            continue
        found = pd.Series([ids.get(name) for name in frame[names]], frame.index, object)
        if len(frame) and found.isna().all():
            continue
        frame = frame.drop(columns=column, errors="ignore")
        frame.insert(list(frame.columns).index(names), column, found)
    return frame
