import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { anchorsOf, linksOf, namedPathsOf, readPages, ROOT } from '../../support/docs/markdown.ts';

const pages = readPages();
const links = pages.flatMap(linksOf);

describe('the documentation', () => {
  it('has its pages', () => {
    expect(pages.map((page) => page.path)).toEqual(
      expect.arrayContaining([
        'README.md',
        'docs/explanation/architecture.md',
        'docs/reference/bank-contract.md',
        'docs/reference/configuration.md',
        'docs/how-to/deploy.md',
        'docs/reference/fx-and-quotes.md',
        'docs/how-to/connect-a-kyc-provider.md',
        'docs/how-to/operate.md',
        'docs/how-to/make-payments.md',
      ]),
    );
    expect(links.length).toBeGreaterThan(20);
  });

  it('links to nothing that is not there', () => {
    const broken = links.filter(({ target }) => !existsSync(join(ROOT, target)));
    expect(broken).toEqual([]);
  });

  it('links to no heading that is not there', () => {
    const broken = links.filter(({ target, heading }) => {
      if (heading === null || !target.endsWith('.md')) return false;
      return !anchorsOf(readFileSync(join(ROOT, target), 'utf8')).includes(heading);
    });
    expect(broken).toEqual([]);
  });

  it('names no file that is not there', () => {
    const missing = pages.flatMap(({ path, text }) =>
      namedPathsOf(text)
        .map((name) => (name.includes('*') ? dirname(name) : name))
        .filter((name) => !existsSync(join(ROOT, name)))
        .map((name) => `${path}: ${name}`),
    );
    expect(missing).toEqual([]);
  });

  it('names no npm script that is not there', () => {
    const manifest = readFileSync(join(ROOT, 'package.json'), 'utf8');
    const { scripts } = JSON.parse(manifest) as { scripts: Record<string, string> };
    const named = pages.flatMap(({ path, text }) =>
      [...text.matchAll(/npm (?:run )?(?:-s )?([a-z][\w:-]*)/g)]
        .map((match) => match[1] ?? '')
        .filter((name) => !['ci', 'install', 'run', 'package', 'packages'].includes(name))
        .map((name) => ({ path, name })),
    );
    expect(named.length).toBeGreaterThan(5);
    expect(named.filter(({ name }) => !(name in scripts))).toEqual([]);
  });

  it('lists every decision in the index of decisions, and every page somewhere', () => {
    const linked = new Set(links.map((link) => link.target));
    const alone = pages
      .map((page) => page.path)
      .filter((path) => path !== 'README.md')
      .filter((path) => !linked.has(path));
    expect(alone).toEqual([]);
  });
});
