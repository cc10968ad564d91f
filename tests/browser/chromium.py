"""Chromium without a window, driven by its own protocol over a pipe: no library is needed."""
import json
import os
import shutil
import subprocess
import tempfile


class Gone(Exception):
    """The browser has ended."""


class Chromium:
    """A browser. Use it in a `with`; messages of pages are in `errors`."""

    def __init__(self, path="chromium"):
        self.path = shutil.which(path)
        self.errors, self.count = [], 0

    def __enter__(self):
        to_read, self.to_write = os.pipe()
        self.to_get, to_send = os.pipe()
        self.profile = tempfile.mkdtemp()

        def place():
            # The browser reads commands from 3 and writes answers to 4.
            a, b = os.dup(to_read), os.dup(to_send)
            os.dup2(a, 3)
            os.dup2(b, 4)

        self.process = subprocess.Popen(
            [self.path, "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage",
             "--remote-debugging-pipe", "--hide-scrollbars", f"--user-data-dir={self.profile}", "about:blank"],
            preexec_fn=place, close_fds=False, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(to_read)
        os.close(to_send)
        self.answers = os.fdopen(self.to_get, "rb")
        self.buffer = b""
        self.session = None
        try:
            self.attach()
        except Gone:
            self.__exit__()
            raise
        return self

    def attach(self):
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        self.session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.call(domain + ".enable")

    def __exit__(self, *_):
        self.process.kill()
        self.process.wait()
        os.close(self.to_write)
        self.answers.close()
        shutil.rmtree(self.profile, ignore_errors=True)

    def message(self):
        while b"\0" not in self.buffer:
            some = os.read(self.to_get, 1 << 16)
            if not some:
                raise Gone
            self.buffer += some
        one, self.buffer = self.buffer.split(b"\0", 1)
        return json.loads(one)

    def note(self, message):
        method, params = message.get("method"), message.get("params", {})
        if method == "Runtime.exceptionThrown":
            details = params["exceptionDetails"]
            self.errors.append(details.get("exception", {}).get("description", details["text"]))
        elif method == "Runtime.consoleAPICalled" and params["type"] in ("error", "warning"):
            self.errors.append(str([a.get("value", a.get("description")) for a in params["args"]]))
        elif method == "Log.entryAdded" and params["entry"]["level"] in ("error", "warning"):
            self.errors.append(params["entry"]["text"])
        elif method == "Network.requestWillBeSent":
            url = params["request"]["url"]
            if not url.startswith(("file:", "data:", "blob:", "about:")):
                self.errors.append("asks the network for " + url)

    def call(self, method, **params):
        self.count += 1
        command = {"id": self.count, "method": method, "params": params}
        if self.session:
            command["sessionId"] = self.session
        try:
            os.write(self.to_write, json.dumps(command).encode() + b"\0")
        except BrokenPipeError:
            raise Gone from None
        while True:
            message = self.message()
            if message.get("id") != self.count:
                self.note(message)
                continue
            assert "error" not in message, message
            return message["result"]

    def size(self, width, height, is_dark=False):
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1,
                  mobile=False)
        self.call("Emulation.setEmulatedMedia",
                  features=[{"name": "prefers-color-scheme", "value": "dark" if is_dark else "light"}])

    def open(self, path):
        self.call("Page.navigate", url="file://" + os.path.realpath(path))
        while True:
            message = self.message()
            self.note(message)
            if message.get("method") == "Page.loadEventFired":
                return

    def run(self, script):
        """Returns the value of an expression, whose promise is awaited."""
        answer = self.call("Runtime.evaluate", expression=script, returnByValue=True, awaitPromise=True)
        assert "exceptionDetails" not in answer, answer["exceptionDetails"]
        return answer["result"].get("value")

    def key(self, key):
        self.call("Input.dispatchKeyEvent", type="keyDown", text=key, key=key)
        self.call("Input.dispatchKeyEvent", type="keyUp", key=key)

    def screenshot(self, path):
        import base64
        image = self.call("Page.captureScreenshot", format="png")["data"]
        with open(path, "wb") as to:
            to.write(base64.b64decode(image))
