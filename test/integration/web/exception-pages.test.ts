import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newId } from '../../../src/db/client/new-id.ts';
import {
  createDecidingHarness,
  type DecidingHarness,
} from '../../support/reconciliation/deciding-harness.ts';
import type { EntryDraft } from '../../support/reconciliation/statement-xml.ts';
import { addTestOperator } from '../../support/test-people.ts';
import { startSite, type Site } from '../../support/web/site.ts';

const LIST = '/reconciliation/exceptions';
const STATEMENTS_MAX = 12;

let harness: DecidingHarness;
let site: Site;
let ada: string;
let ben: string;

beforeAll(async () => {
  harness = await createDecidingHarness();
  site = await startSite('console', { on: { database: harness, clock: harness.clock } });
  const logIn = async () => site.logIn((await addTestOperator(site.people, 'OPERATIONS')).id);
  ada = await logIn();
  ben = await logIn();
});
afterAll(async () => {
  await site.close();
  await harness.close();
});

/** The page of the first line of a new statement. */
async function pageOf(...drafts: EntryDraft[]): Promise<string> {
  const entries = drafts.map((draft) => ({ bankReference: newId('back'), ...draft }));
  const { statementId } = await harness.reconcile({ entries });
  return `${LIST}/${statementId}-1`;
}

/** A debit of a payment of 10.00 with charges. */
async function withCharges(amount = '12.50') {
  const paid = await harness.pay('COMPLETED');
  const refs = JSON.stringify([{ type: 'END_TO_END_ID', value: paid.reference }]);
  const set = 'UPDATE payments SET refs = $2, version = version + 1 WHERE id = $1';
  await harness.rows(set, [paid.id, refs]);
  return { ...paid, page: await pageOf({ reference: paid.reference, amount }) };
}

/** Sends a form and its second step; answers where it led to. */
async function send(path: string, fields: Readonly<Record<string, string>>, cookie: string) {
  const first = await site.submit(path, path, { reason: 'asked the bank', ...fields }, cookie);
  const last = first.status === 200 ? await site.confirm(first, path, cookie) : first;
  return { status: last.status, location: String(last.headers.location), body: last.body };
}

const bodyOf = async (path: string): Promise<string> => (await site.get(path, ada)).body;

/** The cells of the row of a field, without tags. */
const rowOf = (body: string, field: string): string[] =>
  [...body.matchAll(/<tr.*?<\/tr>/gs)]
    .map(([row]) => [...row.matchAll(/<td[^>]*>(.*?)<\/td>/gs)].map(([, cell = '']) => cell))
    .map((cells) => cells.map((cell) => cell.replaceAll(/<[^>]+>/g, '').trim()))
    .find(([name]) => name === field) ?? [];

const listed = (body: string): string[] =>
  [...body.matchAll(/href="\/reconciliation\/exceptions\/([^"]+)"/g)]
    .map(([, id = '']) => id)
    .filter((id) => id !== 'propose');

describe('the page of an exception', () => {
  it('shows what we hold beside what the bank says, and marks in words what differs', async () => {
    const { page, id, reference } = await withCharges();
    const body = await bodyOf(page);
    expect(rowOf(body, 'Amount')).toEqual(['Amount', '10.00', '12.50', 'Differs']);
    expect(rowOf(body, 'Currency')).toEqual(['Currency', 'EUR', 'EUR', 'Same']);
    expect(rowOf(body, 'Reference')).toEqual(['Reference', reference, reference, 'Same']);
    expect(body).toContain('The books lack -2.50 EUR: it left the bank.');
    expect(body).toContain(`href="/payments/${id}"`);
    expect(body).toContain(`href="/statements/${page.split('/').at(-1)?.split('-')[0] ?? ''}"`);
  });

  it('ends it by a form that another operator approves, and takes that back in the same way', async () => {
    const { page, id } = await withCharges();
    const fields = { act: 'WRITE_OFF', account: 'BANK_CHARGES' };
    const { location } = await send(`${page}/act`, fields, ada);
    expect(await bodyOf(page)).toContain(location);
    expect((await send(`${location}/approve`, {}, ada)).status).toBe(409);
    expect((await send(`${location}/approve`, {}, ben)).status).toBe(303);
    expect(await harness.payment(id)).toMatchObject({ reconciliation: 'RECONCILED' });
    expect(await bodyOf(location)).toContain(`href="${page}"`);
    expect((await site.get(`${page}/act`, ada)).status).toBe(409);

    const ended = await bodyOf(page);
    expect(ended).toContain('asked the bank');
    const reverse = /href="(\/reconciliation\/exception-acts\/[^"]+\/reverse)"/.exec(ended)?.[1];
    const reversal = await send(reverse ?? '', {}, ben);
    expect((await send(`${reversal.location}/approve`, {}, ada)).status).toBe(303);
    expect(await harness.payment(id)).toMatchObject({ reconciliation: 'EXCEPTION' });
    const open = await bodyOf(page);
    expect(open).toContain('Reversed exa_');
    expect(open).toContain(`href="${page}/act"`);
  });

  it('offers acts about a second late return of a payment', async () => {
    const { page, reference } = await withCharges();
    const back = { amount: '10.00', direction: 'CRDT', returnReason: 'AC04' } as const;
    const second = await pageOf({ reference, ...back });
    await harness.rows(
      `UPDATE statement_lines SET outcome = 'EXCEPTION', exception = 'LATE_RETURN'
       WHERE statement_id = ANY ($1::bigint[])`,
      [[page, second].map((path) => path.split('/').at(-1)?.split('-')[0])],
    );
    expect(await bodyOf(second)).toContain(`href="${second}/act"`);
    expect(await bodyOf(`${second}/act`)).toContain('<option value="CREDIT_RETURN"');
  });

  it('offers only acts that fit it', async () => {
    const { statementId } = await harness.reconcile({ closing: '1.00', entries: [] });
    const form = await bodyOf(`${LIST}/${statementId}-BALANCE_MISMATCH/act`);
    expect([...form.matchAll(/<option value="([A-Z_]+)"/g)].map(([, act]) => act)).toEqual([
      ...['ACKNOWLEDGE', 'BANK_CHARGES', 'FX_DIFFERENCE', 'GOODWILL'],
    ]);
  });

  it('is none where there is no such exception', async () => {
    for (const id of ['999999-1', '1-NOTHING', 'pay_none', 'x', '-', '12-3-4']) {
      expect((await site.get(`${LIST}/${id}`, ada)).status, id).toBe(404);
    }
  });
});

describe('the list of exceptions', () => {
  it('filters by kind, customer, bank and age', async () => {
    const old = await withCharges();
    const young = (await pageOf({ amount: '3.00' })).split('/').at(-1);
    const oldId = old.page.split('/').at(-1);
    await harness.rows(
      "UPDATE statements SET listed_at = listed_at - interval '8 days' WHERE id = $1",
      [oldId?.split('-')[0]],
    );
    const has = async (query: string) => {
      const ids = listed(await bodyOf(`${LIST}?${query}`));
      return [ids.includes(oldId ?? ''), ids.includes(young ?? '')];
    };
    expect(await has('kind=AMOUNT_MISMATCH')).toEqual([true, false]);
    expect(await has('kind=UNEXPECTED_AT_BANK')).toEqual([false, true]);
    expect(await has(`customer=${harness.customer.scope.customerId}`)).toEqual([true, false]);
    expect(await has('bank=http-bank')).toEqual([true, true]);
    expect(await has('bank=another')).toEqual([false, false]);
    expect(await has('age=7')).toEqual([true, false]);
  });

  it('continues behind the last one, and shows each once', async () => {
    const entries = Array.from({ length: 130 }, (_, at) => ({
      ...{ amount: `${String(at + 1)}.00`, bankReference: newId('back') },
    }));
    await harness.reconcile({ entries });
    const ids: string[] = [];
    let next: string | undefined = `${LIST}?kind=UNEXPECTED_AT_BANK`;
    for (let pages = 0; next !== undefined && pages < 5; pages += 1) {
      const body = await bodyOf(next);
      ids.push(...listed(body));
      const more = /href="([^"]+)">Next exceptions/.exec(body)?.[1];
      next = more?.replaceAll('&amp;', '&');
    }
    const [row] = await harness.rows<{ count: bigint }>(
      "SELECT count(*) FROM statement_lines WHERE exception = 'UNEXPECTED_AT_BANK'",
    );
    expect(ids.length).toBe(Number(row?.count));
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids.length).toBeGreaterThan(100);
  });
});

describe('a rule', () => {
  it('suggests an act on the page of its exception, and chooses it on the form', async () => {
    const { page } = await withCharges();
    expect(await bodyOf(page)).toContain('A rule suggests WRITE_OFF to BANK_CHARGES.');
    const form = await bodyOf(`${page}/act`);
    const chosen = [
      ...form.matchAll(/<option (?:value="([A-Z_]+)" selected|selected[^>]* value="([A-Z_]+)")/g),
    ];
    expect(chosen.map(([, one, other]) => one ?? other)).toEqual(['WRITE_OFF', 'BANK_CHARGES']);
  });

  it('is proposed for all that it fits on one page, whose approval shows each exception and its outcome', async () => {
    const { page, id } = await withCharges('10.21');
    const fields = { kind: 'AMOUNT_MISMATCH', environment: 'test', rule: 'charges-on-payout' };
    const { version } = await harness.payment(id);
    const { location } = await send(`${LIST}/propose`, fields, ada);
    expect(rowOf(await bodyOf(location), page.split('/').at(-1)?.replace('-', '/') ?? '')).toEqual([
      ...[page.split('/').at(-1)?.replace('-', '/'), 'WRITE_OFF', 'BANK_CHARGES', '-0.21 EUR', id],
      ...['charges-on-payout', String(version), 'Not yet'],
    ]);
    expect((await send(`${location}/approve`, {}, ben)).status).toBe(303);
    expect(
      rowOf(await bodyOf(location), page.split('/').at(-1)?.replace('-', '/') ?? '').at(-1),
    ).toBe('Ended');
  });
});

describe('each page of exceptions', () => {
  it('asks the database at most twelve times', async () => {
    const { page } = await withCharges();
    const { location } = await send(`${page}/act`, { act: 'RECOVER' }, ada);
    await send(`${location}/approve`, {}, ben);
    const reverse = /href="([^"]+\/reverse)"/.exec(await bodyOf(page))?.[1] ?? '';
    const { page: open } = await withCharges('10.07');
    const paths = [LIST, page, open, `${open}/act`, reverse, `${LIST}/propose`];
    for (const path of paths) {
      const before = site.statements();
      expect((await site.get(path, ada)).status, path).toBe(200);
      expect(site.statements() - before, path).toBeLessThanOrEqual(STATEMENTS_MAX);
    }
  });
});
