import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { positionFollowsQuotes } from '../../../src/cli/verify/fx-position.ts';
import { ledgerSumsToZero } from '../../../src/cli/verify/ledger-sums-to-zero.ts';
import { connectToVerify } from '../../../src/cli/verify/reader.ts';
import { newId } from '../../../src/db/client/new-id.ts';
import { createOpsCommands } from '../../support/cli/ops/ops-commands.ts';
import {
  createDecidingHarness,
  type DecidingHarness,
} from '../../support/reconciliation/deciding-harness.ts';
import type { EntryDraft } from '../../support/reconciliation/statement-xml.ts';
import { addQuote } from '../../support/sample-quote.ts';
import type { Fate, Seeded } from '../../support/seed-payments.ts';

/** Of a payment of 892.37 EUR from a balance in USD. */
const CONVERTED = 99_651n;

let harness: DecidingHarness;
let ops: ReturnType<typeof createOpsCommands>;
let before = { available: 0n, receivable: 0n };
beforeAll(async () => {
  harness = await createDecidingHarness();
  ops = createOpsCommands(harness.commands, harness.clock);
});
afterAll(() => harness.close());
beforeEach(async () => {
  before = await harness.standing(harness.customer.scope, 'USD');
});

async function pay(fate: Fate): Promise<Seeded> {
  const at = harness.clock.now();
  const expiresAt = new Date(at.getTime() + 60_000);
  const quote = await addQuote(harness.db, harness.customer.scope, { createdAt: at, expiresAt });
  return harness.pay(fate, { at, quote });
}

/** What the customer has more than before, in USD, minor units. */
async function gained(): Promise<bigint> {
  const { available, receivable } = await harness.standing(harness.customer.scope, 'USD');
  return available + receivable - before.available - before.receivable;
}

/** A statement with one line of its own; answers its exception. */
async function shows(entry: EntryDraft): Promise<string> {
  const entries = [{ bankReference: newId('back'), ...entry }];
  return `${(await harness.reconcile({ entries })).statementId}/1`;
}

const back = (reference: string, amount: string): EntryDraft => ({
  ...{ reference, amount, direction: 'CRDT', returnReason: 'AC04' },
});

/** Two operators do it; answers the act. `verify` finds nothing behind it. */
async function act(...args: string[]): Promise<string> {
  const by = ['--reason', 'asked the bank', '--operator', 'ada'];
  const { printed } = await ops('exceptions', ...args, ...by);
  const id = /apr_[0-9a-z]+/.exec(printed)?.[0] ?? '';
  expect(id, printed).not.toBe('');
  const done = await harness.approve(id);
  expect(done, done.printed).toMatchObject({ code: 0 });
  await expectPosition();
  return /exa_[0-9a-z]+/.exec(done.printed)?.[0] ?? '';
}

async function expectPosition(): Promise<void> {
  const connection = await connectToVerify(harness.url);
  try {
    const found = await connection.snapshot(async (reader) => [
      await positionFollowsQuotes(reader),
      await ledgerSumsToZero(reader),
    ]);
    expect(found.flatMap(({ samples }) => samples)).toEqual([]);
  } finally {
    await connection.close();
  }
}

describe('an act about a payment in two currencies', () => {
  it('recovers what the bank paid after the funds went back, at the payment’s rate; credits it again, and is reversed', async () => {
    const { id, reference } = await pay('FAILED');
    const debit = await shows({ reference, amount: '892.37' });
    const recovered = await act('apply', debit, '--act', 'RECOVER');
    expect(await gained()).toBe(-CONVERTED);
    expect(await harness.payment(id)).toMatchObject({ reconciliation: 'RECONCILED' });

    const credit = await shows(back(reference, '892.37'));
    const credited = await act('apply', credit, '--act', 'CREDIT_RETURN');
    expect(await gained()).toBe(0n);
    await act('reverse', credited);
    expect(await gained()).toBe(-CONVERTED);
    await act('reverse', recovered);
    expect(await gained()).toBe(0n);
  });

  it('charges a part rounded up, and credits it rounded down: parts gain nothing', async () => {
    const { reference } = await pay('COMPLETED');
    await shows({ reference, amount: '892.37' });
    const second = await shows({ reference, amount: '892.37' });
    await act('apply', second, '--act', 'RECOVER', '--amount', '0.01', '--account', 'GOODWILL');
    expect(await gained()).toBe(-2n - CONVERTED - 349n);
    await act('apply', await shows(back(reference, '0.01')), '--act', 'CREDIT_RETURN');
    expect(await gained()).toBe(-1n - CONVERTED - 349n);
  });

  it('credits the rest of a return, each part rounded on its own', async () => {
    const { id, reference } = await pay('COMPLETED');
    await shows({ reference, amount: '892.37' });
    await shows(back(reference, '446.18'));
    const rest = await shows(back(reference, '446.19'));
    const credited = await act('apply', rest, '--act', 'CREDIT_RETURN');
    // 498.24 and 498.26 USD: one cent less than the whole at once.
    expect(await gained()).toBe(-1n - 349n);
    await act('reverse', credited);
    expect(await gained()).toBe(-1n - 349n - 49_826n);
    await act('apply', rest, '--act', 'WRITE_OFF', '--account', 'GOODWILL');
    expect(await harness.payment(id)).toMatchObject({ status: 'RETURNED' });
  });

  it('names no payment of another currency than the line', async () => {
    const { id } = await pay('COMPLETED');
    const entries = [{ bankReference: newId('back'), amount: '5.00' }];
    const { statementId } = await harness.reconcile({ currency: 'USD', entries });
    const by = ['--reason', 'asked the bank', '--operator', 'ada'];
    const wanted = ['--act', 'RECOVER', '--payment', id];
    const { printed } = await ops('exceptions', 'apply', `${statementId}/1`, ...wanted, ...by);
    expect(printed).toContain('was paid in EUR');
  });

  it('charges what the balance does not cover as a debt, in the currency that paid', async () => {
    const { reference } = await pay('FAILED');
    const { available } = await harness.standing(harness.customer.scope, 'USD');
    const quote = await addQuote(harness.db, harness.customer.scope, {
      ...{
        createdAt: harness.clock.now(),
        expiresAt: new Date(harness.clock.now().getTime() + 60_000),
      },
      ...{ sourceAmount: available - 100n, convertedAmount: available - 449n },
    });
    await harness.pay('COMPLETED', { at: harness.clock.now(), quote });
    await act('apply', await shows({ reference, amount: '892.37' }), '--act', 'RECOVER');
    expect(await harness.standing(harness.customer.scope, 'USD')).toEqual({
      available: 0n,
      receivable: 100n - CONVERTED,
    });
  });
});
