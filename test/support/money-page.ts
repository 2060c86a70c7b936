import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** A row of a table of a page, by the titles of its columns. */
export type TableRow = Readonly<Record<string, string>>;

/** What the accounts hold after a step, as text by "account CURRENCY". */
export interface ExampleStep {
  readonly step: string;
  readonly accounts: TableRow;
}

export interface Example {
  readonly title: string;
  readonly steps: readonly ExampleStep[];
}

/** What docs/explanation/money-rules.md says in a form that can be played and worked out. */
export interface MoneyPage {
  readonly settings: Readonly<Record<string, string>>;
  /** The content of FEES_FILE. */
  readonly fees: unknown;
  readonly roundings: readonly TableRow[];
  readonly examples: readonly Example[];
}

export function readMoneyPage(): MoneyPage {
  const text = readFileSync(
    join(import.meta.dirname, '../../docs/explanation/money-rules.md'),
    'utf8',
  );
  const [, rounding = '', played = ''] = text.split(/^## (?:Rounding|Examples)$/m);
  const [intro = '', ...sections] = played.split(/^### /m);
  const json = /```json\n([\s\S]*?)```/.exec(intro)?.[1] ?? '';
  const settings = tableOf(intro).map((row) => [plain(row['setting'] ?? ''), row['value'] ?? '']);
  return {
    settings: Object.fromEntries(settings) as Record<string, string>,
    fees: JSON.parse(json) as unknown,
    roundings: tableOf(rounding),
    examples: sections.map((section) => ({
      title: section.slice(0, section.indexOf('\n')),
      steps: tableOf(section).map(({ step = '', ...accounts }) => ({ step, accounts })),
    })),
  };
}

const plain = (cell: string): string => cell.replaceAll('`', '');

/** The rows of the first table in a text. */
function tableOf(text: string): TableRow[] {
  const [first = '', , ...others] = /^\|(?:.*\n\|)*.*$/m.exec(text)?.[0].split('\n') ?? [];
  const cells = (line: string) =>
    line
      .slice(1, -1)
      .split('|')
      .map((cell) => cell.trim());
  const titles = cells(first);
  return others.map((line) =>
    Object.fromEntries(cells(line).map((cell, index) => [titles[index] ?? '', cell])),
  );
}
