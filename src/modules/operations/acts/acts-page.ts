import { ACTS } from './acts.ts';
import { commandOf, pageOf, type ActEntry } from './operator-act.ts';
import { WRITTEN_OUT_ACTS } from './written-out-acts.ts';

const [BEGIN, END] = ['<!-- acts: generated -->', '<!-- acts: end -->'] as const;

/** The page docs/reference/operator-acts.md with the tables of acts in it. Throws where the page has no place for them. */
export function renderActsPage(page: string): string {
  const [from, to] = [page.indexOf(BEGIN), page.indexOf(END)];
  if (from < 0 || to < from)
    throw new Error(`docs/reference/operator-acts.md has no ${BEGIN} and ${END}`);
  const tables = `${tableOf(ACT_COLUMNS, ACTS)}\n\n${ALONE}\n\n${tableOf(ALONE_COLUMNS, aloneActs())}`;
  return `${page.slice(0, from)}${BEGIN}\n\n${tables}\n\n${page.slice(to)}`;
}

type Column<Row> = readonly [title: string, cell: (row: Row) => string];

const code = (text: string | null = null): string => (text === null ? '–' : `\`${text}\``);
const people = ({ decidedBy }: Pick<ActEntry, 'decidedBy'>): string =>
  decidedBy === 'ONE' ? 'one' : 'two';

/** The help of its command and its page say the rest. */
const firstSentence = (text: string): string =>
  `${text.split(/[.:] /)[0]?.replace(/\.$/, '') ?? ''}.`;

const ACT_COLUMNS: readonly Column<ActEntry>[] = [
  ['act', ({ name }) => code(name)],
  ['what it does', ({ summary }) => firstSentence(summary)],
  ['command', (act) => code(commandOf(act)?.line)],
  ['console page', (act) => code(pageOf(act))],
  ['right', ({ right }) => code(right)],
  ['people', people],
];

const ALONE = `## Acts of one surface

These acts have only a command, or only a console page.`;

interface AloneAct {
  readonly name: string;
  readonly only: string;
  readonly why: string;
}

const ALONE_COLUMNS: readonly Column<AloneAct>[] = [
  ['act', ({ name }) => code(name)],
  ['only', ({ only }) => only],
  ['why', ({ why }) => why],
];

function aloneActs(): readonly AloneAct[] {
  const listed = ACTS.flatMap((act): AloneAct[] => [
    ...(typeof act.page === 'string'
      ? []
      : [{ name: act.name, only: code(commandOf(act)?.line), why: act.page.none }]),
    ...('line' in act.command
      ? []
      : [{ name: act.name, only: code(pageOf(act)), why: act.command.none }]),
  ]);
  const writtenOut = WRITTEN_OUT_ACTS.map(({ name, line, why, summary }) => ({
    ...{ name, only: code(line), why: `${summary} ${why}` },
  }));
  return [...listed, ...writtenOut];
}

/** In the shape that prettier gives tables, so that the page is the same before and after it. */
function tableOf<Row>(columns: readonly Column<Row>[], rows: readonly Row[]): string {
  const cells = rows.map((row) => columns.map(([, cell]) => cell(row)));
  const titles = columns.map(([title]) => title);
  const widths = titles.map((title, at) =>
    Math.max(title.length, ...cells.map((line) => (line[at] ?? '').length)),
  );
  const lineOf = (line: readonly string[]) =>
    `| ${line.map((cell, at) => cell.padEnd(widths[at] ?? 0)).join(' | ')} |`;
  const rule = `| ${widths.map((width) => '-'.repeat(width)).join(' | ')} |`;
  return [lineOf(titles), rule, ...cells.map(lineOf)].join('\n');
}
