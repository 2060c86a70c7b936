// The one script of the docs: copying, languages, search, and trying requests out. Pages read well without it.
(() => {
  'use strict';

  const LANGUAGE = 'causeway-docs-language';
  const KEY = 'causeway-docs-test-key';
  /** What a reader wants to know of an answer's headers. */
  const HEADERS = [
    ...['x-request-id', 'ratelimit', 'ratelimit-policy', 'retry-after', 'idempotent-replayed'],
    ...['etag', 'location', 'allow'],
  ];
  const FOUND_MAX = 12;

  /** An element with properties and what is in it; texts stay texts. */
  function make(name, properties, ...inside) {
    const element = Object.assign(document.createElement(name), properties);
    element.append(...inside);
    return element;
  }

  /** Storage may be refused by the browser's settings. */
  function read(storage, name) {
    try {
      return window[storage].getItem(name);
    } catch {
      return null;
    }
  }
  function keep(storage, name, value) {
    try {
      window[storage].setItem(name, value);
    } catch {
      // It is only not remembered.
    }
  }

  /** Puts the text of the element that a button names on the clipboard, and says so. */
  function serveCopyButtons() {
    if (navigator.clipboard === undefined) return;
    for (const button of document.querySelectorAll('button[data-copy]')) {
      button.hidden = false;
      button.addEventListener('click', async () => {
        await navigator.clipboard.writeText(
          document.getElementById(button.dataset.copy)?.textContent ?? '',
        );
        button.textContent = 'Copied';
        setTimeout(() => {
          button.textContent = 'Copy';
        }, 2_000);
      });
    }
  }

  /** A language that is chosen once is chosen in every sample, of the next pages too. */
  function serveLanguages() {
    const radios = [...document.querySelectorAll('.languages input')];
    const choose = (value) => {
      for (const radio of radios) if (radio.value === value) radio.checked = true;
    };
    choose(read('localStorage', LANGUAGE));
    for (const radio of radios) {
      radio.addEventListener('change', () => {
        const before = radio.getBoundingClientRect().top;
        choose(radio.value);
        // Samples above have become longer or shorter: what is read stays where it is.
        window.scrollBy(0, radio.getBoundingClientRect().top - before);
        keep('localStorage', LANGUAGE, radio.value);
      });
    }
  }

  /** Marks where the reader is, in the navigation and in the list of headings. */
  function serveSections() {
    const links = new Map(
      [...document.querySelectorAll('a[data-section]')].map((a) => [a.dataset.section, a]),
    );
    if (links.size === 0 || window.IntersectionObserver === undefined) return;
    const seen = new Set();
    const observer = new IntersectionObserver(
      (entries) => {
        for (const { target, isIntersecting } of entries) {
          if (isIntersecting) seen.add(target.id);
          else seen.delete(target.id);
        }
        const [now] = [...links.keys()].filter((id) => seen.has(id));
        if (now === undefined) return;
        for (const [id, link] of links) {
          if (id === now) link.setAttribute('aria-current', 'location');
          else link.removeAttribute('aria-current');
        }
      },
      { rootMargin: '-80px 0px -60% 0px' },
    );
    for (const id of links.keys()) {
      const target = document.getElementById(id);
      if (target !== null) observer.observe(target);
    }
  }

  /** Brings the current page into the part of the navigation that is seen. */
  function showCurrent() {
    const nav = document.getElementById('menu');
    const current = nav?.querySelector('[aria-current="page"]');
    if (current == null) return;
    const below = current.getBoundingClientRect().bottom - nav.getBoundingClientRect().bottom;
    if (below > 0) nav.scrollTop = current.offsetTop - nav.clientHeight / 3;
  }

  /** Loads the index at the first key, and shows what is found as a list that arrows go through. */
  function serveSearch() {
    const box = document.querySelector('.search');
    const input = document.getElementById('search');
    const list = document.getElementById('found');
    if (box === null || input === null || list === null) return;
    box.hidden = false;
    let loading = null;
    let at = -1;
    const load = () => {
      loading ??= Promise.all([
        import(box.dataset.engine),
        fetch(box.dataset.index).then((answer) => answer.json()),
      ]).then(([{ default: MiniSearch }, { options, index }]) => MiniSearch.loadJS(index, options));
      loading.catch(() => {
        loading = null;
      });
      return loading;
    };
    const close = () => {
      list.hidden = true;
      at = -1;
      input.setAttribute('aria-expanded', 'false');
      input.removeAttribute('aria-activedescendant');
    };
    const mark = (to) => {
      const options = [...list.children].filter((one) => one.dataset.href !== undefined);
      if (options.length === 0) return;
      at = (to + options.length) % options.length;
      options.forEach((option, index) => {
        option.setAttribute('aria-selected', String(index === at));
      });
      input.setAttribute('aria-activedescendant', options[at].id);
      options[at].scrollIntoView({ block: 'nearest' });
    };
    const show = (found) => {
      list.replaceChildren(
        ...found.map(({ kind, title, where, href }, index) => {
          const option = make(
            'li',
            { id: `found-${index}`, role: 'option' },
            make('span', { className: 'found-kind', textContent: kind }),
            make('b', { textContent: title }),
            make('span', { className: 'muted', textContent: where }),
          );
          option.setAttribute('aria-selected', 'false');
          option.dataset.href = href;
          return option;
        }),
      );
      if (found.length === 0) {
        const none = make('li', { role: 'option', textContent: 'Nothing was found.' });
        none.setAttribute('aria-disabled', 'true');
        none.setAttribute('aria-selected', 'false');
        list.append(none);
      }
      list.hidden = false;
      input.setAttribute('aria-expanded', 'true');
      at = -1;
      input.removeAttribute('aria-activedescendant');
    };
    const search = async () => {
      const words = input.value.trim();
      if (words === '') return close();
      const index = await load();
      // Something else was typed meanwhile.
      if (words !== input.value.trim()) return undefined;
      const found = index.search(words, {
        prefix: true,
        fuzzy: (word) => (word.length > 4 ? 0.2 : false),
        combineWith: 'AND',
        boost: { title: 4, where: 1.5 },
        boostDocument: (_id, _word, stored) => (stored.kind === 'Field' ? 0.6 : 1),
      });
      return show(found.slice(0, FOUND_MAX));
    };
    const open = (option) => {
      close();
      input.value = '';
      location.assign(option.dataset.href);
    };
    input.addEventListener('focus', () => void load());
    input.addEventListener('input', () => void search());
    input.addEventListener('keydown', (event) => {
      if (event.key === 'Escape') {
        input.value = '';
        close();
      }
      if (list.hidden) return;
      if (event.key === 'ArrowDown') mark(at + 1);
      else if (event.key === 'ArrowUp') mark(at - 1);
      else if (event.key === 'Enter') {
        const option = list.children[Math.max(at, 0)];
        if (option?.dataset.href !== undefined) open(option);
      } else return;
      event.preventDefault();
    });
    // A press would take the focus, and with it the list, before it becomes a click.
    list.addEventListener('pointerdown', (event) => event.preventDefault());
    list.addEventListener('click', (event) => {
      const option = event.target.closest('li[data-href]');
      if (option !== null) open(option);
    });
    input.addEventListener('blur', close);
    document.addEventListener('keydown', (event) => {
      const isTyping = event.target.closest?.('input, textarea, select') != null;
      if (event.key !== '/' || isTyping || event.ctrlKey || event.metaKey || event.altKey) return;
      event.preventDefault();
      input.focus();
    });
  }

  /** A key for one request; the browser's own maker of UUIDs is not there over plain http. */
  function makeUnique() {
    const bytes = crypto.getRandomValues(new Uint8Array(16));
    return `docs-${[...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('')}`;
  }

  /** Why a form cannot be sent, and the field that is to blame; null where it can. */
  function findProblem(form) {
    const key = form.elements.namedItem('key');
    if (key === null) return null;
    const text = key.value.trim();
    if (text.startsWith('cw_test_')) return null;
    if (text === '')
      return [key, 'Give a test key first: it begins with cw_test_. Nothing was sent.'];
    // What is no test key is kept nowhere, not even in the field.
    key.value = '';
    const isLive = text.startsWith('cw_live_');
    return [
      key,
      isLive
        ? 'This is a live key, and only test keys are taken here. Nothing was sent, and the key was not kept.'
        : 'Only test keys are taken here: they begin with cw_test_. Nothing was sent.',
    ];
  }

  /** The request of a form, as fetch takes it. The key is a header and nothing else. */
  function readRequest(form) {
    let path = form.dataset.path;
    const query = new URLSearchParams();
    const headers = new Headers();
    for (const field of form.querySelectorAll('[data-place]')) {
      const value = field.value.trim();
      if (value === '') continue;
      if (field.dataset.place === 'path') {
        path = path.replace(`{${field.name}}`, encodeURIComponent(value));
      } else if (field.dataset.place === 'query') query.set(field.name, value);
      else headers.set(field.name, value);
    }
    const key = form.elements.namedItem('key');
    if (key !== null) headers.set('authorization', `Bearer ${key.value.trim()}`);
    const body = form.elements.namedItem('body');
    const hasBody = body !== null && body.value.trim() !== '';
    if (hasBody) headers.set('content-type', 'application/json');
    const tail = query.toString();
    return [
      `${location.origin}${path}${tail === '' ? '' : `?${tail}`}`,
      {
        method: form.dataset.verb.toUpperCase(),
        headers,
        ...(hasBody ? { body: body.value } : {}),
        ...{ credentials: 'omit', redirect: 'error', cache: 'no-store' },
        referrerPolicy: 'no-referrer',
      },
    ];
  }

  /** JSON set in by two; what is no JSON stays as it is. */
  function pretty(text) {
    try {
      return JSON.stringify(JSON.parse(text), null, 2);
    } catch {
      return text;
    }
  }

  function showAnswer(target, answer, text) {
    const rows = HEADERS.filter((name) => answer.headers.has(name)).map((name) =>
      make(
        'div',
        {},
        make('dt', { textContent: name }),
        make('dd', { textContent: answer.headers.get(name) }),
      ),
    );
    const status = make('p', {
      className: answer.ok ? 'chip chip-ok' : 'chip chip-bad',
      textContent: `${answer.status} ${answer.statusText}`.trim(),
    });
    const body = make('pre', { tabIndex: 0 }, make('code', { textContent: pretty(text) }));
    target.replaceChildren(
      status,
      make('dl', { className: 'tried-headers' }, ...rows),
      ...(text === '' ? [] : [make('div', { className: 'code' }, body)]),
    );
  }

  function serveTries() {
    for (const details of document.querySelectorAll('details[data-try]')) {
      const form = details.querySelector('form');
      const target = form.querySelector('[data-tried]');
      const button = form.querySelector('button[type=submit]');
      const key = form.elements.namedItem('key');
      const unique = form.querySelector('[data-unique]');
      const say = (text) => {
        target.replaceChildren(make('p', { className: 'summary', textContent: text }));
      };
      details.hidden = false;
      details.addEventListener('toggle', () => {
        if (key !== null && key.value === '') key.value = read('sessionStorage', KEY) ?? '';
        if (unique !== null && unique.value === '') unique.value = makeUnique();
      });
      form.addEventListener('submit', async (event) => {
        event.preventDefault();
        const problem = findProblem(form);
        if (problem !== null) {
          say(problem[1]);
          problem[0].focus();
          return;
        }
        if (key !== null) keep('sessionStorage', KEY, key.value.trim());
        button.disabled = true;
        target.replaceChildren(make('p', { className: 'muted', textContent: 'Sent; waiting.' }));
        try {
          const answer = await fetch(...readRequest(form));
          showAnswer(target, answer, await answer.text());
          // The next one is another request; this one again needs its key typed back.
          if (unique !== null && answer.ok) unique.value = makeUnique();
        } catch {
          say('There was no answer. Send it again: with the same Idempotency-Key it is done once.');
        } finally {
          button.disabled = false;
        }
      });
    }
  }

  serveCopyButtons();
  serveLanguages();
  showCurrent();
  serveSections();
  serveSearch();
  serveTries();
})();
