#!/usr/bin/env python3
"""Uses the gallery's page as a person does: types, starts a run, looks at the timeline.

  Scripts/browser Examples/Gallery/Tests/Browser/page_test.py PROGRAM
"""

import os
import re
import sys
import tempfile
from urllib.parse import urlsplit

from playwright.sync_api import expect

from serving import SECONDS, browser, serving

# Records each text that an element shows, together with the text in the search field at that moment.
RECORD = """id => {
  const element = document.getElementById(id), shown = (window.shown ??= {})[id] = []
  const note = () => shown.push([document.getElementById("text").value, element.textContent])
  new MutationObserver(note).observe(element, { childList: true, characterData: true, subtree: true })
}"""


def check(condition, what):
    if not condition:
        raise SystemExit(f"error: {what}")


def shown(page, name):
    return page.evaluate("name => window.shown[name]", name)


def has_pictures(page, people, count):
    """Waits until a list has the given number of pictures, all of them drawn."""
    page.wait_for_function(
        """([list, count]) => {
          const images = [...document.querySelectorAll(`${list} img`)]
          return images.length === count && images.every(image => image.complete && image.naturalWidth > 0)
        }""", arg=[people, count])


def search(page):
    answers = []
    page.on("response", lambda response: "/search?" in response.url and answers.append(response.status))
    page.evaluate(RECORD, "found")
    # Types slowly enough for a search of each text. The first answer takes a second longer than the last one.
    page.get_by_role("searchbox", name="Name, or a part of it").press_sequentially("ada", delay=250)
    # On a busy machine, the second search may be answered before the last key arrives, and is then not stale.
    expect(page.locator("#log li")).to_have_text(["a: stopped", re.compile(r"ad: \w+"), "ada: 1"])
    expect(page.locator("#found")).to_have_text("1 person for “ada”")
    has_pictures(page, "#people", 1)
    check(len(answers) == 3 and answers.count(204) >= 1, f"the searches were answered with {answers}")
    for typed, text in shown(page, "found"):
        check(f"“{typed}”" in text, f"'{text}' was shown when '{typed}' was in the field")
    log = ", ".join(page.locator("#log li").all_text_contents())
    print(f"search: {log}; no answer was shown beside another text")


def run(page):
    page.evaluate(RECORD, "percent")
    page.get_by_role("button", name="Load all avatars").click()
    expect(page.locator("#run")).to_contain_text("30 of 30 pictures")
    expect(page.get_by_role("progressbar", name="Avatars loaded")).to_have_js_property("position", 1)
    has_pictures(page, "#loaded", 30)
    percents = [int(text.split()[0]) for _, text in shown(page, "percent")]
    check(percents == sorted(percents) and percents[0] == 0 and percents[-1] == 100, f"the progress was {percents}")
    steps = len({percent for percent in percents if 0 < percent < 100})
    check(steps >= 20, f"the progress had {steps} steps: {percents}")
    expect(page.locator("#tally")).to_have_text("30 of 30, 0 in flight, 4 retried, 0 failed")
    print(f"run: {page.locator('#run').text_content()}; the progress rose to 100 % in {steps} steps in between")


def timeline(page):
    frame = page.frame_locator("iframe")
    expect(frame.locator("h1")).to_have_text(re.compile(r"\d+ promises in .* s"))
    lines, bars = frame.locator(".name:visible"), frame.locator("li .bars:visible i")
    check(frame.locator(".report").count() == 0, "a run without a mistake has one on its timeline")
    check(frame.locator("details[open]").count() == 0, "a fold of the timeline is open at first")
    folded = lines.count()
    check(0 < folded < frame.locator("li").count() / 4, f"{folded} lines are not folded")
    # The keyboard opens a fold.
    fold = frame.locator("summary:has(small)").first
    fold.press("Enter")
    check(lines.count() > folded, "the Return key opened no fold")
    fold.press("Enter")
    frame.get_by_role("button", name="Open all").click()
    check(lines.count() > 100 and bars.count() > lines.count(), f"{lines.count()} lines with {bars.count()} bars")
    for bar in bars.all()[:20]:
        check(bar.bounding_box()["width"] >= 1, "a bar of the timeline has no width")
    print(f"timeline: {frame.locator('h1').text_content()}, {folded} lines, {bars.count()} bars")
    frame.get_by_role("button", name="Close all").click()
    check(lines.count() == folded, f"{lines.count()} of {folded} lines are left after all folds were closed")
    frame.get_by_role("searchbox").fill("httpclient.swift UTILITY")
    expect(frame.locator("output")).to_have_text(re.compile(r"^\d+ of \d+ lines$"))
    found = int(frame.locator("output").text_content().split()[0])
    texts = [text.lower() for text in frame.locator(".name b:visible").all_text_contents()]
    check(0 < found == sum("httpclient.swift" in text and "utility" in text for text in texts), f"{found}: {texts}")
    frame.get_by_role("searchbox").fill("")
    check(lines.count() == folded and frame.locator("details[open]").count() == 0, "the folds are not as before the search")
    frame.get_by_role("searchbox").fill("PictureLoader.swift")
    print(f"timeline: {frame.locator('output').text_content()} have PictureLoader.swift")


def stop(page, folder):
    page.get_by_role("button", name="Load all avatars").click()
    expect(page.locator("#loaded li")).not_to_have_count(0)
    page.get_by_role("button", name="Stop").click()
    expect(page.locator("#run")).to_have_text("Stopped.")
    check(page.locator("#loaded li").count() < 30, "the run was over before it was stopped")
    # A run begins when the previous run has removed its files.
    page.get_by_role("button", name="Load all avatars").click()
    expect(page.locator("#run")).to_contain_text("30 of 30 pictures")
    check(sorted(os.listdir(folder)) == ["avatars", "gallery.html"], f"the folder has {os.listdir(folder)}")
    print("stop: the run ended, and left nothing behind")


def appearance(page):
    colour = "getComputedStyle(document.body).backgroundColor"
    light = page.evaluate(colour)
    page.emulate_media(color_scheme="dark")
    check(page.evaluate(colour) != light, "the page is the same in the dark")
    page.set_viewport_size({"width": 400, "height": 800})
    for frame in page.frames:
        width, content = frame.evaluate("[innerWidth, document.documentElement.scrollWidth]")
        check(content <= width, f"{frame.url} is {content} pixels wide in a window of {width}")
    print("appearance: light and dark differ, and 400 pixels are wide enough")


def main():
    expect.set_options(timeout=SECONDS * 1000)
    with tempfile.TemporaryDirectory() as folder, serving(sys.argv[1], folder) as address, browser() as chromium:
        page = chromium.new_page()
        page.set_default_timeout(SECONDS * 1000)
        complaints, requests = [], []
        page.on("console", lambda message: message.type in ("error", "warning") and complaints.append(message.text))
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.on("request", lambda request: requests.append(request.url))
        page.goto(address)
        search(page)
        run(page)
        timeline(page)
        stop(page, folder)
        appearance(page)
        check(not complaints, f"the console has {complaints}")
        others = [url for url in requests if urlsplit(url).netloc != urlsplit(address).netloc and not url.startswith("data:")]
        check(not others, f"the page asked {others}")
        print(f"console: no errors; network: {len(requests)} requests, none to another host")


if __name__ == "__main__":
    main()
