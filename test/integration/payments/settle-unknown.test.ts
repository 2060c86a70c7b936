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

const sentTo = async (id: string) => {
  const own = (await harness.tell(id)).attempts.map(({ reference }) => reference);
  return harness.bank.puts().filter(({ reference }) => own.includes(reference));
};

const UNCLEAR: readonly [string, BankReply, string][] = [
  ['503', { status: 503 }, 'HTTP_503'],
  ['500', { status: 500 }, 'HTTP_500'],
  ['504', { status: 504 }, 'HTTP_504'],
  ['418', { status: 418 }, 'HTTP_418'],
  ['404 to a send', { status: 404 }, 'HTTP_404'],
  ['a redirect', { status: 302 }, 'HTTP_302'],
  ['a torn connection', 'RESET', 'RESET'],
  ['no answer in time', 'SILENCE', 'TIMEOUT'],
  ['text that is no JSON', { status: 200, body: '<html>{"status":' }, 'GARBAGE'],
  ['an unheard-of status', { status: 200, body: { status: 'MAYBE' } }, 'GARBAGE'],
  [
    "another transfer's reference",
    { status: 200, body: { status: 'SETTLED', reference: 'X' } },
    'GARBAGE',
  ],
];

describe('an answer that says nothing', () => {
  it.each(UNCLEAR)(
    '%s leaves the outcome unknown and the money reserved',
    async (_n, reply, why) => {
      const before = await harness.balance();
      harness.bank.onPut = () => reply;
      const id = await harness.accept();
      expect(await harness.settle(id)).toMatchObject({
        kind: 'WAIT',
        waitMs: 1_000,
        needsHuman: false,
      });
      const { payment, attempts } = await harness.tell(id);
      expect(payment).toMatchObject({
        status: 'PROCESSING',
        statusDetail: 'OUTCOME_UNKNOWN',
        fundsStatus: 'UNKNOWN',
      });
      expect(attempts).toMatchObject([{ phase: 'UNKNOWN', lastAnswer: why, fruitlessSends: 1 }]);
      const after = await harness.balance();
      expect(BigInt(after.reserved) - BigInt(before.reserved)).toBe(1_000n);
      // However often it is looked at before the time has come, nothing is sent or asked.
      await harness.settle(id);
      expect(harness.bank.calls).toHaveLength(1);
      harness.bank.onGet = says('SETTLED');
      expect((await harness.drive(id)).payment.status).toBe('COMPLETED');
      expect(await sentTo(id)).toHaveLength(1);
    },
  );

  it('is asked about after 1 s at doubling distances up to 10 s, until 30 s make it STALLED', async () => {
    const asked: number[] = [];
    const id = await harness.accept();
    const startedAt = harness.clock.now().getTime();
    harness.bank.onPut = () => ({ status: 500 });
    harness.bank.onGet = () => {
      asked.push((harness.clock.now().getTime() - startedAt) / 1_000);
      return { status: 500 };
    };
    const { payment } = await harness.drive(id);
    expect(payment).toMatchObject({ status: 'ON_HOLD', statusDetail: 'STALLED' });
    expect(payment.fundsStatus).toBe('UNKNOWN');
    expect(asked).toEqual([1, 2, 4, 8, 16, 26]);
    expect(harness.clock.now().getTime() - startedAt).toBe(30_000);
    expect(await sentTo(id)).toHaveLength(1);
    // Held for a human, the bank is still asked; its word is enough.
    harness.bank.onGet = says('SETTLED');
    harness.clock.advance(10_000);
    expect(await harness.settle(id)).toEqual({ kind: 'DONE', status: 'COMPLETED' });
  });

  it('a bank that executed and lost the answer is asked, and the money moved once', async () => {
    harness.bank.onPut = () => 'RESET';
    harness.bank.onGet = says('SETTLED');
    const id = await harness.accept();
    expect((await harness.drive(id)).payment.status).toBe('COMPLETED');
    expect(await sentTo(id)).toHaveLength(1);
  });

  it('a bank that rejected and lost the answer is asked, and the funds are back', async () => {
    const before = await harness.balance();
    harness.bank.onPut = () => 'RESET';
    harness.bank.onGet = says('REJECTED', 'AC04');
    expect((await harness.drive(await harness.accept())).payment.status).toBe('FAILED');
    expect(await harness.balance()).toEqual(before);
  });

  it('a bank that forgets a transfer it had ACCEPTED is never sent it again', async () => {
    harness.bank.onPut = says('ACCEPTED');
    const id = await harness.accept();
    const { payment } = await harness.drive(id);
    expect(payment).toMatchObject({ status: 'ON_HOLD', statusDetail: 'STALLED' });
    expect(await sentTo(id)).toHaveLength(1);
  });

  it('a bank that says ACCEPTED again of a stalled payment makes it SENT again', async () => {
    harness.bank.onPut = says('ACCEPTED');
    const id = await harness.accept();
    await harness.drive(id);
    harness.bank.onGet = says('ACCEPTED');
    harness.clock.advance(10_000);
    await harness.settle(id);
    expect((await harness.tell(id)).payment).toMatchObject({
      status: 'SENT',
      fundsStatus: 'IN_RAIL',
    });
  });
});
