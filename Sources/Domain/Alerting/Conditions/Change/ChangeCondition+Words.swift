extension ChangeCondition {
    /// What its forms are called and say.
    public static let words: ConditionWords = [
        "change": [
            "en": FormWords(
                "Price moves fast",
                "A price moves by a share of itself in a short time.",
                says: [
                    "down.extreme": """
                    {price} of {name} falls by {percent} or more within {within}, from its highest \
                    of that time
                    """,
                    "down.start": "{price} of {name} falls by {percent} or more within {within}",
                    "either.extreme": """
                    {price} of {name} rises or falls by {percent} or more within {within}, from its \
                    lowest or highest of that time
                    """,
                    "either.start": "{price} of {name} rises or falls by {percent} or more within {within}",
                    "up.extreme": """
                    {price} of {name} rises by {percent} or more within {within}, from its lowest of\
                     that time
                    """,
                    "up.start": "{price} of {name} rises by {percent} or more within {within}",
                ]),
            "de": FormWords(
                "Preis bewegt sich schnell",
                "Ein Preis bewegt sich in kurzer Zeit um einen Anteil.",
                says: [
                    "down.extreme": """
                    {price} von {name}, von dem Höchsten dieser Zeit an, binnen {within} um \
                    {percent} oder mehr fällt
                    """,
                    "down.start": "{price} von {name} binnen {within} um {percent} oder mehr fällt",
                    "either.extreme": """
                    {price} von {name}, von dem Tiefsten oder Höchsten dieser Zeit an, binnen \
                    {within} um {percent} oder mehr steigt oder fällt
                    """,
                    "either.start": """
                    {price} von {name} binnen {within} um {percent} oder mehr steigt oder fällt
                    """,
                    "up.extreme": """
                    {price} von {name}, von dem Tiefsten dieser Zeit an, binnen {within} um \
                    {percent} oder mehr steigt
                    """,
                    "up.start": "{price} von {name} binnen {within} um {percent} oder mehr steigt",
                ]),
            "es": FormWords(
                "El precio se mueve rápido",
                "Un precio se mueve un porcentaje en poco tiempo.",
                says: [
                    "down.extreme": """
                    {price} de {name} baje {percent} o más en {within}, desde su máximo de ese \
                    tiempo
                    """,
                    "down.start": "{price} de {name} baje {percent} o más en {within}",
                    "either.extreme": """
                    {price} de {name} suba o baje {percent} o más en {within}, desde su mínimo o \
                    máximo de ese tiempo
                    """,
                    "either.start": "{price} de {name} suba o baje {percent} o más en {within}",
                    "up.extreme": """
                    {price} de {name} suba {percent} o más en {within}, desde su mínimo de ese \
                    tiempo
                    """,
                    "up.start": "{price} de {name} suba {percent} o más en {within}",
                ]),
            "ja": FormWords(
                "価格が急変",
                "短時間に価格が一定の割合だけ動いたとき。",
                says: [
                    "down.extreme": "{name}の{price}がその間の最高値から{within}以内に{percent}以上下落した",
                    "down.start": "{name}の{price}が{within}以内に{percent}以上下落した",
                    "either.extreme": "{name}の{price}がその間の最安値または最高値から{within}以内に{percent}以上上昇または下落した",
                    "either.start": "{name}の{price}が{within}以内に{percent}以上上昇または下落した",
                    "up.extreme": "{name}の{price}がその間の最安値から{within}以内に{percent}以上上昇した",
                    "up.start": "{name}の{price}が{within}以内に{percent}以上上昇した",
                ]),
        ],
        "change_amount": [
            "en": FormWords(
                "Price moves by an amount",
                "A price moves by so much in a short time.",
                says: [
                    "down.extreme": """
                    {price} of {name} falls by {amount} or more within {within}, from its highest of\
                     that time
                    """,
                    "down.start": "{price} of {name} falls by {amount} or more within {within}",
                    "either.extreme": """
                    {price} of {name} rises or falls by {amount} or more within {within}, from its \
                    lowest or highest of that time
                    """,
                    "either.start": "{price} of {name} rises or falls by {amount} or more within {within}",
                    "up.extreme": """
                    {price} of {name} rises by {amount} or more within {within}, from its lowest of \
                    that time
                    """,
                    "up.start": "{price} of {name} rises by {amount} or more within {within}",
                ], labels: ["amount": "Moves by"]),
            "de": FormWords(
                "Preis bewegt sich um einen Betrag",
                "Ein Preis bewegt sich in kurzer Zeit um so viel.",
                says: [
                    "down.extreme": """
                    {price} von {name}, von dem Höchsten dieser Zeit an, binnen {within} um {amount}\
                     oder mehr fällt
                    """,
                    "down.start": "{price} von {name} binnen {within} um {amount} oder mehr fällt",
                    "either.extreme": """
                    {price} von {name}, von dem Tiefsten oder Höchsten dieser Zeit an, binnen \
                    {within} um {amount} oder mehr steigt oder fällt
                    """,
                    "either.start": """
                    {price} von {name} binnen {within} um {amount} oder mehr steigt oder fällt
                    """,
                    "up.extreme": """
                    {price} von {name}, von dem Tiefsten dieser Zeit an, binnen {within} um {amount}\
                     oder mehr steigt
                    """,
                    "up.start": "{price} von {name} binnen {within} um {amount} oder mehr steigt",
                ], labels: ["amount": "Bewegt sich um"]),
            "es": FormWords(
                "El precio se mueve una cantidad",
                "Un precio se mueve esa cantidad en poco tiempo.",
                says: [
                    "down.extreme": """
                    {price} de {name} baje {amount} o más en {within}, desde su máximo de ese tiempo
                    """,
                    "down.start": "{price} de {name} baje {amount} o más en {within}",
                    "either.extreme": """
                    {price} de {name} suba o baje {amount} o más en {within}, desde su mínimo o \
                    máximo de ese tiempo
                    """,
                    "either.start": "{price} de {name} suba o baje {amount} o más en {within}",
                    "up.extreme": """
                    {price} de {name} suba {amount} o más en {within}, desde su mínimo de ese tiempo
                    """,
                    "up.start": "{price} de {name} suba {amount} o más en {within}",
                ], labels: ["amount": "Se mueve"]),
            "ja": FormWords(
                "価格が一定額動く",
                "短時間に価格が指定した額だけ動いたとき。",
                says: [
                    "down.extreme": "{name}の{price}がその間の最高値から{within}以内に{amount}以上下落した",
                    "down.start": "{name}の{price}が{within}以内に{amount}以上下落した",
                    "either.extreme": "{name}の{price}がその間の最安値または最高値から{within}以内に{amount}以上上昇または下落した",
                    "either.start": "{name}の{price}が{within}以内に{amount}以上上昇または下落した",
                    "up.extreme": "{name}の{price}がその間の最安値から{within}以内に{amount}以上上昇した",
                    "up.start": "{name}の{price}が{within}以内に{amount}以上上昇した",
                ], labels: ["amount": "変動額"]),
        ],
    ]
}
