import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildCheckedApp } from '../../support/checked-app.ts';
import { createTestApp, testSettings, type TestApp } from '../../support/test-app.ts';

let harness: TestApp;
/** Every page by its path, as crawled from the first. */
const pages = new Map<string, string>();
const linked = new Set<string>();

const ask = (url: string, headers: Record<string, string> = {}) =>
  harness.app.inject({ method: 'GET', url, headers });

const attributes = (html: string, name: string): string[] =>
  [...html.matchAll(new RegExp(` ${name}="([^"]*)"`, 'g'))].map(([, value = '']) =>
    value.replaceAll('&amp;', '&'),
  );

beforeAll(async () => {
  harness = await createTestApp();
  const waiting = ['/docs'];
  for (let url = waiting.pop(); url !== undefined; url = waiting.pop()) {
    if (pages.has(url)) continue;
    const answer = await ask(url);
    pages.set(url, answer.statusCode === 200 ? answer.body : '');
    for (const href of attributes(answer.body, 'href')) {
      linked.add(href.startsWith('#') ? url + href : href);
      const path = href.split('#')[0] ?? '';
      if (path.startsWith('/docs') && !path.startsWith('/docs/assets/')) waiting.push(path);
    }
  }
});
afterAll(() => harness.close());

describe('the docs', () => {
  it('have their pages, every one found by links from the first', () => {
    expect([...pages.keys()]).toEqual(
      expect.arrayContaining([
        '/docs/guides/quickstart',
        '/docs/reference/payments',
        '/docs/errors',
        '/docs/events',
      ]),
    );
    expect(pages.size).toBeGreaterThan(30);
    expect([...pages].filter(([, html]) => html === '').map(([url]) => url)).toEqual([]);
  });

  it('link to no heading that is not there', () => {
    const broken = [...linked].filter((href) => {
      const [path = '', anchor] = href.split('#');
      if (!path.startsWith('/docs') || anchor === undefined || anchor === '') return false;
      return !attributes(pages.get(path) ?? '', 'id').includes(anchor);
    });
    expect(broken).toEqual([]);
  });

  it('link to no other host but by https, and to no file of the repository', () => {
    for (const href of linked) expect(href).toMatch(/^(\/|#|https:\/\/)/);
    expect([...linked].filter((href) => href.includes('.md'))).toEqual([]);
  });

  it('load files of this origin alone, each there under its content', async () => {
    const home = pages.get('/docs') ?? '';
    const pictures = [...pages.values()].flatMap((html) => attributes(html, 'src'));
    const files = [
      ...attributes(home, 'src'),
      ...attributes(home, 'data-engine'),
      ...attributes(home, 'data-index'),
      ...[...linked].filter((href) => /\.(css|svg)$/.test(href)),
    ];
    expect(files.length).toBe(6);
    for (const url of new Set([...files, ...pictures])) {
      const { statusCode, headers } = await ask(url);
      expect([url, statusCode]).toEqual([url, 200]);
      expect(headers['cache-control']).toBe('public, max-age=31536000, immutable');
    }
  });

  it('have no program and no style in a page itself', () => {
    for (const html of pages.values()) {
      expect(html).not.toMatch(/<script(?![^>]* src=)|<style|<[a-z][^>]* (style|on[a-z]+)=/);
      expect(html).not.toMatch(
        /<(img(?! src="\/docs\/assets\/)|iframe|object|embed|form(?! method="post" data-verb))/,
      );
    }
  });

  it('show each picture of a guide, with its words and its size, as a drawing without a program', async () => {
    const shown = [...pages].flatMap(([url, html]) =>
      [...html.matchAll(/<img [^>]*>/g)].map(([tag]) => ({ url, tag })),
    );
    expect(shown.map(({ url }) => url).sort()).toEqual([
      '/docs/guides/api-keys',
      '/docs/guides/payment-states',
      '/docs/guides/quickstart',
      '/docs/guides/webhooks',
    ]);
    for (const { tag } of shown) {
      expect(attributes(tag, 'alt')[0]?.length).toBeGreaterThan(60);
      expect(Number(attributes(tag, 'height')[0])).toBeGreaterThan(100);
      const { headers, body } = await ask(attributes(tag, 'src')[0] ?? '');
      expect(headers['content-type']).toBe('image/svg+xml; charset=utf-8');
      expect(headers['content-security-policy']).toContain("default-src 'none'");
      expect(body).toMatch(/<title id="title">[^<]+<\/title>/);
      expect(body).not.toMatch(
        /<(script|foreignObject|image|use|a)\b| on[a-z]+=|href=|@import|url\((?!#)/,
      );
    }
    // A picture that the site does not have would be told by its words alone.
    for (const html of pages.values()) expect(html).not.toMatch(/<p><em>[^<]*<\/em><\/p>/);
  });

  it('name this installation wherever a guide has an address of one', () => {
    for (const html of pages.values()) {
      expect(html).not.toMatch(/https:\/\/pay\.example\.com|127\.0\.0\.1:8080/);
    }
  });

  it('give every element of a page an id of its own', () => {
    for (const [url, html] of pages) {
      const ids = attributes(html, 'id');
      const twice = ids.filter((id, index) => ids.indexOf(id) !== index);
      expect([url, twice]).toEqual([url, []]);
    }
  });
});

describe('an answer of the docs', () => {
  it('lets in what is of this origin, sends no form, and stands in no frame', async () => {
    for (const url of ['/docs', '/docs/errors', '/docs/nothing-here']) {
      const { headers } = await ask(url);
      expect(headers['content-security-policy']).toBe(
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; " +
          "form-action 'none'; base-uri 'none'; frame-ancestors 'none'; " +
          "require-trusted-types-for 'script'; trusted-types 'none'",
      );
      expect(headers).toMatchObject({
        'strict-transport-security': 'max-age=63072000; includeSubDomains',
        'x-content-type-options': 'nosniff',
        'cross-origin-opener-policy': 'same-origin',
      });
    }
  });

  it('is asked about each time and sent once', async () => {
    const first = await ask('/docs/errors');
    const tag = String(first.headers['etag']);
    expect(first.headers['cache-control']).toBe('no-cache');
    for (const known of [tag, `W/${tag}`, `"other", ${tag}`]) {
      const again = await ask('/docs/errors', { 'if-none-match': known });
      expect([again.statusCode, again.body]).toEqual([304, '']);
    }
    expect((await ask('/docs/errors', { 'if-none-match': '"other"' })).statusCode).toBe(200);
    expect((await ask('/docs')).headers['etag']).not.toBe(tag);
  });

  it('is a page where there is none, which says nothing of what was asked for', async () => {
    for (const path of ['/docs/guides/Plantedpath', '/docs/assets/0/docs.js', '/docs/%3Cimg%3E']) {
      const { statusCode, headers, body } = await ask(path);
      expect([path, statusCode]).toEqual([path, 404]);
      expect(headers['content-type']).toBe('text/html; charset=utf-8');
      expect(headers['cache-control']).toBe('no-store');
      expect(body).toContain('There is no such page');
      expect(body).not.toMatch(/Plantedpath|<img/);
    }
  });

  it('leads from an address with a slash at its end to the page, and nowhere else', async () => {
    for (const [from, to] of [
      ['/docs/', '/docs'],
      ['/docs/errors/', '/docs/errors'],
    ] as const) {
      const { statusCode, headers } = await ask(from);
      expect([statusCode, headers['location']]).toEqual([308, to]);
    }
    expect((await ask('/docs//evil.example/')).statusCode).toBe(404);
  });

  it('needs no key', async () => {
    expect((await ask('/docs', { authorization: 'Bearer nonsense' })).statusCode).toBe(200);
  });
});

it('the docs stand under the path of an installation that has one', async () => {
  const settings = testSettings({ publicUrl: 'https://pay.example.com/causeway' });
  const other = buildCheckedApp({ ...harness.deps, settings });
  try {
    const { body } = await other.inject({ url: '/docs/reference/payments' });
    const local = attributes(body, 'href').filter((href) => href.startsWith('/'));
    expect(local.filter((href) => !href.startsWith('/causeway/'))).toEqual([]);
    expect(body).toContain('https://pay.example.com/causeway/api/v1/payments');
    expect(body).toContain('data-path="/causeway/api/v1/payments"');
  } finally {
    await other.close();
  }
});
