import { describe, expect, it } from 'vitest';
import { FIELD_CODE_NAMES } from '../../../src/domain/errors/problem-codes.ts';
import { ERROR_CODES } from '../../../src/domain/errors/registry.ts';
import { highlight } from '../../../src/web/docs/highlight.ts';
import { renderPage, renderSentence } from '../../../src/web/docs/markdown.ts';
import { createDocsSite } from '../../../src/web/docs/site.ts';
import { DOCUMENT, PLANTED } from '../../support/web/sample-document.ts';

const site = createDocsSite(DOCUMENT, 'https://pay.example.com/base/');
const NO_LINKS = { hrefOf: () => null, nameOf: () => null, pictureOf: () => null };

describe('what the document says', () => {
  it.each(site.paths)('is text on %s, whatever it is', (path) => {
    expect(site.page(path)).not.toMatch(/<img(?! src="\/base\/docs\/assets\/)/);
  });

  it('is text in the search as well: the script writes it as such', () => {
    const [, url = ''] = /data-index="([^"]+)"/.exec(site.missing()) ?? [];
    expect(site.asset(url)?.type).toContain('application/json');
  });

  it('is shown: its words stand on the page of its tag', () => {
    const page = site.page('/base/docs/reference/things') ?? '';
    expect(page).toContain('&lt;img src=x onerror=alert(1)>');
    expect(page).toContain('things:write');
    expect(page).toContain('href="/base/docs/errors#not_found"');
    expect(page).toContain('data-path="/base/api/v1/things/{thingId}"');
  });
});

describe('Markdown and code', () => {
  it('takes no HTML, no program in a link and no picture that is not its own', () => {
    const text = `# T\n\n${PLANTED} [a](javascript:alert(1)) ![b](x.png)\n\n<script>alert(1)</script>`;
    const { html } = renderPage(text, { ...NO_LINKS, hrefOf: (href) => href });
    expect(html).not.toMatch(/<(img|script)|href="javascript/);
    expect(renderSentence(PLANTED, NO_LINKS)).not.toContain('<img');
  });

  it.each(['bash', 'json', 'ts', 'python', 'php', 'go', 'unheard-of', ''])(
    'is escaped in code: %s',
    (language) => {
      for (const text of [PLANTED, `"${PLANTED}"`, `// ${PLANTED}`, `curl '${PLANTED}'`]) {
        expect(highlight(text, language)).not.toContain('<img');
      }
    },
  );

  it('shows a picture of its own with its words, whatever they are', () => {
    const picture = { url: '/docs/assets/0/x.svg', width: 960, height: 400 };
    const rules = { ...NO_LINKS, pictureOf: (src: string) => (src === 'x.svg' ? picture : null) };
    const { html } = renderPage('# T\n\n![a "quoted" <b>](x.svg) ![c](y.svg)\n', rules);
    expect(html).toContain(
      '<img src="/docs/assets/0/x.svg" alt="a &quot;quoted&quot; &lt;b&gt;" width="960" height="400" loading="lazy">',
    );
    expect(html).toContain('<em>c</em>');
  });

  it('leaves out notes to editors, but not those in code', () => {
    const { html } = renderPage('# T\n\n<!-- note -->\n\n```\n<!-- kept -->\n```\n', NO_LINKS);
    expect(html).not.toContain('note --');
    expect(html).toContain('&lt;!-- kept --&gt;');
  });

  it('makes anchors as Git hosts do, each once', () => {
    const { title, headings } = renderPage('# T\n\n## A `b` c!\n\n## A b c\n', NO_LINKS);
    expect(title).toBe('T');
    expect(headings.map(({ anchor }) => anchor)).toEqual(['a-b-c', 'a-b-c-1']);
  });
});

describe('the page of errors', () => {
  it('has an anchor for every code, of answers and of their details', () => {
    const page = site.page('/base/docs/errors') ?? '';
    const codes = [...ERROR_CODES, ...FIELD_CODE_NAMES];
    expect(codes.filter((code) => !page.includes(`<li id="${code}">`))).toEqual([]);
  });
});

describe('a path that has no page', () => {
  it.each(['/base/docs/nothing', '/docs', '/base/docs/', '/base/docs/guides/../guides/payments'])(
    '%s is missing',
    (path) => {
      expect(site.page(path)).toBeNull();
      expect(site.asset(path)).toBeNull();
    },
  );
});
