"""The app: pages that render replies. Everything that decides is in plain functions elsewhere in ``kb``.

``kb.app.views`` turns records into markup (also for the exported site), ``kb.app.pages`` puts views and controls on
a page, ``kb.app.main`` chooses the page from the address.
"""
