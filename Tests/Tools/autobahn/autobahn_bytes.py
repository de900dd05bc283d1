"""What the cases of Autobahn's test suite use of the standard library and of autobahn, for strings of bytes.

Such a string has a character below 256 for each byte; see convert.py.
"""
import binascii

from autobahn.websocket import utf8validator


def as_bytes(value):
    """The bytes of such a string; anything else as it is."""
    return value.encode("latin-1") if isinstance(value, str) else value


def as_string(value):
    """Such a string of bytes; anything else as it is."""
    return value.decode("latin-1") if isinstance(value, (bytes, bytearray, memoryview)) else value


def b2a_hex(value):
    return as_string(binascii.b2a_hex(as_bytes(value)))


class Utf8Validator(utf8validator.Utf8Validator):
    def validate(self, value):
        return super().validate(as_bytes(value))
