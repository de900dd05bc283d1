extension OpenInterestCondition {
    static let words: ConditionWords = [
        "open_interest": [
            "en": FormWords(
                "Open interest reaches a level",
                "More or less of a derivative is open.",
                says: [
                    "above": "the open interest of {name} rises above {level}",
                    "below": "the open interest of {name} falls below {level}",
                    "either": "the open interest of {name} passes {level}, rising or falling",
                ]),
            "de": FormWords(
                "Open Interest erreicht eine Marke",
                "Von einem Derivat ist mehr oder weniger offen.",
                says: [
                    "above": "das Open Interest von {name} über {level} steigt",
                    "below": "das Open Interest von {name} unter {level} fällt",
                    "either": "das Open Interest von {name} {level} kreuzt, steigend oder fallend",
                ]),
            "es": FormWords(
                "El interés abierto llega a un nivel",
                "Hay más o menos contratos abiertos de un derivado.",
                says: [
                    "above": "el interés abierto de {name} suba por encima de {level}",
                    "below": "el interés abierto de {name} baje por debajo de {level}",
                    "either": "el interés abierto de {name} cruce {level}, al subir o al bajar",
                ]),
            "ja": FormWords(
                "建玉が水準に到達",
                "デリバティブの建玉が増減したとき。",
                says: [
                    "above": "{name}の建玉が{level}を上回った",
                    "below": "{name}の建玉が{level}を下回った",
                    "either": "{name}の建玉が上下いずれかに{level}を超えた",
                ]),
        ]
    ]
}
