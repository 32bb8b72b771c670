"""`python -m fairfight` is the command."""

import sys

from fairfight import main

sys.exit(main())
