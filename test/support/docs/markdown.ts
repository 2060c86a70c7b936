import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';

export const ROOT = resolve(import.meta.dirname, '../../..');

/** A page of the documentation, by its path from the root. */
export interface Page {
  readonly path: string;
  readonly text: string;
}

const ROOT_PAGES = ['README.md', 'CHANGELOG.md', 'CONTRIBUTING.md', 'SECURITY.md'];

/** The pages at the root, and every page under docs. */
export function readPages(): Page[] {
  const docs = readdirSync(join(ROOT, 'docs'), { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.md'))
    .map((path) => join('docs', path))
    .sort();
  return [...ROOT_PAGES, ...docs].map((path) => ({
    path,
    text: readFileSync(join(ROOT, path), 'utf8'),
  }));
}

/** A page without its fenced blocks. */
export const proseOf = (text: string): string => text.replace(/^ *```[\s\S]*?^ *```$/gm, '');

/** A link to a file of ours: where it leads, from the root, and to which heading. */
export interface Link {
  readonly page: string;
  readonly target: string;
  readonly heading: string | null;
}

/** Every relative link and picture of a page. */
export function linksOf({ path, text }: Page): Link[] {
  const found = [...proseOf(text).matchAll(/\]\(([^)\s]+)\)/g)].map((match) => match[1] ?? '');
  return found
    .filter((href) => !/^[a-z]+:/.test(href))
    .map((href) => {
      const [file = '', heading] = href.split('#');
      const target = file === '' ? path : join(dirname(path), file);
      return { page: path, target, heading: heading ?? null };
    });
}

/** The anchors that a page's headings get, as GitHub makes them. */
export function anchorsOf(text: string): string[] {
  return [...proseOf(text).matchAll(/^#{1,6} (.+)$/gm)].map(([, title = '']) =>
    title
      .toLowerCase()
      .replace(/[^\p{L}\p{N}_ -]/gu, '')
      .replaceAll(' ', '-'),
  );
}

/** Paths of the repository that a page names in backticks: those below a folder of the sources. */
export function namedPathsOf(text: string): string[] {
  const codes = [...proseOf(text).matchAll(/`([^`\n]+)`/g)].map((match) => match[1] ?? '');
  return codes.filter((code) =>
    /^(src|workflows|activities|test|deploy|docs)\/[\w./*-]+$/.test(code),
  );
}
