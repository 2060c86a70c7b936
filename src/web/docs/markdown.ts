import MarkdownIt, { type Token } from 'markdown-it';
import { escapeHtml, highlight } from './highlight.ts';
import type { Picture } from './pictures.ts';

/** What a page of Markdown becomes. */
export interface RenderedPage {
  readonly title: string;
  /** HTML without the title. All of the text is escaped: Markdown's own HTML is not taken. */
  readonly html: string;
  readonly headings: readonly Heading[];
  /** Its text by headings, for search; what stands before the first has none. */
  readonly sections: readonly { readonly heading: Heading | null; readonly text: string }[];
}

interface Heading {
  readonly level: number;
  readonly text: string;
  readonly anchor: string;
}

/** Where links lead, and which pictures there are. */
export interface LinkRules {
  /** For a link of the text; null where the site has no such page: then its words stand alone. */
  readonly hrefOf: (href: string) => string | null;
  /** For words in backticks that name something of the API; null for all others. */
  readonly nameOf: (code: string) => string | null;
  /** For a picture of the text; null where the site has none of it: then its words stand for it. */
  readonly pictureOf: (src: string) => Pick<Picture, 'url' | 'width' | 'height'> | null;
}

interface Env {
  readonly rules: LinkRules;
  /** Whether the links that are open now are shown, innermost last. */
  readonly open: boolean[];
  blocks: number;
}

const md = new MarkdownIt({ html: false, linkify: false, typographer: false });

md.renderer.rules['fence'] = (tokens, index, _options, env) => {
  const state = env as unknown as Env;
  const { content = '', info = '' } = tokens[index] ?? {};
  state.blocks += 1;
  return codeBlock(`block-${String(state.blocks)}`, content.trimEnd(), info.trim());
};

md.renderer.rules['code_inline'] = (tokens, index, _options, env) => {
  const { content = '' } = tokens[index] ?? {};
  const state = env as unknown as Env;
  const href = state.open.includes(true) ? null : state.rules.nameOf(content);
  const code = `<code>${escapeHtml(content)}</code>`;
  return href === null ? code : `<a href="${escapeHtml(href)}">${code}</a>`;
};

md.renderer.rules['link_open'] = (tokens, index, _options, env) => {
  const state = env as unknown as Env;
  const href = state.rules.hrefOf(String(tokens[index]?.attrGet('href') ?? ''));
  state.open.push(href !== null);
  return href === null ? '' : `<a href="${escapeHtml(href)}">`;
};

md.renderer.rules['link_close'] = (_tokens, _index, _options, env) =>
  (env as unknown as Env).open.pop() === true ? '</a>' : '';

// The pages' policy takes pictures of their own origin alone.
md.renderer.rules['image'] = (tokens, index, _options, env) => {
  const token = tokens[index];
  const words = escapeHtml(token?.content ?? '');
  const { rules } = env as unknown as Env;
  const picture = rules.pictureOf(String(token?.attrGet('src') ?? ''));
  if (picture === null) return `<em>${words}</em>`;
  const { url, width, height } = picture;
  return `<img src="${escapeHtml(url)}" alt="${words}" width="${String(width)}" height="${String(height)}" loading="lazy">`;
};

md.renderer.rules['table_open'] = () => '<div class="table" tabindex="0"><table>';
md.renderer.rules['table_close'] = () => '</table></div>';

// Style attributes are what the pages' policy refuses.
for (const name of ['th_open', 'td_open']) {
  md.renderer.rules[name] = (tokens, index) => {
    const isNumber = String(tokens[index]?.attrGet('style') ?? '').includes('right');
    return `<${name.slice(0, 2)}${isNumber ? ' class="number"' : ''}>`;
  };
}

/** A block of code with the button that copies it, which only a script can serve. */
function codeBlock(id: string, text: string, language: string): string {
  const code = highlight(text, language);
  return `<div class="code"><pre id="${id}" tabindex="0"><code>${code}</code></pre><button type="button" class="button button-plain" data-copy="${id}" hidden>Copy</button></div>`;
}

/** A page of Markdown as HTML. Its first heading is the title; the others get the anchors that Git hosts give. */
export function renderPage(markdown: string, rules: LinkRules): RenderedPage {
  const env: Env = { rules, open: [], blocks: 0 };
  const tokens = md.parse(withoutComments(markdown), { ...env });
  const headings = anchorHeadings(tokens);
  const [title, ...others] = headings;
  const body = title?.level === 1 ? tokens.slice(3) : tokens;
  return {
    title: title?.text ?? '',
    html: md.renderer.render(body, md.options, env as never),
    headings: others,
    sections: sectionsOf(body, headings),
  };
}

/** A sentence of Markdown, such as a description of the API's document, as HTML without a paragraph around it. */
export const renderSentence = (markdown: string, rules: LinkRules): string =>
  md.renderInline(markdown, { rules, open: [], blocks: 0 } satisfies Env);

/** Notes to editors of a page, each a line of its own outside of code. */
function withoutComments(markdown: string): string {
  let isCode = false;
  const lines = markdown.split('\n').filter((line) => {
    if (/^\s*```/.test(line)) isCode = !isCode;
    return isCode || !/^<!--.*-->$/.test(line);
  });
  return lines.join('\n');
}

/** Gives every heading its anchor, and answers them. */
function anchorHeadings(tokens: readonly Token[]): readonly Heading[] {
  const used = new Map<string, number>();
  return tokens.flatMap((token, index) => {
    if (token.type !== 'heading_open') return [];
    const text = textOf(tokens[index + 1]);
    const anchor = anchorOf(text);
    const times = used.get(anchor) ?? 0;
    used.set(anchor, times + 1);
    const own = times === 0 ? anchor : `${anchor}-${String(times)}`;
    token.attrSet('id', own);
    return [{ level: Number(token.tag.slice(1)), text, anchor: own }];
  });
}

/** The anchor of a heading, as Git hosts make it. */
const anchorOf = (text: string): string =>
  text
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}_ -]/gu, '')
    .replaceAll(' ', '-');

function textOf(token: Token | undefined): string {
  const parts = token?.children?.map(({ type, content }) =>
    type === 'softbreak' || type === 'hardbreak' ? ' ' : content,
  );
  return parts?.join('') ?? token?.content ?? '';
}

function sectionsOf(tokens: readonly Token[], headings: readonly Heading[]) {
  const byAnchor = new Map(headings.map((heading) => [heading.anchor, heading]));
  const sections: { heading: Heading | null; text: string }[] = [{ heading: null, text: '' }];
  for (const token of tokens) {
    const anchor = token.type === 'heading_open' ? token.attrGet('id') : null;
    const heading = anchor === null ? undefined : byAnchor.get(String(anchor));
    if (heading !== undefined) sections.push({ heading, text: '' });
    const last = sections.at(-1);
    if (last !== undefined && token.type === 'inline') last.text += ` ${textOf(token)}`;
  }
  return sections;
}
