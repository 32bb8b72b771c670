"""What finished games tell: intervals, matchups, charts, reports, and the `fairfight` command."""
