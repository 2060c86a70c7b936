import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { NEVER_SEEN, says, type BankReply } from '../../support/payments/scripted-bank.ts';
import {
  startScriptedHarness,
  type ScriptedHarness,
} from '../../support/payments/settlement-harness.ts';

let harness: ScriptedHarness;
beforeAll(async () => {
  harness = await startScriptedHarness();
});
beforeEach(() => {
  harness.bank.calls.length = 0;
  harness.bank.onPut = says('SETTLED');
  harness.bank.onGet = () => NEVER_SEEN;
});
afterAll(async () => {
  await harness.expectBooksToHold();
  await harness.close();
});

const STATUSES = ['ACCEPTED', 'SETTLED', 'REJECTED', 'RETURNED'] as const;

/** A payment of which nothing was sent, and the bank's word about its reference. */
async function reported(status: string) {
  const id = await harness.accept();
  const [attempt] = (await harness.tell(id)).attempts;
  if (attempt?.phase !== 'READY') throw new Error('there is no READY attempt');
  const { reference } = attempt;
  expect(await harness.callback({ reference, status, reason: 'AC04' })).toBe(202);
  return { id, reference };
}

const ledgerOf = async (id: string) =>
  (
    await harness.rows<{ kind: string }>(
      'SELECT kind FROM ledger_transactions WHERE payment_id = $1 ORDER BY seq',
      [id],
    )
  ).map(({ kind }) => kind);
const methods = () => harness.bank.calls.map(({ method }) => method);

/** Goes on past the point where an operator is called. */
async function driveOn(id: string) {
  for (let look = 0; look < 100; look += 1) {
    const told = await harness.drive(id);
    if (told.payment.status !== 'ON_HOLD') return told;
    harness.clock.advance(10_000);
  }
  throw new Error('the payment stays on hold');
}

describe.each(STATUSES)('%s about a reference of which nothing was sent', (status) => {
  it('moves nothing, completes nothing and frees nothing', async () => {
    const { id } = await reported(status);
    const before = await harness.tell(id);
    const balance = await harness.balance();
    expect(await harness.applyTransferReports(id)).toMatchObject({
      kind: 'WAIT',
      needsHuman: false,
    });
    const { payment, attempts, story } = await harness.tell(id);
    expect(payment).toMatchObject({ status: 'PROCESSING', version: before.payment.version });
    expect(story).toEqual(before.story);
    expect(attempts).toMatchObject([{ phase: 'UNKNOWN', settledAt: null }]);
    expect(await harness.balance()).toEqual(balance);
    expect(await ledgerOf(id)).toEqual(['HOLD']);
    expect(harness.bank.calls).toEqual([]);
    harness.bank.onGet = says('SETTLED');
    expect((await harness.drive(id)).payment.status).toBe('COMPLETED');
  });

  it('is not believed: the bank is asked, and its SETTLED completes it without a send', async () => {
    const { id } = await reported(status);
    harness.bank.onGet = says('SETTLED');
    expect(await harness.settle(id)).toEqual({ kind: 'DONE', status: 'COMPLETED' });
    expect(methods()).toEqual(['GET']);
    expect(await ledgerOf(id)).toEqual(['HOLD', 'SETTLE']);
  });

  it('and the bank never saw it: sent once, after it has said so twice', async () => {
    const { id, reference } = await reported(status);
    const { payment } = await harness.drive(id);
    expect(payment.status).toBe('COMPLETED');
    expect(methods().filter((method) => method === 'PUT')).toHaveLength(1);
    expect(methods().at(-1)).toBe('PUT');
    expect(harness.bank.puts()).toMatchObject([{ reference }]);
    const asked = harness.bank.calls.filter(
      (call) => call.method === 'GET' && call.reference === reference,
    );
    expect(asked.length).toBeGreaterThanOrEqual(2);
    expect(await ledgerOf(id)).toEqual(['HOLD', 'SETTLE']);
  });

  it.each<[string, BankReply]>([
    ['drops the connection', 'RESET'],
    ['answers 500', { status: 500 }],
  ])(
    'and the bank %s: nothing is sent, nothing is freed, an operator is told',
    async (_what, reply) => {
      const { id } = await reported(status);
      const balance = await harness.balance();
      harness.bank.onGet = () => reply;
      const { payment } = await harness.drive(id);
      expect(payment).toMatchObject({ status: 'ON_HOLD', statusDetail: 'STALLED' });
      expect(harness.bank.puts()).toEqual([]);
      expect(await harness.balance()).toEqual(balance);
      harness.bank.onGet = says('SETTLED');
      expect((await driveOn(id)).payment.status).toBe('COMPLETED');
      expect(await ledgerOf(id)).toEqual(['HOLD', 'SETTLE']);
    },
  );

  it('and the bank rejected it, once no send can be on its way: FAILED, and freed once', async () => {
    const { id } = await reported(status);
    harness.bank.onGet = says('REJECTED', 'AC04');
    const { payment } = await harness.drive(id);
    expect(payment.status).toBe('FAILED');
    expect(harness.bank.puts()).toEqual([]);
    expect(await ledgerOf(id)).toEqual(['HOLD', 'RELEASE']);
  });
});

it('SETTLED that comes for each of ten references while they are claimed: one movement each', async () => {
  const ids = await Promise.all(Array.from({ length: 10 }, () => harness.accept()));
  harness.bank.onGet = (call) =>
    harness.bank.puts().some(({ reference }) => reference === call.reference)
      ? says('SETTLED')(call)
      : NEVER_SEEN;
  const hear = async (id: string) => {
    const [attempt] = (await harness.tell(id)).attempts;
    await harness.callback({ reference: attempt?.reference, status: 'SETTLED' });
    await harness.applyTransferReports(id);
  };
  await Promise.all(ids.flatMap((id) => [hear(id), harness.settle(id)]));
  for (const id of ids) {
    const { payment, attempts } = await harness.drive(id);
    expect(payment.status).toBe('COMPLETED');
    expect(await ledgerOf(id)).toEqual(['HOLD', 'SETTLE']);
    const puts = harness.bank.puts().filter(({ reference }) => {
      return reference === attempts[0]?.reference;
    });
    expect(puts.length).toBeLessThanOrEqual(1);
  }
});
