"""The rules of the Arena, a file for each chapter of the rulebook: the turn, the attack, the knockback."""
