"""The rules of Riftborn Tactics, one module for each part of the rulebook."""
