# SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
"""A headless Chromium, driven over a pipe by its DevTools protocol.

    with Browser() as browser:
        page = browser.open(path)
        page.value('document.title')
"""
import base64
import fcntl
import json
import os
import select
import shutil
import subprocess
import tempfile
import time
from pathlib import Path

SECONDS = 90            # for an answer, and for what a page is waited for: the machine may be busy


def find():
    """The program, or None."""
    return next(filter(None, map(shutil.which, ('chromium', 'chromium-browser', 'google-chrome'))), None)


class Browser:
    def __init__(self, width=1400, height=860, dark=False):
        self.width, self.height, self.dark = width, height, dark
        self.folder = tempfile.TemporaryDirectory(prefix='ltt-html-')
        to_read, self.to_write = os.pipe()
        self.to_read, to_write = os.pipe()
        # The browser reads from descriptor 3, and writes to 4.
        command = [find(), '--headless=new', '--remote-debugging-pipe', '--no-sandbox', '--disable-gpu', '--no-first-run',
                   '--disable-extensions', '--disable-background-networking', '--disable-component-update', '--disable-sync',
                   '--disable-dev-shm-usage', '--hide-scrollbars', '--force-color-profile=srgb', f'--user-data-dir={self.folder.name}',
                   f'--window-size={width},{height}', 'about:blank']
        high = [fcntl.fcntl(fd, fcntl.F_DUPFD, 10) for fd in (to_read, to_write)]
        script = 'exec 3<&{0} 4>&{1} {0}<&- {1}>&-; exec "$@"'.format(*high)
        self.log = open(Path(self.folder.name) / 'log', 'w+b')
        self.process = subprocess.Popen(['bash', '-c', script, 'browser', *command], pass_fds=high,
                                        stdout=self.log, stderr=self.log)
        for fd in to_read, to_write, *high:
            os.close(fd)
        self.buffer, self.number, self.answers, self.events = b'', 0, {}, []

    def __enter__(self):
        return self

    def __exit__(self, *_):
        try:
            self.call('Browser.close')
            self.process.wait(10)
        except Exception:               # it may be gone
            self.process.kill()
            self.process.wait()
        os.close(self.to_write)
        os.close(self.to_read)
        self.log.close()
        self.folder.cleanup()

    def receive(self, deadline):
        """Take what has come; wait for more until the deadline."""
        if not select.select([self.to_read], [], [], max(0, deadline - time.monotonic()))[0]:
            raise TimeoutError('the browser does not answer')
        data = os.read(self.to_read, 1 << 20)
        if not data:
            self.log.seek(0)
            raise EOFError('the browser is gone: ' + self.log.read().decode(errors='replace')[-2000:])
        *messages, self.buffer = (self.buffer + data).split(b'\0')
        for message in map(json.loads, messages):
            if 'id' in message:
                self.answers[message['id']] = message
            else:
                self.events.append(message)

    def call(self, method, session=None, **parameters):
        self.number += 1
        message = {'id': self.number, 'method': method, 'params': parameters}
        if session:
            message['sessionId'] = session
        data = json.dumps(message).encode() + b'\0'
        while data:
            data = data[os.write(self.to_write, data):]
        deadline = time.monotonic() + SECONDS
        while self.number not in self.answers:
            self.receive(deadline)
        answer = self.answers.pop(self.number)
        if 'error' in answer:
            raise RuntimeError(f'{method}: {answer["error"]["message"]}')
        return answer['result']

    def open(self, path, ready='document.documentElement?.dataset.state === "ready"'):
        page = Page(self)
        page.load(path, ready)
        return page


class Page:
    """A tab."""

    def __init__(self, browser):
        self.browser = browser
        target = browser.call('Target.createTarget', url='about:blank')['targetId']
        self.session = browser.call('Target.attachToTarget', targetId=target, flatten=True)['sessionId']
        for domain in 'Page', 'Runtime', 'Log', 'Network':
            self.call(f'{domain}.enable')
        self.call('Emulation.setDeviceMetricsOverride', width=browser.width, height=browser.height, deviceScaleFactor=1, mobile=False)
        self.colours('dark' if browser.dark else 'light')

    def call(self, method, **parameters):
        return self.browser.call(method, self.session, **parameters)

    def colours(self, scheme):
        self.call('Emulation.setEmulatedMedia', features=[{'name': 'prefers-color-scheme', 'value': scheme}])

    def load(self, path, ready):
        self.call('Page.navigate', url=Path(path).resolve().as_uri())
        self.wait(ready)

    def value(self, expression):
        """The value of an expression of JavaScript, which may be a promise."""
        result = self.call('Runtime.evaluate', expression=expression, returnByValue=True, awaitPromise=True)
        if 'exceptionDetails' in result:
            details = result['exceptionDetails']
            raise RuntimeError(details.get('exception', {}).get('description') or details['text'])
        return result['result'].get('value')

    def wait(self, expression):
        deadline = time.monotonic() + SECONDS
        while True:
            value = self.value(expression)
            if value:
                return value
            if time.monotonic() > deadline:
                raise TimeoutError(f'never true: {expression}; errors: {self.errors()}')
            time.sleep(0.01)

    def settle(self):
        """Wait until all that was asked for has been drawn."""
        self.value('new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))')

    def errors(self):
        """Messages on the console, exceptions, and whatever was asked of a network."""
        found = []
        for event in self.browser.events:
            if event.get('sessionId') != self.session:
                continue
            parameters = event['params']
            if event['method'] == 'Runtime.exceptionThrown':
                details = parameters['exceptionDetails']
                found.append(details.get('exception', {}).get('description') or details['text'])
            elif event['method'] == 'Runtime.consoleAPICalled':
                found.append(' '.join(str(one.get('value')) for one in parameters['args']))
            elif event['method'] == 'Log.entryAdded':
                found.append(parameters['entry']['text'])
            elif event['method'] == 'Network.requestWillBeSent' and not parameters['request']['url'].startswith(('file:', 'data:')):
                found.append('request of ' + parameters['request']['url'])
        return found

    def key(self, *keys):
        for key in keys:
            text = {'Enter': '\r', 'Space': ' '}.get(key, key if len(key) == 1 else '')
            name = ' ' if key == 'Space' else key
            code = {'Enter': 13, 'Escape': 27, 'Tab': 9, 'Space': 32, 'Home': 36, 'ArrowLeft': 37, 'ArrowUp': 38, 'ArrowRight': 39,
                    'ArrowDown': 40}.get(key, ord(key.upper()) if len(key) == 1 and key.isalnum() else 0)
            self.call('Input.dispatchKeyEvent', type='keyDown', key=name, text=text, windowsVirtualKeyCode=code)
            self.call('Input.dispatchKeyEvent', type='keyUp', key=name, windowsVirtualKeyCode=code)
        self.settle()

    def type(self, text):
        self.call('Input.insertText', text=text)

    def mouse(self, kind, x, y, **more):
        self.call('Input.dispatchMouseEvent', type=kind, x=x, y=y, **more)

    def click(self, x, y, modifiers=0):
        self.mouse('mouseMoved', x, y, modifiers=modifiers)
        self.mouse('mousePressed', x, y, button='left', clickCount=1, modifiers=modifiers)
        self.mouse('mouseReleased', x, y, button='left', clickCount=1, modifiers=modifiers)
        self.settle()

    def drag(self, x0, y0, x1, y1, modifiers=0):
        self.mouse('mouseMoved', x0, y0, modifiers=modifiers)
        self.mouse('mousePressed', x0, y0, button='left', clickCount=1, modifiers=modifiers)
        for part in 0.3, 0.7, 1:
            self.mouse('mouseMoved', x0 + (x1 - x0) * part, y0 + (y1 - y0) * part, button='left', buttons=1, modifiers=modifiers)
        self.mouse('mouseReleased', x1, y1, button='left', clickCount=1, modifiers=modifiers)
        self.settle()

    def wheel(self, x, y, down=0, right=0, modifiers=0):
        self.mouse('mouseWheel', x, y, deltaX=right, deltaY=down, modifiers=modifiers)
        self.settle()

    def screenshot(self, path):
        Path(path).write_bytes(base64.b64decode(self.call('Page.captureScreenshot', format='png')['data']))
