"""Runs the tests beside this file; exits with 77 where pytest or NumPy is missing, so that CTest counts a skip."""
import pathlib
import sys

sys.dont_write_bytecode = True  # nothing is left beside the sources
try:
    import numpy
    import pytest
except ImportError as missing:
    print(f"skipped: {missing}")
    sys.exit(77)

print(f"python {sys.version.split()[0]}, numpy {numpy.__version__}")
sys.exit(pytest.main(["-q", "-rs", "-p", "no:cacheprovider", str(pathlib.Path(__file__).parent), *sys.argv[1:]]))
