import { request } from 'undici';
import { isJsonList, text } from './json.ts';

/** How often the sandbox bank's own journal says that money moved for a reference. */
export async function countMovements(bankUrl: string, reference: string): Promise<number> {
  const answer = await request(`${bankUrl}/journal?reference=${reference}`);
  const journal = (await answer.body.json()) as { readonly executed: { readonly count: number } };
  return journal.executed.count;
}

/** The bank's statement that shows a reference, as camt.053 XML; null while there is none. */
export async function findStatement(
  bankUrl: string,
  reference: string,
): Promise<{ readonly id: string; readonly xml: string } | null> {
  const list: unknown = await (await request(`${bankUrl}/statements?after=0`)).body.json();
  if (!isJsonList(list)) return null;
  for (const { id } of list.data) {
    const name = text(id);
    const xml = await (await request(`${bankUrl}/statements/${name}`)).body.text();
    if (xml.includes(reference)) return { id: name, xml };
  }
  return null;
}
