"""The commands of ``kb``, one module each; every module has a click command named ``command``."""
