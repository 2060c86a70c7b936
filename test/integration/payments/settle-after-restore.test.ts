import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { beginRestoreMode } from '../../../src/db/operations/restore-mode-store.ts';
import {
  NEVER_SEEN,
  says,
  type BankCall,
  type BankReply,
} from '../../support/payments/scripted-bank.ts';
import {
  startScriptedHarness,
  type ScriptedHarness,
} from '../../support/payments/settlement-harness.ts';

let harness: ScriptedHarness;
beforeAll(async () => {
  harness = await startScriptedHarness();
});
afterAll(() => harness.close());

/** A bank that never recognises a reference: every PUT that it executes moves money. */
function openForgetfulBooks() {
  const moved = new Map<string, number>();
  const said = new Map<string, (call: BankCall) => BankReply>();
  let puts = 0;
  const executes = (call: BankCall, answer: BankReply): BankReply => {
    moved.set(call.reference, (moved.get(call.reference) ?? 0) + 1);
    said.set(call.reference, says('SETTLED'));
    return answer;
  };
  harness.bank.onPut = (call) => {
    puts += 1;
    // In turn: settled, executed with the answer lost, refused for now, taken without a word, settled.
    if (puts % 5 === 2) return executes(call, 'RESET');
    if (puts % 5 === 4) return executes(call, { status: 503 });
    if (puts % 5 !== 3) return executes(call, says('SETTLED')(call));
    said.set(call.reference, says('REJECTED', 'BANK_UNAVAILABLE'));
    return says('REJECTED', 'BANK_UNAVAILABLE')(call);
  };
  harness.bank.onGet = (call) => said.get(call.reference)?.(call) ?? NEVER_SEEN;
  return moved;
}

async function pay(key: string, amount: string): Promise<string> {
  const answer = await harness.pay(harness.order({ amount }), key);
  expect(answer.statusCode, answer.body).toBe(201);
  return answer.json<{ id: string }>().id;
}

describe('a database restored from an older copy, clients repeating every key', () => {
  it('moves the money of each key once, at a bank that recognises no reference', async () => {
    const moved = openForgetfulBooks();
    const orders = Array.from(
      { length: 15 },
      (_none, n) => [`key-${String(n)}`, `${String(n + 1)}.00`] as const,
    );
    const payAll = async (some: typeof orders) => {
      const ids = [];
      for (const [key, amount] of some) ids.push(await pay(key, amount));
      return ids;
    };
    // The copy knows the first five as accepted, and nothing of what became of them.
    const known = await payAll(orders.slice(0, 5));
    const restore = await harness.database.keepCopy();
    for (const id of [...known, ...(await payAll(orders.slice(5)))]) {
      expect((await harness.drive(id)).payment.status).toBe('COMPLETED');
    }
    expect([...moved.values()]).toEqual(orders.map(() => 1));

    await restore();
    await harness.database.db.system((tx) =>
      beginRestoreMode(tx, {
        actor: { kind: 'OPERATOR', name: 'ada' },
        at: harness.clock.now(),
        reason: 'restored',
      }),
    );
    const putsBefore = harness.bank.puts().length;
    const ids = await payAll(orders);
    expect(ids.slice(0, 5)).toEqual(known);
    for (const id of ids) expect((await harness.drive(id)).payment.status).toBe('COMPLETED');
    expect([...moved.values()]).toEqual(orders.map(() => 1));
    expect(harness.bank.puts()).toHaveLength(putsBefore);
    await harness.expectBooksToHold();
  });

  it('sends what the bank never saw, once it has said so twice, late enough', async () => {
    const moved = new Map<string, number>();
    harness.bank.onPut = (call) => {
      moved.set(call.reference, (moved.get(call.reference) ?? 0) + 1);
      return says('SETTLED')(call);
    };
    harness.bank.onGet = () => NEVER_SEEN;
    const callsBefore = harness.bank.calls.length;
    const { payment } = await harness.drive(await pay('new after the restore', '3.00'));
    expect(payment.status).toBe('COMPLETED');
    expect([...moved.values()]).toEqual([1]);
    const methods = harness.bank.calls.slice(callsBefore).map(({ method }) => method);
    expect(methods.filter((method) => method === 'GET').length).toBeGreaterThanOrEqual(2);
    expect(methods.at(-1)).toBe('PUT');
  });
});
