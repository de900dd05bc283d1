"""The page about the API, as it is read by people.

The installation is that of page_test.py.
"""

import json
import re
import unittest
import urllib.request

import browser
from browser import block, complaints, find, go, keep, shape, text
from page import Page

SHOWN = """
    return [...document.querySelectorAll('details:not([hidden]) summary code')].map((one) => one.textContent);
"""
OPEN = "for (const one of document.querySelectorAll('details')) one.open = true"
# The first table of fields of a route: of its body, or else of its first answer.
FIELDS = """
    const [method, path] = arguments;
    const route = [...document.querySelectorAll('details')].find((one) =>
      one.querySelector('.method').textContent === method && one.querySelector('summary code').textContent === path);
    return [...route.querySelector('h4 ~ table').querySelectorAll('tbody tr')]
      .map((row) => [...row.cells].map((cell) => cell.textContent));
"""
# What the page says in its own words: neither the file's, which is marked as English, nor code, nor signs.
OWN = """
    const found = [document.title];
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    while (texts.nextNode()) {
      const { parentElement, textContent } = texts.currentNode;
      const isForeign = parentElement.closest('body [lang], code, strong');
      if (isForeign || !parentElement.checkVisibility()) continue;
      found.push(textContent);
    }
    for (const name of ['aria-label', 'title', 'alt', 'placeholder', 'value']) {
      for (const one of document.querySelectorAll(`body [${name}]`)) found.push(one.getAttribute(name));
    }
    const plain = found.map((one) => one.replace(/^[ |·]+|[ |·]+$/g, ''));
    return [...new Set(plain.filter((one) => /\\p{L}/u.test(one)))];
"""
# Not a word that the file says is taken for one of the page's language.
UNMARKED_FILE = """
    return [...document.querySelectorAll('details pre, details span:not(.method)')]
      .filter((one) => one.lang !== 'en').map((one) => one.outerHTML);
"""
SPOKEN = "const { lang, dir } = document.documentElement; return [lang, dir]"
SPEAK = "localStorage.setItem('bitpal.settings', JSON.stringify({ locale: arguments[0] }))"
GROUND = "return getComputedStyle(document.documentElement).backgroundColor"
# Half of the file comes, another one, or nothing of it.
HALF = """{
    const fetched = window.fetch;
    window.fetch = async (address, options) => {
      const answer = await fetched(address, options);
      if (!String(address).endsWith('/openapi.json')) return answer;
      const text = await answer.text();
      return new Response(text.slice(0, text.length / 2));
    };
}"""
OTHER = """{
    const fetched = window.fetch;
    window.fetch = async (address, options) => String(address).endsWith('/openapi.json')
      ? new Response('null') : await fetched(address, options);
}"""
NOTHING = """{
    const fetched = window.fetch;
    window.fetch = async (address, options) => String(address).endsWith('/openapi.json')
      ? new Response('', { status: 503 }) : await fetched(address, options);
}"""
# Files that came, but those that a catalogue or the browser chooses.
NEEDED = """
    return performance.getEntriesByType('resource').map((one) => new URL(one.name).pathname)
      .filter((path) => /\\.(js|css)$|^\\/openapi/.test(path));
"""


def document():
    """What the API says of itself."""
    with urllib.request.urlopen(browser.URL + "/openapi.json") as file:
        return json.load(file)


def words(language):
    """Texts about the API in a language."""
    with urllib.request.urlopen(f"{browser.URL}/i18n/{language}.json") as file:
        return {key: said for key, said in json.load(file).items() if key.startswith("docs.")}


class Docs(Page):
    """Somebody who writes a program."""

    def show(self):
        self.driver.get(browser.URL + "/docs")
        self.wait(lambda: self.driver.execute_script(SHOWN), "the routes")

    def before(self, script):
        """Runs in every page from now on, before its own scripts."""
        self.driver.execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument", {"source": script})

    def own(self):
        return set(self.driver.execute_script(OWN))

    def test_it_is_sound_on_every_screen(self):
        for width, height, scheme in browser.SHAPES:
            shape(self.driver, width, height, scheme)
            self.show()
            self.audit(f"the routes at {width}, {scheme}")
            self.driver.execute_script(OPEN)
            self.audit(f"all about them at {width}, {scheme}")
            keep(self.driver, f"docs-{width}-{scheme}")
            self.assertEqual(complaints(self.driver), [])

    def test_it_has_every_route_of_the_file_and_finds_them(self):
        self.show()
        paths = document()["paths"]
        self.assertEqual(sorted(self.driver.execute_script(SHOWN)),
            sorted(path for path, operations in paths.items() for _ in operations))
        self.driver.find_element("id", "find").send_keys("/v1/trades")
        self.wait(lambda: set(self.driver.execute_script(SHOWN)) == {
            path for path in paths if "/v1/trades" in path}, "what was looked for")

    def test_it_speaks_the_language_that_was_chosen_and_only_that(self):
        # Where long words have least room.
        shape(self.driver, 360, 740, "light")
        self.show()
        # Shown only while the file comes, where it does not, and for a route below no heading.
        seldom = {"docs.loading", "docs.failed", "docs.other"}
        english = {said.lower() for said in words("en").values()}
        for language in ["de", "es", "ja", "en"]:
            self.driver.execute_script(SPEAK, language)
            self.show()
            self.driver.execute_script(OPEN)
            self.assertEqual(self.driver.execute_script(SPOKEN), [language, "ltr"])
            said = words(language)
            self.assertEqual(self.own(), {one for key, one in said.items() if key not in seldom}, language)
            self.assertEqual(self.driver.execute_script(UNMARKED_FILE), [], language)
            if language != "en":
                same = {one for one in said.values() if one.lower() in english}
                # A word of both languages.
                self.assertEqual(same - {"Name"}, set(), language)
            self.audit(language)
            keep(self.driver, f"docs-{language}")
        self.assertEqual(complaints(self.driver), [])

    def test_it_has_no_word_outside_the_catalogue_and_goes_the_other_way(self):
        self.speak_pseudo()
        for script, key in [("", "docs.file"), (HALF, "docs.failed"), (NOTHING, "docs.failed")]:
            self.before(script)
            self.driver.get(browser.URL + "/docs")
            self.wait(lambda: find(self.driver, "main:not([aria-busy])"), "the page, as far as it comes")
            self.assertIn(f"⟦{words('en')[key]}⟧", self.own())
            self.driver.execute_script(OPEN)
            self.assertEqual(self.driver.execute_script(SPOKEN)[1], "rtl")
            self.assertEqual([said for said in self.own() if not re.fullmatch("⟦[^⟧]*⟧", said)], [])
            self.audit("from right to left")

    def test_it_has_the_theme_that_was_chosen(self):
        shape(self.driver, 1440, 900, "dark")
        self.show()
        dark = self.driver.execute_script(GROUND)
        shape(self.driver, 1440, 900, "light")
        self.show()
        light = self.driver.execute_script(GROUND)
        self.assertNotEqual(light, dark)
        for system, chosen, ground in [("light", "Dark", dark), ("dark", "Light", light)]:
            shape(self.driver, 1440, 900, system)
            go(self.driver, "/settings")
            self.choose("select[name=theme]", chosen)
            self.show()
            self.assertEqual(self.driver.execute_script(GROUND), ground, f"{chosen} on a {system} system")
            self.audit(f"{chosen} on a {system} system")
            keep(self.driver, f"docs-{chosen}-on-{system}")

    def test_it_shows_what_bodies_have_and_what_is_in_those(self):
        self.show()
        api = document()
        fields = self.driver.execute_script(FIELDS, "POST", "/v1/watchlists")
        self.assertEqual([(name, kind) for name, kind, _ in fields], [("name", "string · required")])
        fields = self.driver.execute_script(FIELDS, "GET", "/v1/watchlists")
        kinds = {name: kind for name, kind, _ in fields}
        self.assertEqual(kinds["items"], "Watchlist[] · required")
        self.assertEqual(kinds["next"], "string | null · required")
        own = api["components"]["schemas"]["Watchlist"]["properties"]
        self.assertEqual({name for name in kinds if name.startswith("items[].")}, {f"items[].{name}" for name in own})
        told = {name: meaning for name, _, meaning in fields}
        for name, schema in own.items():
            self.assertEqual(told[f"items[].{name}"], schema.get("description", ""))

    def test_it_shows_nothing_of_a_file_that_is_none_and_says_so(self):
        for script in [HALF, OTHER, NOTHING]:
            self.before(script)
            self.driver.get(browser.URL + "/docs")
            self.wait(lambda: words("en")["docs.failed"] in (text(self.driver, "main [role=alert]") or ""), "why not")
            self.assertEqual(self.driver.execute_script(SHOWN), [])
            self.audit("nothing of the file")

    def test_it_says_so_where_a_part_of_it_does_not_come(self):
        self.show()
        self.driver.execute_script(SPEAK, "de")
        block(self.driver, "*/app/dom.js")
        self.driver.get(browser.URL + "/docs")
        with urllib.request.urlopen(f"{browser.URL}/i18n/de.json") as file:
            title = json.load(file)["error.title"]
        self.wait(lambda: text(self.driver, "h1") == title, title)

    def test_it_names_all_its_files_so_that_they_come_side_by_side(self):
        self.show()
        named = set(self.driver.execute_script("return [...document.querySelectorAll('[href], [src]')]"
            ".map((one) => one.getAttribute('href') ?? one.getAttribute('src'))"))
        self.assertEqual(set(self.driver.execute_script(NEEDED)) - named, set())


if __name__ == "__main__":
    unittest.main(verbosity=2)
