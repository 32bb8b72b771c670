"""Statistics, charts, reports and commands of fairfight; `import fairfight as ff` is the Python interface."""

from fairfight import check_packages

check_packages()
