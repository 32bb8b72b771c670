"""How positions are evaluated: worths (`values`), ways and the golem (`prospects`), features and the chance (`features`)."""
