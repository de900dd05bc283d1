"""Certificates for servers of tests, of an authority of their own."""

import datetime
import ipaddress
import pathlib

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

DAY = datetime.timedelta(days=1)


def pem(key):
    return key.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption())


class Authority:
    """Signs certificates; its own is `authority.pem` in the folder."""

    def __init__(self, folder):
        self.folder = pathlib.Path(folder)
        self.key = ec.generate_private_key(ec.SECP256R1())
        self.name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "authority")])
        own = self.builder(self.name, self.name, self.key, "authority", 0)
        own = own.add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
        (self.folder / "authority.pem").write_bytes(
            own.sign(self.key, hashes.SHA256()).public_bytes(serialization.Encoding.PEM))

    def builder(self, issuer, subject, key, host, age):
        end = datetime.datetime.now(datetime.timezone.utc) + 2 * DAY - age * DAY
        names = [x509.DNSName(host)]
        if host == "localhost":
            names.append(x509.IPAddress(ipaddress.ip_address("127.0.0.1")))
        return (
            x509.CertificateBuilder().subject_name(subject).issuer_name(issuer)
            .public_key(key.public_key()).serial_number(x509.random_serial_number())
            .not_valid_before(end - 3 * DAY).not_valid_after(end)
            .add_extension(x509.SubjectAlternativeName(names), critical=False))

    def issue(self, file, host="localhost", age=0, by_itself=False):
        """A certificate and its key in one file; of an age of 3 days it has expired since one."""
        key = ec.generate_private_key(ec.SECP256R1())
        subject = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, host)])
        builder = self.builder(subject if by_itself else self.name, subject, key, host, age)
        certificate = builder.sign(key if by_itself else self.key, hashes.SHA256())
        path = self.folder / file
        path.write_bytes(certificate.public_bytes(serialization.Encoding.PEM) + pem(key))
        return str(path)
