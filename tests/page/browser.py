"""A browser without a window, driven over WebDriver: chromedriver and Python's standard library.

    with Browser() as browser:
        browser.open(path)
        browser.point("#lines", 40, 12)
        browser.run("return document.title")
"""
import base64, json, os, pathlib, re, subprocess, urllib.error, urllib.request

ELEMENT = "element-6066-11e4-a52e-4f735466cecf"  # what WebDriver calls an element in its answers


class Browser:
    def __init__(self):
        self.driver = subprocess.Popen(["chromedriver", "--port=0"], text=True,
                                       stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        self.url = None
        for line in self.driver.stdout:
            if port := re.search(r"successfully on port (\d+)", line):
                self.url = f"http://127.0.0.1:{port[1]}"
                break
        arguments = ["--headless=new", "--disable-gpu", "--no-first-run", "--hide-scrollbars",
                     "--disable-background-networking", "--force-device-scale-factor=1"]
        if os.getuid() == 0:  # root has no sandbox
            arguments.append("--no-sandbox")
        asked = {"browserName": "chrome", "goog:chromeOptions": {"args": arguments},
                 "goog:loggingPrefs": {"browser": "ALL", "performance": "ALL"}}
        session = self.call("POST", "/session", {"capabilities": {"alwaysMatch": asked}})
        self.url += f"/session/{session['sessionId']}"

    def __enter__(self):
        return self

    def __exit__(self, *_):
        try:
            self.call("DELETE", "")
        finally:
            self.driver.kill()
            self.driver.wait()

    def call(self, method, path, body=None):
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(self.url + path, data, method=method,
                                         headers={"Content-Type": "application/json"})
        try:
            with urllib.request.urlopen(request, timeout=120) as answer:
                return json.load(answer)["value"]
        except urllib.error.HTTPError as error:
            raise RuntimeError(json.load(error)["value"]["message"].split("\n")[0]) from None

    def devtools(self, command, **parameters):
        return self.call("POST", "/goog/cdp/execute", {"cmd": command, "params": parameters})

    def open(self, path):
        self.call("POST", "/url", {"url": pathlib.Path(path).resolve().as_uri()})

    def run(self, script, *arguments):
        return self.call("POST", "/execute/sync", {"script": script, "args": list(arguments)})

    def settle(self):
        """Waits until what was asked for is drawn: two frames."""
        self.call("POST", "/execute/async", {"args": [], "script":
                  "const done = arguments[0];"
                  "requestAnimationFrame(() => requestAnimationFrame(() => done()))"})

    def size(self, width, height, phone=False):
        self.devtools("Emulation.setDeviceMetricsOverride", width=width, height=height,
                      deviceScaleFactor=2 if phone else 1, mobile=phone)
        self.devtools("Emulation.setTouchEmulationEnabled", enabled=phone)

    def theme(self, name):
        self.devtools("Emulation.setEmulatedMedia",
                      features=[{"name": "prefers-color-scheme", "value": name}])

    def all(self, selector):
        return self.call("POST", "/elements", {"using": "css selector", "value": selector})

    def text(self, selector):
        return self.call("GET", f"/element/{self.all(selector)[0][ELEMENT]}/text")

    def style(self, selector, name):
        return self.call("GET", f"/element/{self.all(selector)[0][ELEMENT]}/css/{name}")

    def act(self, kind, actions, **more):
        self.call("POST", "/actions", {"actions": [
            {"type": kind, "id": kind, "actions": actions, **more}]})
        self.settle()

    def point(self, x, y, clicks=0):
        """The mouse goes to a place of the window, and clicks there."""
        presses = [{"type": kind, "button": 0} for kind in ("pointerDown", "pointerUp")] * clicks
        self.act("pointer", [{"type": "pointerMove", "x": int(x), "y": int(y), "duration": 0},
                             *presses], parameters={"pointerType": "mouse"})

    def middle(self, selector, index=0):
        return self.run("const e = document.querySelectorAll(arguments[0])[arguments[1]];"
                        "e.scrollIntoView({block: 'nearest'});"
                        "const b = e.getBoundingClientRect();"
                        "return [b.x + b.width / 2, b.y + b.height / 2]", selector, index)

    def hover(self, selector, index=0):
        self.point(*self.middle(selector, index))

    def click(self, selector, index=0, times=1):
        self.point(*self.middle(selector, index), times)

    def press(self, *keys):
        self.act("key", [{"type": kind, "value": key} for key in keys
                         for kind in ("keyDown", "keyUp")])

    def picture(self, path, full=False):
        shot = self.devtools("Page.captureScreenshot", captureBeyondViewport=full)
        pathlib.Path(path).write_bytes(base64.b64decode(shot["data"]))

    def pdf(self):
        return base64.b64decode(self.devtools("Page.printToPDF", printBackground=True)["data"])

    def log(self, kind):
        return self.call("POST", "/se/log", {"type": kind})
