"""svenet"""
from ._core import __version__
