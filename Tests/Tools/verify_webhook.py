"""Verifies webhooks with the reference implementation of Standard Webhooks.

    verify_webhook.py SECRET < lines of JSON {"headers": {…}, "body": "…"}

Prints `ok` or why not, a line each.
"""

import json
import sys

from standardwebhooks import Webhook

webhook = Webhook(sys.argv[1])
for line in sys.stdin:
    message = json.loads(line)
    try:
        webhook.verify(message["body"], message["headers"])
        print("ok")
    except Exception as error:  # Whatever it raises is what the test wants to see.
        print(f"{type(error).__name__}: {error}")
