"""The browser app; everything is in ``kb.app``. Start it with ``kb app``."""

from kb.app.main import main

main()
