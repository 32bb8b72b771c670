"""What each part of a team contributes, which teams are best, and what a draft should pick."""
