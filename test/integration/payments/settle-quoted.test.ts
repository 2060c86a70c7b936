import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { storeStatementReport } from '../../../src/db/payments/transfer-report-store.ts';
import { createFeeSchedule } from '../../../src/domain/payments/fees/fee-schedule.ts';
import { fund, publishRates, quote } from '../../support/quoted-harness.ts';
import { says } from '../../support/payments/scripted-bank.ts';
import {
  startScriptedHarness,
  type ScriptedHarness,
} from '../../support/payments/settlement-harness.ts';
import { ASSET_MARKUP_BPS } from '../../../src/domain/payments/quotes/asset-markup.ts';

const pricing = {
  markupBps: 50,
  feeBps: 30,
  feeFixed: '0.50',
  assetMarkupBps: ASSET_MARKUP_BPS,
  lockMarkupPercent: 0,
  hasCurrencies: true,
  graceMs: 60_000,
};

let harness: ScriptedHarness;
beforeAll(async () => {
  const fees = createFeeSchedule([
    {
      ...{ type: 'SERVICE', currency: 'EUR', environment: null, rail: 'SEPA', country: null },
      ...{ fixed: 20n, bps: 100, min: null, max: null },
    },
  ]);
  harness = await startScriptedHarness(undefined, {
    settings: { quotes: { test: pricing, live: pricing }, fees },
  });
  await publishRates(harness);
  await fund(harness, harness.scope, 'USD', 1_000_000n);
});
afterAll(async () => {
  await harness.expectBooksToHold();
  await harness.close();
});

/** The lines of a payment's movement as "account currency amount". */
async function linesOf(paymentId: string, kind: string): Promise<string[]> {
  const rows = await harness.rows<{ line: string }>(
    `SELECT concat_ws(' ', e.account, e.currency, e.amount) AS line
     FROM ledger_entries e JOIN ledger_transactions t ON t.id = e.transaction_id
     WHERE t.payment_id = $1 AND t.kind = $2 ORDER BY e.line`,
    [paymentId, kind],
  );
  return rows.map(({ line }) => line);
}

/** 892.37 EUR for 1,000.00 USD: 996.51 are converted, 0.50 and 2.99 are fees. */
async function acceptQuoted(): Promise<string> {
  const { id: quoteId, targetAmount } = await quote(harness, { sourceAmount: '1000.00' });
  expect(targetAmount).toBe('892.37');
  return harness.accept({ quoteId, amount: targetAmount });
}

async function comesBack(paymentId: string, amount: string): Promise<void> {
  const reference = (await harness.tell(paymentId)).attempts[0]?.reference ?? '';
  const line = { reportId: randomUUID(), paymentId, reference, bankReference: null };
  const report = { ...line, status: 'RETURNED', reason: 'AC04', amount, bookedAt: null } as const;
  await harness.deps.db.write(harness.scope, (tx) =>
    storeStatementReport(tx, harness.scope, report, harness.clock.now()),
  );
  await harness.applyTransferReports(paymentId);
}

const view = async (id: string) =>
  (await harness.ask({ url: `/payments/${id}` })).json<Record<string, unknown>>();

it('settled: the currencies are exchanged against our position, and the fees are earned', async () => {
  harness.bank.onPut = says('SETTLED');
  const id = await acceptQuoted();
  expect(await linesOf(id, 'HOLD')).toEqual(['available USD -100000', 'reserved USD 100000']);
  await harness.drive(id);
  expect(await linesOf(id, 'SETTLE')).toEqual([
    ...['reserved USD -99651', 'fx USD 99651', 'fx EUR -89237', 'nostro:SEPA EUR 89237'],
    ...['reserved USD -50', 'fees USD 50', 'reserved USD -299', 'fees USD 299'],
  ]);
});

it('rejected: the hold is released whole, fees included, and no currency was exchanged', async () => {
  const before = await harness.balance('USD');
  harness.bank.onPut = says('REJECTED', 'AC04');
  const id = await acceptQuoted();
  const { payment } = await harness.drive(id);
  expect(payment).toMatchObject({ status: 'FAILED', fundsStatus: 'BACK_IN_BALANCE' });
  expect(await linesOf(id, 'RELEASE')).toEqual(['reserved USD -100000', 'available USD 100000']);
  expect(await linesOf(id, 'SETTLE')).toEqual([]);
  expect(await harness.balance('USD')).toEqual(before);
  const { quoteId } = await view(id);
  const quoted = await harness.ask({ url: `/quotes/${String(quoteId)}` });
  expect(quoted.json()).toMatchObject({ status: 'CONSUMED', paymentId: id });
});

it.each([
  ['in full', '892.37', '0.00', '996.51'],
  ["less the bank's fee", '800.00', '92.37', '893.36'],
  ['all but a cent', '892.36', '0.01', '996.49'],
  ['with nothing of it left', '0', '892.37', '0.00'],
])(
  'returned %s: credited at the rate of the payment, rounded down; fees are kept',
  async (_what, cameBack, fee, credited) => {
    harness.bank.onPut = says('SETTLED');
    const id = await acceptQuoted();
    await harness.drive(id);
    const before = await harness.balance('USD');
    // Rates of now have nothing to do with it.
    await publishRates(harness, { EUR: '0.85' });
    await comesBack(id, cameBack);
    await publishRates(harness);
    const amount = cameBack === '0' ? '0.00' : cameBack;
    expect(await view(id)).toMatchObject({
      ...{ status: 'RETURNED', source: { currency: 'USD', amount: '1000.00' } },
      return: { amount, fee, credited: { currency: 'USD', amount: credited } },
    });
    const back = BigInt(credited.replace('.', ''));
    const { available } = await harness.balance('USD');
    expect(BigInt(available) - BigInt(before.available)).toBe(back);
    expect(
      await harness.rows(
        `SELECT FROM ledger_entries e JOIN ledger_transactions t
      ON t.id = e.transaction_id WHERE t.payment_id = $1 AND e.account = 'fees' AND e.amount < 0`,
        [id],
      ),
    ).toEqual([]);
  },
);

it('a bank that is lost and asked again: settled once, at the quote', async () => {
  let puts = 0;
  harness.bank.onPut = (call) => {
    puts += 1;
    return puts === 1 ? { status: 500, body: '' } : says('SETTLED')(call);
  };
  harness.bank.onGet = says('SETTLED');
  const id = await acceptQuoted();
  const { payment } = await harness.drive(id);
  expect(payment.status).toBe('COMPLETED');
  expect(await linesOf(id, 'SETTLE')).toContain('fx EUR -89237');
});

it('a fee in one currency is held with the amount, earned when it is paid, kept when it is returned', async () => {
  const before = await harness.balance();
  harness.bank.onPut = says('SETTLED');
  const id = await harness.accept();
  expect(await view(id)).toMatchObject({
    ...{ quoteId: null, rate: null, source: { currency: 'EUR', amount: '10.30' } },
    fees: [
      {
        ...{ type: 'SERVICE', amount: '0.30', currency: 'EUR', bps: 100 },
        description: 'Fee of the service',
      },
    ],
  });
  expect(await linesOf(id, 'HOLD')).toEqual(['available EUR -1030', 'reserved EUR 1030']);
  await harness.drive(id);
  expect(await linesOf(id, 'SETTLE')).toEqual([
    ...['reserved EUR -1000', 'nostro:SEPA EUR 1000', 'reserved EUR -30', 'fees EUR 30'],
  ]);
  await comesBack(id, '10.00');
  expect(await view(id)).toMatchObject({
    return: { amount: '10.00', fee: '0.00', credited: { currency: 'EUR', amount: '10.00' } },
  });
  const { available, reserved } = await harness.balance();
  expect(BigInt(before.available) - BigInt(available)).toBe(30n);
  expect(reserved).toBe(before.reserved);
});

it('a fee of a payment that the bank rejects is given back', async () => {
  const before = await harness.balance();
  harness.bank.onPut = says('REJECTED', 'AC04');
  const id = await harness.accept();
  expect((await harness.drive(id)).payment.status).toBe('FAILED');
  expect(await harness.balance()).toEqual(before);
});

it('a balance that covers the amount but not the fee is refused', async () => {
  const { available } = await harness.balance();
  const all = BigInt(available);
  const amount = (minor: bigint) =>
    `${(minor / 100n).toString()}.${(minor % 100n).toString().padStart(2, '0')}`;
  const refused = await harness.pay(harness.order({ amount: amount(all) }));
  expect(refused.json()).toMatchObject({ error: 'insufficient_balance' });
});
