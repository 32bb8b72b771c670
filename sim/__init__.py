"""The simulator of fairfight: games as fixed-size records, played by compiled kernels."""

import warnings

# of joblib, when games are played in vain: after an interrupt, or once a result is precise enough. Set here, because a thread
# cannot set it for a while without disturbing the others.
warnings.filterwarnings("ignore", r"[\s\S]*You could benefit from adjusting the input task iterator", UserWarning)
