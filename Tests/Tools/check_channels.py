#!/usr/bin/env python3
"""Checks what is sent to channels with other people's implementations of the same standards.

usage: check_channels.py SAMPLES

SAMPLES is a JSON file that the tests of Channels write. Needs the Python packages standardwebhooks, PyJWT,
cryptography, http_ece and babel. Prints how much was checked; ends with 1 at the first difference.
"""
import base64
import collections
import datetime
import decimal
import email
import email.policy
import json
import sys

import babel
import babel.dates
import babel.numbers
import http_ece
import jwt
import standardwebhooks
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import ec


def unbase64(text):
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))


def same(seen, expected, what):
    if seen != expected:
        sys.exit(f"{what}: {seen!r} instead of {expected!r}")


def check_webhook(sample):
    """Each of the keys must verify on its own: that is how a receiver changes from one to the next."""
    for key in sample["keys"]:
        data = standardwebhooks.Webhook(key).verify(unbase64(sample["body"]), sample["headers"])
        same(data["data"]["id"], sample["id"], "id of a webhook")
        same(data["data"]["price"], sample["price"], "price of a webhook")
        same(sample["headers"]["webhook-id"], sample["id"], "webhook-id")


def check_mail(sample):
    message = email.message_from_bytes(unbase64(sample["message"]), policy=email.policy.default)
    parts = list(message.iter_parts())
    for part in [message] + parts:
        same(part.defects, [], "defects of a letter")
        for name, value in part.items():
            same(getattr(value, "defects", ()), (), f"defects of {name}: {value!r}")
    same(message["Subject"], sample["title"], "subject")
    same(message["To"].addresses[0].addr_spec, sample["to"], "receiver")
    same(message["To"].addresses[0].display_name, sample["name"], "receiver's name")
    same(message["From"].addresses[0].addr_spec, sample["from"], "sender")
    same(message["Date"].datetime.timestamp(), sample["now"], "date")
    same(message["List-Unsubscribe"], f"<{sample['unsubscribe']}>", "List-Unsubscribe")
    same(message["List-Unsubscribe-Post"], "List-Unsubscribe=One-Click", "List-Unsubscribe-Post")
    same([part.get_content_type() for part in parts], ["text/plain", "text/html"], "parts")
    text = parts[0].get_content().replace("\r\n", "\n")
    same(text.startswith(sample["title"] + "\n\n" + sample["text"]), True, f"text {text!r}")
    same(message["Message-ID"].count("@"), 1, "Message-ID")


def check_apns(sample):
    key = serialization.load_pem_private_key(sample["pem"].encode(), None).public_key()
    token = sample["headers"]["authorization"].removeprefix("bearer ")
    # The token is made at a time of the past or of now, and holds no end.
    claims = jwt.decode(token, key, algorithms=["ES256"])
    same(claims, {"iss": sample["team"], "iat": sample["now"]}, "claims for APNs")
    same(jwt.get_unverified_header(token), {"alg": "ES256", "kid": sample["key"]}, "header for APNs")
    body = unbase64(sample["body"])
    same(len(body) <= 4096, True, "size of a payload")
    aps = json.loads(body)["aps"]
    same(aps["alert"]["title"], sample["title"], "title of a push")


def check_web_push(sample):
    private = ec.derive_private_key(int.from_bytes(unbase64(sample["receiver"]), "big"), ec.SECP256R1())
    plain = http_ece.decrypt(
        unbase64(sample["body"]), private_key=private, auth_secret=unbase64(sample["auth"]),
        version="aes128gcm")
    payload = json.loads(plain)
    same(payload["title"], sample["title"], "title of a browser's push")
    same(len(unbase64(sample["body"])) <= 4096, True, "size of a browser's push")
    parts = dict(part.strip().split("=", 1) for part in
                 sample["headers"]["Authorization"].removeprefix("vapid ").split(","))
    point = ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), unbase64(parts["k"]))
    claims = jwt.decode(parts["t"], point, algorithms=["ES256"], audience=sample["audience"])
    same(claims["sub"], sample["subject"], "subject of VAPID")
    same(0 < claims["exp"] - sample["now"] <= 24 * 3600, True, "end of a VAPID token")


def check_number(sample):
    number = decimal.Decimal(sample["number"])
    # Babel does not know that Spanish groups no number of four digits; CLDR's minimumGroupingDigits says so.
    group = not (sample["language"] == "es" and abs(number) < 10000)
    options = {"locale": sample["language"], "group_separator": group}
    places = max(-number.as_tuple().exponent, 0)
    pattern = "#,##0" + ("." + "0" * places if places else "")
    same(sample["text"], babel.numbers.format_decimal(number, pattern, **options), "number")
    currency = sample["currency"]
    standard = babel.Locale(sample["language"]).currency_formats["standard"].pattern
    pattern = standard.split(";")[0].replace(".00", "." + "0" * places if places else "")
    money = babel.numbers.format_currency(
        number, currency, pattern, currency_digits=False, decimal_quantization=False, **options)
    # CLDR sets a space between letters and digits (currencySpacing), which Babel leaves out.
    if not standard.endswith("\u00a4") and currency.isalpha() and currency in money:
        money = money.replace(currency, currency + "\u00a0")
    same(sample["money"], money, f"money in {sample['language']}")


def check_time(sample):
    zone = datetime.timezone(datetime.timedelta(seconds=sample["offset"]))
    time = datetime.datetime.fromtimestamp(sample["seconds"], zone)
    text = babel.dates.format_datetime(time, "medium", tzinfo=zone, locale=sample["language"])
    # An ordinary space stands where CLDR has a narrow one that mail and chat programs often cannot show.
    same(sample["text"].rsplit(" ", 1)[0], text.replace("\u202f", " "), f"time in {sample['language']}")


def check_plural(sample):
    same(sample["form"], babel.Locale(sample["language"]).plural_form(sample["count"]), "plural")


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        samples = json.load(file)
    checks = {
        "webhook": check_webhook, "mail": check_mail, "apns": check_apns, "web_push": check_web_push,
        "number": check_number, "time": check_time, "plural": check_plural,
    }
    counts = collections.Counter()
    for sample in samples:
        checks[sample["kind"]](sample)
        counts[sample["kind"]] += 1
    same(set(counts), set(checks), "kinds of samples")
    print(", ".join(f"{counts[kind]} {kind}" for kind in checks))


if __name__ == "__main__":
    main()
