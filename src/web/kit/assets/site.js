// The one script of every page. All pages work without it, but for copying and self-refresh.
(() => {
  'use strict';

  // The only policy: it takes answers of this origin to this page's own request, and nothing else.
  const policy = window.trustedTypes?.createPolicy('causeway', { createHTML: (html) => html });

  /** Puts the text of the element that a button names on the clipboard, and says so. */
  function serveCopyButtons(root) {
    if (navigator.clipboard === undefined) return;
    for (const button of root.querySelectorAll('button[data-copy]')) {
      button.hidden = false;
      button.addEventListener('click', async () => {
        const text = document.getElementById(button.dataset.copy)?.textContent ?? '';
        await navigator.clipboard.writeText(text);
        say('Copied');
        button.textContent = 'Copied';
        setTimeout(() => {
          button.textContent = 'Copy';
        }, 2_000);
      });
    }
  }

  /** Asks the browser for a passkey, and sends the button's form with what it answered. */
  function servePasskeyButtons() {
    const keys = window.PublicKeyCredential;
    if (keys?.parseRequestOptionsFromJSON === undefined) return;
    const ask = {
      create: (given) =>
        navigator.credentials.create({ publicKey: keys.parseCreationOptionsFromJSON(given) }),
      get: (given) =>
        navigator.credentials.get({ publicKey: keys.parseRequestOptionsFromJSON(given) }),
    };
    for (const button of document.querySelectorAll('button[data-passkey]')) {
      const { passkey, options, field } = button.dataset;
      const note = button.nextElementSibling;
      button.hidden = false;
      note.hidden = true;
      button.addEventListener('click', async () => {
        try {
          const answer = await ask[passkey](JSON.parse(options));
          button.form.elements[field].value = JSON.stringify(answer);
          button.form.submit();
        } catch {
          note.hidden = false;
          note.textContent = button.dataset.refused;
          say(note.textContent);
        }
      });
    }
  }

  const announcer = document.createElement('div');
  announcer.className = 'spoken';
  announcer.setAttribute('role', 'status');
  document.body.append(announcer);
  const say = (text) => {
    announcer.textContent = '';
    // A change that comes in the same moment as its removal would not be read out.
    requestAnimationFrame(() => {
      announcer.textContent = text;
    });
  };

  /** Asks for this page again, replaces the regions that have changed and takes away what it offers no more. */
  async function refresh(regions) {
    const answer = await fetch(location.href, {
      headers: { 'x-causeway-refresh': '1' },
      redirect: 'error',
      cache: 'no-store',
    });
    if (!answer.ok) return;
    const html = await answer.text();
    const page = new DOMParser().parseFromString(policy?.createHTML(html) ?? html, 'text/html');
    for (const region of regions) replace(region, page.getElementById(region.id));
    for (const offer of document.querySelectorAll('[data-offer]')) {
      if (page.getElementById(offer.id) === null) offer.remove();
    }
  }

  /** What has focus keeps it, by its id or by where its link leads. */
  function replace(region, fresh) {
    if (fresh === null || fresh.innerHTML === region.dataset.shown) return;
    const isFirst = region.dataset.shown === undefined;
    const hasChanged = fresh.innerHTML !== region.innerHTML;
    region.dataset.shown = fresh.innerHTML;
    if (isFirst && !hasChanged) return;
    const focused = region.contains(document.activeElement) ? document.activeElement : null;
    const [id, href] = [focused?.id ?? '', focused?.getAttribute('href') ?? ''];
    region.replaceChildren(...fresh.childNodes);
    serveCopyButtons(region);
    const again =
      id === ''
        ? [...region.querySelectorAll('a[href]')].find((a) => a.getAttribute('href') === href)
        : document.getElementById(id);
    if (focused !== null) again?.focus({ preventScroll: true });
    say(region.dataset.says ?? '');
  }

  /** Regions of one page share a request; none is made while no one looks, or while one is under way. */
  function keepFresh(regions) {
    if (regions.length === 0) return;
    const everyMs = Math.min(...regions.map((region) => Number(region.dataset.refresh)));
    let isUnderWay = false;
    setInterval(() => {
      if (document.hidden || isUnderWay) return;
      isUnderWay = true;
      refresh(regions)
        // The next look comes soon; the page stays as it is meanwhile.
        .catch(() => undefined)
        .finally(() => {
          isUnderWay = false;
        });
    }, everyMs);
  }

  /** Takes a page away once its session has ended, so that the next person at the screen sees nothing of it. */
  function leaveWithSession(frame) {
    if (frame === null) return;
    const idleAt = Date.now() + Number(frame.dataset.idle);
    const look = async () => {
      // Not a use of the session. Where there is no answer, it counts as over once it can be.
      const isOver = await fetch('/settings', {
        headers: { 'x-causeway-refresh': '1' },
        redirect: 'manual',
        cache: 'no-store',
      }).then(
        ({ type }) => type === 'opaqueredirect',
        () => Date.now() >= idleAt,
      );
      if (isOver) location.replace('/login');
    };
    setInterval(look, 60_000);
  }

  serveCopyButtons(document);
  servePasskeyButtons();
  leaveWithSession(document.querySelector('[data-idle]'));
  keepFresh([...document.querySelectorAll('[data-refresh]')]);
  document.getElementById('summary')?.focus();
})();
