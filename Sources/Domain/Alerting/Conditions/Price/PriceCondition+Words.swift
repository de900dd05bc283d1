extension PriceCondition {
    static let words: ConditionWords = [
        "price": [
            "en": FormWords(
                "Price reaches a level",
                "The simplest one: a price passes a level of yours.",
                says: [
                    "above": "{price} of {name} rises above {level}",
                    "below": "{price} of {name} falls below {level}",
                    "either": "{price} of {name} passes {level}, rising or falling",
                ]),
            "de": FormWords(
                "Preis erreicht eine Marke",
                "Das Einfachste: Ein Preis kreuzt deine Marke.",
                says: [
                    "above": "{price} von {name} über {level} steigt",
                    "below": "{price} von {name} unter {level} fällt",
                    "either": "{price} von {name} {level} kreuzt, steigend oder fallend",
                ]),
            "es": FormWords(
                "El precio llega a un nivel",
                "La más sencilla: un precio cruza tu nivel.",
                says: [
                    "above": "{price} de {name} suba por encima de {level}",
                    "below": "{price} de {name} baje por debajo de {level}",
                    "either": "{price} de {name} cruce {level}, al subir o al bajar",
                ]),
            "ja": FormWords(
                "価格が水準に到達",
                "もっとも簡単:価格が指定した水準を超えたとき。",
                says: [
                    "above": "{name}の{price}が{level}を上回った",
                    "below": "{name}の{price}が{level}を下回った",
                    "either": "{name}の{price}が上下いずれかに{level}を超えた",
                ]),
        ],
        "band": [
            "en": FormWords(
                "Price leaves a band",
                "A price was between two edges and is no longer.",
                says: [
                    "": "{price} of {name} leaves the band from {low} to {high}"
                ]),
            "de": FormWords(
                "Preis verlässt ein Band",
                "Ein Preis war zwischen zwei Rändern und ist es nicht mehr.",
                says: [
                    "": "{price} von {name} den Bereich von {low} bis {high} verlässt"
                ]),
            "es": FormWords(
                "El precio sale de una banda",
                "Un precio estaba entre dos límites y ya no.",
                says: [
                    "": "{price} de {name} salga de la banda de {low} a {high}"
                ]),
            "ja": FormWords(
                "価格が範囲を外れる",
                "2つの価格の間にあった価格がその外に出たとき。",
                says: [
                    "": "{name}の{price}が{low}〜{high}の範囲から外れた"
                ]),
        ],
    ]
}
