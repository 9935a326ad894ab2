"""The watch over all other tests: it notices what it is there to notice."""

import pytest
from playwright.sync_api import Browser

from tests.server.system.server_process import ServerProcess
from tests.web.person import Person

FAULTS = {
    "console error: oh": "console.error('oh')",
    "console warning: hm": "console.warn('hm')",
    "page error: Error: thrown": "setTimeout(() => { throw new Error('thrown') })",
    "page error: Error: rejected": "void Promise.reject(new Error('rejected'))",
    "request to another host: http://localhost:9/": "void open('http://localhost:9/')",
    "CSP violation: connect-src": "fetch('http://localhost:9/').catch(() => {})",
    "CSP violation: style-src-attr": "document.body.setAttribute('style', 'color: red')",
    "CSP violation: script-src-elem": """(() => {
      const script = document.createElement('script');
      script.text = '1';
      document.body.append(script);
    })()""",
    "layout shift during play": """(async () => {
      const frame = () => new Promise(done => requestAnimationFrame(() => setTimeout(done)));
      const main = document.createElement('main');
      document.getElementById('main')?.remove();
      main.id = 'main';
      main.dataset.phase = 'buying';
      main.append(...[200, 200].map(height => {
        const box = document.createElement('div');
        box.style.height = `${height}px`;
        box.textContent = 'a card';
        return box;
      }));
      document.body.prepend(main);
      await new Promise(done => setTimeout(done, 300));
      main.firstChild.style.height = '20px';
      await frame(); await frame();
    })()""",
}


@pytest.mark.parametrize("fault", FAULTS)
def test_a_fault_in_a_page_is_noticed(browser: Browser, server: ServerProcess, fault: str) -> None:
    person = Person(browser, server.address)
    person.page.goto("/")
    person.page.evaluate(f"async () => {{ await {FAULTS[fault]}; await new Promise(done => setTimeout(done)) }}")
    troubles = person.close()
    assert any(fault in trouble for trouble in troubles), troubles


def test_a_fault_that_a_test_brings_about_can_be_expected(browser: Browser, server: ServerProcess) -> None:
    person = Person(browser, server.address)
    person.watch.expect("oh")
    person.page.goto("/")
    person.page.evaluate("console.error('oh')")
    assert person.close() == []
