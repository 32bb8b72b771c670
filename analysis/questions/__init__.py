"""Questions: each module holds one, as a function from a study to an answer; `analysis.catalogue` lists them."""
