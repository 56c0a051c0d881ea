"""Opens reports in a real browser. Usage: browser_test.py PATH_OF_CONVOY [--keep FOLDER]

With --keep the screenshots are left in that folder. Exit code 77 where there is no browser or no Selenium.
"""
import pathlib
import shutil
import sys
import unittest

sys.dont_write_bytecode = True  # nothing is left beside the sources
sys.path.append(str(pathlib.Path(__file__).parent))
from commands import SMALL, Commands  # pylint: disable=wrong-import-position

try:
    from selenium import webdriver
    from selenium.webdriver.chrome.options import Options
    from selenium.webdriver.chrome.service import Service
except ImportError:
    print("skipped: Selenium is not installed (Debian: python3-selenium)")
    sys.exit(77)
DRIVER, BROWSER = shutil.which("chromedriver"), shutil.which("chromium")
if DRIVER is None or BROWSER is None:
    print("skipped: there is no browser (Debian: chromium chromium-driver)")
    sys.exit(77)

CONVOY = sys.argv.pop(1)
KEEP = None
if "--keep" in sys.argv:
    at = sys.argv.index("--keep")
    KEEP = pathlib.Path(sys.argv[at + 1])
    KEEP.mkdir(parents=True, exist_ok=True)
    del sys.argv[at:at + 2]

# Of each figure: its size, how many shapes it draws, and whether it has a title and a table.
FIGURES = """
return Array.from(document.querySelectorAll('figure')).map(figure => {
  const svg = figure.querySelector('svg');
  const box = svg ? svg.getBoundingClientRect() : {width: 0, height: 0};
  const marks = svg ? svg.querySelectorAll('path, circle, rect, polyline, polygon, use, line').length : 0;
  return {caption: figure.textContent.trim().slice(0, 60), width: box.width, height: box.height, marks: marks,
          named: !!(svg && svg.querySelector('title')), table: !!figure.querySelector('table')};
});
"""
# What the page fetched, which must be nothing: everything is in the file.
RESOURCES = "return performance.getEntriesByType('resource').filter(e => !e.name.startsWith('data:')).map(e => e.name);"
# By how many pixels the page is wider than the screen; on a phone it would scroll sideways.
OVERFLOW = "return document.documentElement.scrollWidth - document.documentElement.clientWidth;"


class BrowserTest(Commands):
    convoy = CONVOY

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        options = Options()
        options.binary_location = BROWSER
        for argument in ("--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--hide-scrollbars"):
            options.add_argument(argument)
        options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
        cls.browser = webdriver.Chrome(service=Service(DRIVER), options=options)
        cls.addClassCleanup(cls.browser.quit)

    def look_at(self, page, figures):
        self.browser.set_window_size(1200, 1000)
        self.browser.get(page.as_uri())
        self.assertEqual([entry for entry in self.browser.get_log("browser") if entry["level"] == "SEVERE"], [])
        self.assertEqual(self.browser.execute_script(RESOURCES), [])
        found = self.browser.execute_script(FIGURES)
        self.assertGreaterEqual(len(found), figures, found)
        for figure in found:
            self.assertGreater(figure["width"], 200, figure)
            self.assertGreater(figure["height"], 100, figure)
            self.assertGreater(figure["marks"], 3, figure)
            self.assertTrue(figure["named"], figure)
            self.assertTrue(figure["table"], figure)
        self.screenshot(page.parent.name + "-wide", 1200)
        self.screenshot(page.parent.name + "-phone", 390)
        self.assertLessEqual(self.browser.execute_script(OVERFLOW), 0, "sideways scrolling on a phone")

    def screenshot(self, name, width):
        self.browser.set_window_size(width, 1000)
        if KEEP is None:
            return
        height = self.browser.execute_script("return document.documentElement.scrollHeight")
        self.browser.set_window_size(width, height)
        self.browser.save_screenshot(str(KEEP / (name + ".png")))

    def test_scaling(self):
        self.run_convoy(0, "study", "scale", *SMALL, "--workers", "1,2", "--allreduce", "auto,ring", "--epochs", 3,
                        "--repeats", 2, "--price", 1, "--study-dir", "scale")
        self.look_at(self.folder / "scale" / "report.html", 6)

    def test_sweep(self):
        self.run_convoy(0, "study", "sweep", *SMALL[:4], "--threads", 1, "--repeats", 1, "--lr", "0.01,0.02,1e30", "--batch", "24,48",
                        "--epochs", 2, "--study-dir", "sweep")
        self.look_at(self.folder / "sweep" / "report.html", 3)

    def test_convergence(self):
        self.run_convoy(0, "study", "converge", *SMALL, "--instances", "1,2", "--epochs", 3, "--repeats", 2,
                        "--study-dir", "converge")
        self.look_at(self.folder / "converge" / "report.html", 2)

    def test_import(self):
        logs = [self.write_log(f"lab-cpu-lenet-nodes{n}.log", [100 * n, 90 * n]) for n in (1, 2, 4)]
        self.run_convoy(0, "study", "import", *logs, "--study-dir", "import")
        self.look_at(self.folder / "import" / "report.html", 2)


if __name__ == "__main__":
    unittest.main()
