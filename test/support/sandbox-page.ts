import { readFileSync } from 'node:fs';

/** A row of a table of docs/reference/sandbox.md, without its padding. */
export type SandboxRow = readonly string[];

const page = readFileSync(new URL('../../docs/reference/sandbox.md', import.meta.url), 'utf8');

/** Every table of docs/reference/sandbox.md by its heading and first column: "Last names for KYC / last name". */
export function sandboxTables(): ReadonlyMap<string, readonly SandboxRow[]> {
  const tables = new Map<string, readonly SandboxRow[]>();
  let heading = '';
  let table: SandboxRow[] | null = null;
  for (const line of page.split('\n')) {
    heading = /^#{2,3} (.+)$/.exec(line)?.[1] ?? heading;
    if (!line.startsWith('|')) {
      table = null;
      continue;
    }
    const cells = line
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim());
    if (table === null) {
      table = [];
      tables.set(`${heading} / ${cells[0] ?? ''}`, table);
    } else if (!/^-{3,}$/.test(cells[0] ?? '')) table.push(cells);
  }
  return tables;
}

/** The rows of one table. Throws where the page has no such table. */
export function sandboxRows(name: string): readonly SandboxRow[] {
  const rows = sandboxTables().get(name);
  if (rows === undefined) throw new Error(`docs/reference/sandbox.md has no table ${name}`);
  return rows;
}

/** The words of a cell that stand in backticks and in capitals: statuses, in their order. */
export const wordsOf = (cell: string): string[] =>
  [...cell.matchAll(/`([A-Z][A-Z_]+)`/g)].map(([, word = '']) => word);

/** A cell without its backticks. */
export const textOf = (cell: string): string => cell.replaceAll('`', '');

/**
 * How each row of a table is played, by its first cell. Throws for a row that nothing plays, and for a play that no row
 * asks for.
 */
export function playsOf<Play>(
  name: string,
  plays: Readonly<Record<string, Play>>,
): readonly { readonly row: SandboxRow; readonly play: Play }[] {
  const rows = sandboxRows(name);
  const keys = rows.map(([key = '']) => textOf(key));
  const idle = Object.keys(plays).filter((key) => !keys.includes(key));
  if (idle.length > 0) throw new Error(`${name} has no row for ${idle.join(', ')}`);
  return rows.map((row, index) => {
    const play = plays[keys[index] ?? ''];
    if (play === undefined) throw new Error(`nothing plays ${keys[index] ?? ''} of ${name}`);
    return { row, play };
  });
}
