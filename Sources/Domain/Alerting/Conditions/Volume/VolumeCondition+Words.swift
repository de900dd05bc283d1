extension VolumeCondition {
    /// What its forms are called and say.
    public static let words: ConditionWords = [
        "volume": [
            "en": FormWords(
                "Much is traded",
                "So much changes hands in a time.",
                says: [
                    "": "at least {above} of {name} is traded within {within}"
                ]),
            "de": FormWords(
                "Es wird viel gehandelt",
                "So viel wechselt in einer Zeit den Besitzer.",
                says: [
                    "": "von {name} binnen {within} mindestens {above} gehandelt wird"
                ]),
            "es": FormWords(
                "Se negocia mucho",
                "Se negocia esa cantidad en un tiempo.",
                says: [
                    "": "se negocie al menos {above} de {name} en {within}"
                ]),
            "ja": FormWords(
                "出来高が多い",
                "一定時間にこれだけ取引されたとき。",
                says: [
                    "": "{name}の出来高が{within}以内に{above}以上になった"
                ]),
        ],
        "volume_times": [
            "en": FormWords(
                "More is traded than usual",
                "Trade is livelier than it was just before.",
                says: [
                    "": """
                    {times} times as much of {name} is traded within {within} as in the mean of the \
                    {average_of} such spans before
                    """
                ]),
            "de": FormWords(
                "Mehr als üblich wird gehandelt",
                "Es wird lebhafter gehandelt als kurz zuvor.",
                says: [
                    "": """
                    von {name} binnen {within} das {times}-Fache des Mittels der {average_of} \
                    Zeiträume davor gehandelt wird
                    """
                ]),
            "es": FormWords(
                "Se negocia más de lo normal",
                "Hay más actividad que justo antes.",
                says: [
                    "": """
                    se negocie en {within} {times} veces más de {name} que la media de los \
                    {average_of} periodos anteriores
                    """
                ]),
            "ja": FormWords(
                "普段より出来高が多い",
                "直前より取引が活発になったとき。",
                says: [
                    "": "{name}の{within}の出来高が直前{average_of}期間の平均の{times}倍になった"
                ]),
        ],
    ]
}
