import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { ASVS_REQUIREMENTS } from './asvs-requirements.ts';
import { ROOT } from './markdown.ts';

/** A row of docs/reference/asvs.md: what it is about, and the tests that it names. */
export interface AsvsRow {
  /** As "3.2.1"; a row of a span has each of them. */
  readonly numbers: readonly string[];
  readonly how: string;
  /** The cell as it stands. */
  readonly shownBy: string;
  readonly tests: readonly { readonly path: string; readonly title: string }[];
}

const ROW = /^\| (\d+\.\d+\.\d+)(?: to (\d+\.\d+\.\d+))? +\|([^|]+)\|([^|]+)\|([^|]+)\|$/gm;
const NAMED_TEST = /`(test\/[^`]+)` "([^"]+)"/g;

export function readAsvsRows(text: string): AsvsRow[] {
  return [...text.matchAll(ROW)].map(([, from = '', to = from, , how = '', shownBy = '']) => ({
    numbers: spanOf(from, to),
    how: how.trim(),
    shownBy: shownBy.trim(),
    tests: [...shownBy.matchAll(NAMED_TEST)].map(([, path = '', title = '']) => ({ path, title })),
  }));
}

const ORDER = ASVS_REQUIREMENTS.map(({ number }) => number);

/** The requirements of levels 1 and 2 from one to another; just the two where the standard has not both, in that order. */
function spanOf(from: string, to: string): readonly string[] {
  if (from === to) return [from];
  const span = ORDER.slice(ORDER.indexOf(from), ORDER.indexOf(to) + 1);
  return span[0] === from && span.at(-1) === to ? span : [from, to];
}

/** Tests that a row names and that are not there, as "path: title". */
export function missingTests({ tests }: AsvsRow): string[] {
  return tests
    .filter(({ path, title }) => !titlesOf(path).some((one) => one.includes(title)))
    .map(({ path, title }) => `${path}: ${title}`);
}

const known = new Map<string, readonly string[]>();

/** The titles of a file of tests, as they are written there: those of tables with their placeholders. */
export function titlesOf(path: string): readonly string[] {
  const file = join(ROOT, path);
  const titles = known.get(path) ?? (existsSync(file) ? readTitles(file) : []);
  known.set(path, titles);
  return titles;
}

/** The first arguments of it(...), describe(...), it.each(...)(...) and the like. */
function readTitles(file: string): string[] {
  const titles: string[] = [];
  const source = ts.createSourceFile(file, readFileSync(file, 'utf8'), ts.ScriptTarget.Latest);
  const visit = (node: ts.Node): void => {
    if (ts.isCallExpression(node) && isOfTests(node.expression)) {
      const [title] = node.arguments;
      if (title !== undefined && ts.isStringLiteralLike(title)) titles.push(title.text);
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return titles;
}

function isOfTests(callee: ts.Expression): boolean {
  if (ts.isIdentifier(callee)) return ['it', 'test', 'describe'].includes(callee.text);
  if (ts.isCallExpression(callee) || ts.isPropertyAccessExpression(callee)) {
    return isOfTests(callee.expression);
  }
  return false;
}
