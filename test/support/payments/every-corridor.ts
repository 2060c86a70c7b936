import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import { createCorridorTable } from '../../../src/domain/payments/corridors/corridor-table.ts';
import type { Corridor } from '../../../src/domain/payments/corridors/corridor.ts';
import { onboardCustomer } from '../../../src/modules/customers/onboard-customer.ts';
import { minorDigits } from '../../../src/domain/money/currencies.ts';
import { newId } from '../../../src/db/client/new-id.ts';
import { exampleAccount } from '../example-account.ts';
import type { Payer } from '../payment-harness.ts';
import { startSandboxHarness, type SandboxHarness } from './settlement-harness.ts';

const { all } = createCorridorTable();

type Mark = 'country' | 'currency' | 'rail';

export interface Everywhere {
  readonly harness: SandboxHarness;
  /** A customer with test money in every currency. */
  readonly payer: Payer;
}

export async function openEverywhere(): Promise<Everywhere> {
  const harness = await startSandboxHarness();
  const customer = { id: newId('cus'), name: 'Everywhere Ltd' };
  const { db, clock } = harness.deps;
  expect(await onboardCustomer({ db, clock }, customer)).toBe(true);
  return {
    harness,
    payer: await harness.addPayer({ customerId: customer.id, environment: 'test' }),
  };
}

/** One corridor for each of what is marked in the table; fewest that come first. */
function oneOfEach(marked: readonly Mark[]): Corridor[] {
  const seen = new Set<string>();
  // Local rails first: with them, most currencies are covered by the countries.
  const ordered = [...all].sort((a, b) => Number(a.rail === 'SWIFT') - Number(b.rail === 'SWIFT'));
  return ordered.filter((way) => {
    const marks = marked.map((mark) => `${mark} ${way[mark]}`);
    const isNew = marks.some((mark) => !seen.has(mark));
    for (const mark of marks) seen.add(mark);
    return isNew;
  });
}

/** With minor digits that the sandbox takes for no order of a fault. */
function amountIn(currency: string): string {
  return ['1234', '', '12.34', '12.345', '12.3456'][minorDigits(currency)] ?? '';
}

async function post(
  { harness, payer }: Everywhere,
  url: string,
  body: object,
  key?: string,
): Promise<string> {
  const answer = await harness.ask({
    ...{ method: 'POST', url, body, token: payer.token },
    ...(key === undefined ? {} : { key }),
  });
  // 200: the harness has given the payer one of the accounts already.
  expect([200, 201], `${JSON.stringify(body)} ${answer.body}`).toContain(answer.statusCode);
  return answer.json<{ id: string }>().id;
}

/** Accepted over HTTP, sent to the bank, and settled by its answer or its callback. */
async function pay(
  everywhere: Everywhere,
  way: Corridor,
): Promise<{ way: Corridor; paymentId: string }> {
  const { harness, payer } = everywhere;
  const { endUserId, scope } = payer;
  const bankAccountId = await post(everywhere, '/bank-accounts', exampleAccount(way, endUserId));
  const { currency } = way;
  const order = { endUserId, bankAccountId, amount: amountIn(currency), currency };
  const paymentId = await post(everywhere, '/payments', order, randomUUID());
  const ref = { ...scope, paymentId };
  await harness.activities.settle({ ...ref, isFirst: true });
  await expect
    .poll(() => harness.activities.applyTransferReports(ref), { message: JSON.stringify(way) })
    .toEqual({ kind: 'DONE', status: 'COMPLETED' });
  return { way, paymentId };
}

/** The sandbox pays an account in every one of what is marked, and its statements say so. */
export async function payOneOfEach(everywhere: Everywhere, marked: readonly Mark[]): Promise<void> {
  const { harness } = everywhere;
  const ways = oneOfEach(marked);
  const distinct = (from: readonly Corridor[], mark: Mark) =>
    new Set(from.map((way) => way[mark])).size;
  for (const mark of marked) expect(distinct(ways, mark), mark).toBe(distinct(all, mark));

  const waiting = ways.values();
  const paid: Awaited<ReturnType<typeof pay>>[] = [];
  const work = async () => {
    for (const way of waiting) paid.push(await pay(everywhere, way));
  };
  await Promise.all(Array.from({ length: 6 }, work));
  expect(paid).toHaveLength(ways.length);

  const expected = new Map<string, string[]>();
  for (const { way, paymentId } of paid) {
    const [row] = await harness.rows<{ reference: string; rail: string }>(
      'SELECT reference, rail FROM settlement_attempts WHERE payment_id = $1',
      [paymentId],
    );
    const amount = amountIn(way.currency);
    expect(row?.rail).toBe(way.rail);
    expect(harness.bank.countMoney(row?.reference ?? '')).toMatchObject({
      currency: way.currency,
      executed: { count: 1, amount },
      returned: { count: 0 },
    });
    expected.set(way.currency, [...(expected.get(way.currency) ?? []), amount]);
  }
  expect(await statedAmounts(harness)).toEqual(
    new Map([...expected].sort(([a], [b]) => (a < b ? -1 : 1))),
  );
}

/** What the bank's statements say of outgoing money, by currency. */
async function statedAmounts(harness: SandboxHarness): Promise<Map<string, string[]>> {
  await harness.bank.cutStatements();
  const stated = new Map<string, string[]>();
  const list = async (after: number) => {
    const answer = await fetch(`${harness.bank.url}/statements?after=${String(after)}`);
    return ((await answer.json()) as { data: { id: string; sequence: number }[] }).data;
  };
  for (const { id } of await list(0)) {
    const xml = await (await fetch(`${harness.bank.url}/statements/${id}`)).text();
    const entry =
      /<Ntry><NtryRef>[^<]+<\/NtryRef><Amt Ccy="([A-Z]{3})">([0-9.]+)<\/Amt><CdtDbtInd>DBIT/g;
    for (const [, currency = '', amount = ''] of xml.matchAll(entry)) {
      stated.set(currency, [...(stated.get(currency) ?? []), amount]);
    }
  }
  return new Map([...stated].sort(([a], [b]) => (a < b ? -1 : 1)));
}
