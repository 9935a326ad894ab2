"""For Sale, Stefan Dorra's auction card game: an exact engine and the tools around it."""

__all__ = ["__version__"]

__version__ = "0.1.0"
