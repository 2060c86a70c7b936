import pg from 'pg';
import { expect } from 'vitest';
import { readPlaces } from '../stack-places.ts';
import type { Stack } from '../stack.ts';

/** A login code as a mail shows it; elsewhere it may be written without the blank. */
const CODE = /^(\d{4}) (\d{4})$/;

/** What is looked for. `isWhole`: eight digits within a longer number, or within an id, are no code. */
interface Wanted {
  readonly text: string;
  readonly isWhole: boolean;
}

/**
 * None of these texts lies in a log, in Temporal's database or in a column of ours that is not sealed, as it is or
 * as bytes. `present`: a text that is known to be in both databases, or the search would find nothing anywhere.
 */
export async function expectNothingLeaked(
  stack: Stack,
  secrets: readonly string[],
  present: string,
): Promise<void> {
  expect(secrets.length).toBeGreaterThan(15);
  const codes = secrets.flatMap((secret) => CODE.exec(secret)?.slice(1).join('') ?? []);
  expect(codes).not.toEqual([]);
  const wanted = [
    ...secrets.map((text) => ({ text, isWhole: false })),
    ...codes.map((text) => ({ text, isWhole: true })),
  ];
  const places = Object.entries(readPlaces(stack.folder));
  const temporal = places.filter(([place]) => place.startsWith('temporal.sqlite'));
  expect(temporal.some(([, bytes]) => bytes.includes(present))).toBe(true);
  const onDisk = wanted.flatMap((one) =>
    places.flatMap(([place, bytes]) => (isIn(bytes, one) ? [`${one.text} in ${place}`] : [])),
  );
  expect(onDisk).toEqual([]);

  const owner = new pg.Client({ connectionString: stack.state().databaseUrl });
  await owner.connect();
  try {
    expect(await tablesWith(owner, [{ text: present, isWhole: false }])).not.toEqual([]);
    const asBytes = wanted.map(({ text }) => ({
      text: Buffer.from(text).toString('hex'),
      isWhole: false,
    }));
    expect(await tablesWith(owner, [...wanted, ...asBytes])).toEqual([]);
  } finally {
    await owner.end();
  }
}

/** Bytes are read one character each: what is looked for is ASCII, and stands between any others. */
function isIn(bytes: Buffer, { text, isWhole }: Wanted): boolean {
  if (!isWhole) return bytes.includes(text);
  return new RegExp(`(?<![0-9A-Za-z])${text}(?![0-9A-Za-z])`).test(bytes.toString('latin1'));
}

/** The tables of which a row, written out with all its columns, holds one of the texts. */
async function tablesWith(owner: pg.Client, wanted: readonly Wanted[]): Promise<string[]> {
  const { rows: tables } = await owner.query<{ name: string }>(
    `SELECT c.oid::regclass::text AS name FROM pg_class c
     WHERE c.relkind IN ('r', 'p') AND c.relnamespace = 'public'::regnamespace ORDER BY 1`,
  );
  expect(tables.length).toBeGreaterThan(50);
  const found: string[] = [];
  for (const { name } of tables) {
    const { rows } = await owner.query<{ text: string }>(
      `SELECT wanted.text FROM jsonb_to_recordset($1) AS wanted (text text, "isWhole" boolean)
       WHERE EXISTS (SELECT FROM ${name} t WHERE CASE WHEN "isWhole"
         THEN t::text ~ ('\\m' || wanted.text || '\\M') ELSE position(wanted.text IN t::text) > 0 END)`,
      [JSON.stringify(wanted)],
    );
    found.push(...rows.map(({ text }) => `${text} in ${name}`));
  }
  return found;
}
