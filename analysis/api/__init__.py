"""The Python interface: `import fairfight as ff` offers its functions, which take cards, a game's name or games already played.

Every function that answers a question returns a `Result`: the same section that the command of that name prints. With the same
arguments both give the same numbers.
"""
