import pg from 'pg';
import { expect } from 'vitest';
import { readPlaces } from '../stack-places.ts';
import type { Stack } from '../stack.ts';

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
  const places = Object.entries(readPlaces(stack.folder));
  expect(places.some(([, bytes]) => bytes.includes(present))).toBe(true);
  const onDisk = secrets.flatMap((secret) =>
    places.flatMap(([place, bytes]) => (bytes.includes(secret) ? [`${secret} in ${place}`] : [])),
  );
  expect(onDisk).toEqual([]);

  const owner = new pg.Client({ connectionString: stack.state().databaseUrl });
  await owner.connect();
  try {
    expect(await tablesWith(owner, [present])).not.toEqual([]);
    const asBytes = secrets.map((secret) => Buffer.from(secret).toString('hex'));
    expect(await tablesWith(owner, [...secrets, ...asBytes])).toEqual([]);
  } finally {
    await owner.end();
  }
}

/** The tables of which a row, written out with all its columns, holds one of the texts. */
async function tablesWith(owner: pg.Client, texts: readonly string[]): Promise<string[]> {
  const { rows: tables } = await owner.query<{ name: string }>(
    `SELECT c.oid::regclass::text AS name FROM pg_class c
     WHERE c.relkind IN ('r', 'p') AND c.relnamespace = 'public'::regnamespace ORDER BY 1`,
  );
  expect(tables.length).toBeGreaterThan(50);
  const found: string[] = [];
  for (const { name } of tables) {
    const { rows } = await owner.query<{ text: string }>(
      `SELECT wanted.text FROM unnest($1::text[]) AS wanted (text)
       WHERE EXISTS (SELECT FROM ${name} t WHERE position(wanted.text IN t::text) > 0)`,
      [texts],
    );
    found.push(...rows.map(({ text }) => `${text} in ${name}`));
  }
  return found;
}
