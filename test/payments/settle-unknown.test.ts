import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { NEVER_SEEN, says, type BankReply } from './scripted-bank.ts';
import { startScriptedWorld, type ScriptedWorld } from './settlement-world.ts';

let world: ScriptedWorld;
beforeAll(async () => {
  world = await startScriptedWorld();
});
beforeEach(() => {
  world.bank.calls.length = 0;
  world.bank.onPut = says('SETTLED');
  world.bank.onGet = () => NEVER_SEEN;
});
afterEach(() => world.expectBooksToHold());
afterAll(() => world.close());

const sentTo = (id: string) =>
  world.bank.puts().filter(({ reference }) => reference.slice(2, 28).toLowerCase() === id.slice(4));

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
      const before = await world.balance();
      world.bank.onPut = () => reply;
      const id = await world.accept();
      expect(await world.settle(id)).toEqual({ kind: 'WAIT', waitMs: 1_000, needsHuman: false });
      const { payment, attempts } = await world.tell(id);
      expect(payment).toMatchObject({
        status: 'PROCESSING',
        statusDetail: 'OUTCOME_UNKNOWN',
        fundsStatus: 'UNKNOWN',
      });
      expect(attempts).toMatchObject([{ phase: 'UNKNOWN', lastAnswer: why, fruitlessSends: 1 }]);
      const after = await world.balance();
      expect(BigInt(after.reserved) - BigInt(before.reserved)).toBe(1_000n);
      // However often it is looked at before the time has come, nothing is sent or asked.
      await world.settle(id);
      expect(world.bank.calls).toHaveLength(1);
      world.bank.onGet = says('SETTLED');
      expect((await world.drive(id)).payment.status).toBe('COMPLETED');
      expect(sentTo(id)).toHaveLength(1);
    },
  );

  it('is asked about after 1 s at doubling distances up to 10 s, until 30 s make it STALLED', async () => {
    const asked: number[] = [];
    const id = await world.accept();
    const startedAt = world.clock.now().getTime();
    world.bank.onPut = () => ({ status: 500 });
    world.bank.onGet = () => {
      asked.push((world.clock.now().getTime() - startedAt) / 1_000);
      return { status: 500 };
    };
    const { payment } = await world.drive(id);
    expect(payment).toMatchObject({ status: 'ON_HOLD', statusDetail: 'STALLED' });
    expect(payment.fundsStatus).toBe('UNKNOWN');
    expect(asked).toEqual([1, 2, 4, 8, 16, 26]);
    expect(world.clock.now().getTime() - startedAt).toBe(30_000);
    expect(sentTo(id)).toHaveLength(1);
    // Held for a human, the bank is still asked; its word is enough.
    world.bank.onGet = says('SETTLED');
    world.clock.advance(10_000);
    expect(await world.settle(id)).toEqual({ kind: 'DONE', status: 'COMPLETED' });
  });

  it('a bank that executed and lost the answer is asked, and the money moved once', async () => {
    world.bank.onPut = () => 'RESET';
    world.bank.onGet = says('SETTLED');
    const id = await world.accept();
    expect((await world.drive(id)).payment.status).toBe('COMPLETED');
    expect(sentTo(id)).toHaveLength(1);
  });

  it('a bank that rejected and lost the answer is asked, and the funds are back', async () => {
    const before = await world.balance();
    world.bank.onPut = () => 'RESET';
    world.bank.onGet = says('REJECTED', 'AC04');
    expect((await world.drive(await world.accept())).payment.status).toBe('FAILED');
    expect(await world.balance()).toEqual(before);
  });

  it('a bank that forgets a transfer it had ACCEPTED is never sent it again', async () => {
    world.bank.onPut = says('ACCEPTED');
    const id = await world.accept();
    const { payment } = await world.drive(id);
    expect(payment).toMatchObject({ status: 'ON_HOLD', statusDetail: 'STALLED' });
    expect(sentTo(id)).toHaveLength(1);
  });

  it('a bank that says ACCEPTED again of a stalled payment makes it SENT again', async () => {
    world.bank.onPut = says('ACCEPTED');
    const id = await world.accept();
    await world.drive(id);
    world.bank.onGet = says('ACCEPTED');
    world.clock.advance(10_000);
    await world.settle(id);
    expect((await world.tell(id)).payment).toMatchObject({
      status: 'SENT',
      fundsStatus: 'IN_RAIL',
    });
  });
});
