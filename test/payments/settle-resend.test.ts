import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { retryPayment } from '../../src/payments/resolve-payment.ts';
import { NEVER_SEEN, says } from './scripted-bank.ts';
import { startScriptedWorld, type ScriptedWorld } from './settlement-world.ts';

let world: ScriptedWorld;
beforeAll(async () => {
  world = await startScriptedWorld();
});
beforeEach(async () => {
  await world.bank.goDown();
  await world.bank.comeBack();
  world.bank.calls.length = 0;
  world.bank.onPut = says('SETTLED');
  world.bank.onGet = () => NEVER_SEEN;
});
afterEach(() => world.expectBooksToHold());
afterAll(() => world.close());

/** When which call came, in seconds since the first. */
function watchTimes(): string[] {
  const seen: string[] = [];
  const startedAt = world.clock.now().getTime();
  const { onPut, onGet } = world.bank;
  const at = () => String((world.clock.now().getTime() - startedAt) / 1_000);
  world.bank.onPut = (call) => {
    seen.push(`PUT ${at()}`);
    return onPut(call);
  };
  world.bank.onGet = (call) => {
    seen.push(`GET ${at()}`);
    return onGet(call);
  };
  return seen;
}

describe('sending again', () => {
  it('waits for two late "never seen", then sends the same bytes under the same reference', async () => {
    let puts = 0;
    world.bank.onPut = (call) => {
      puts += 1;
      return puts === 1 ? { status: 503 } : says('SETTLED')(call);
    };
    const seen = watchTimes();
    const { payment, attempts } = await world.drive(await world.accept());
    expect(payment.status).toBe('COMPLETED');
    // The question after 1 s came too early to count: the answer to the send was no older.
    expect(seen).toEqual(['PUT 0', 'GET 1', 'GET 2', 'GET 3', 'PUT 3']);
    expect(attempts).toMatchObject([{ sends: 2, phase: 'SETTLED' }]);
    const [first, second] = world.bank.puts();
    expect(second).toEqual(first);
  });

  it.each([
    ['gave no answer at all', 'SILENCE'],
    ['was waited for in vain by a proxy (502)', { status: 502 }],
    ['was waited for in vain by a proxy (504)', { status: 504 }],
    ['was too slow for a proxy (408)', { status: 408 }],
  ] as const)('waits from the deadline where the bank %s', async (_what, reply) => {
    let puts = 0;
    world.bank.onPut = (call) => {
      puts += 1;
      return puts === 1 ? reply : says('SETTLED')(call);
    };
    const seen = watchTimes();
    await world.drive(await world.accept());
    // Deadline 3 s and 2 s more: the questions at 1, 2 and 4 s do not count.
    expect(seen).toEqual(['PUT 0', 'GET 1', 'GET 2', 'GET 4', 'GET 8', 'GET 9', 'PUT 9']);
  });

  it('after a resend without an answer waits from its own deadline, not from the answer before', async () => {
    let puts = 0;
    world.bank.onPut = (call) => {
      puts += 1;
      if (puts === 3) return says('SETTLED')(call);
      return puts === 1 ? { status: 503 } : 'SILENCE';
    };
    const seen = watchTimes();
    await world.drive(await world.accept());
    expect(seen.slice(0, 5)).toEqual(['PUT 0', 'GET 1', 'GET 2', 'GET 3', 'PUT 3']);
    // Sent again at 3 s: deadline 3 s and 2 s more, so the questions before 8 s do not count.
    expect(seen.slice(5)).toEqual(['GET 4', 'GET 5', 'GET 7', 'GET 11', 'GET 12', 'PUT 12']);
  });

  it('one "never seen" among errors is not enough', async () => {
    world.bank.onPut = () => ({ status: 503 });
    let asks = 0;
    world.bank.onGet = () => {
      asks += 1;
      return asks === 3 ? NEVER_SEEN : { status: 500 };
    };
    const id = await world.accept();
    expect((await world.drive(id)).payment.statusDetail).toBe('STALLED');
    expect(world.bank.puts()).toHaveLength(1);
  });

  it('holds after four sends without effect', async () => {
    world.bank.onPut = () => ({ status: 503 });
    const { payment, attempts } = await world.drive(await world.accept());
    expect(payment).toMatchObject({ status: 'ON_HOLD', statusDetail: 'SETTLEMENT_FAILED' });
    expect(attempts).toMatchObject([{ sends: 4, fruitlessSends: 4 }]);
    expect(world.bank.puts()).toHaveLength(4);
    expect(new Set(world.bank.puts().map(({ body }) => body)).size).toBe(1);
  });

  it.each([401, 403, 409])('holds after one %i, and is not sent again', async (status) => {
    world.bank.onPut = () => ({ status });
    const { payment } = await world.drive(await world.accept());
    expect(payment).toMatchObject({ status: 'ON_HOLD', statusDetail: 'SETTLEMENT_FAILED' });
    expect(world.bank.calls).toHaveLength(1);
  });

  it('RETRY asks first, and sends only if the bank still never saw it', async () => {
    world.bank.onPut = () => ({ status: 503 });
    const id = await world.accept();
    await world.drive(id);
    const retry = () =>
      retryPayment(world.deps, world.scope, id, {
        ...{ action: 'RETRY', operator: 'Ola Sample', reason: 'the bank is back' },
      });
    world.bank.onPut = says('SETTLED');
    expect(await retry()).toBe(true);
    expect(await retry()).toBe(false);
    const seen = watchTimes();
    expect((await world.drive(id)).payment.status).toBe('COMPLETED');
    expect(seen.slice(0, 2).map((call) => call.slice(0, 3))).toEqual(['GET', 'GET']);
    expect(seen.filter((call) => call.startsWith('PUT'))).toHaveLength(1);
    const audit = await world.rows('SELECT action FROM audit_log WHERE subject = $1', [id]);
    expect(audit).toEqual([{ action: 'payment.retry' }]);
  });

  it('RETRY of a transfer that the bank has after all sends nothing', async () => {
    world.bank.onPut = () => ({ status: 409 });
    const id = await world.accept();
    await world.drive(id);
    world.bank.onGet = says('SETTLED');
    await retryPayment(world.deps, world.scope, id, {
      ...{ action: 'RETRY', operator: 'Ola Sample', reason: 'asked by phone' },
    });
    expect((await world.drive(id)).payment.status).toBe('COMPLETED');
    expect(world.bank.puts()).toHaveLength(1);
  });

  it('RETRY after four rejections makes a fifth attempt under a fifth reference', async () => {
    world.bank.onPut = says('REJECTED', 'BANK_UNAVAILABLE');
    const id = await world.accept();
    await world.drive(id);
    world.bank.onPut = says('SETTLED');
    await retryPayment(world.deps, world.scope, id, {
      ...{ action: 'RETRY', operator: 'Ola Sample', reason: 'the bank is back' },
    });
    const { payment, attempts } = await world.drive(id);
    expect(payment.status).toBe('COMPLETED');
    expect(new Set(attempts.map(({ reference }) => reference)).size).toBe(5);
  });

  it('a stalled payment that the bank has accepted is SENT again after RETRY', async () => {
    world.bank.onPut = says('ACCEPTED');
    world.bank.onGet = () => ({ status: 500 });
    const id = await world.accept();
    await world.drive(id);
    world.bank.onGet = says('ACCEPTED');
    await retryPayment(world.deps, world.scope, id, {
      ...{ action: 'RETRY', operator: 'Ola Sample', reason: 'the bank is back' },
    });
    await world.settle(id);
    expect((await world.tell(id)).payment).toMatchObject({
      status: 'SENT',
      statusDetail: 'IN_RAIL',
    });
  });
});

describe('a bank that cannot be reached', () => {
  it('was sent nothing: the same attempt goes out later and no send is counted', async () => {
    await world.bank.goDown();
    const id = await world.accept();
    for (let run = 0; run < 6; run += 1) {
      await expect(world.settle(id)).rejects.toMatchObject({ code: 'BANK_UNREACHABLE' });
      world.clock.advance(10_000);
    }
    const down = await world.tell(id);
    expect(down.payment).toMatchObject({ status: 'PROCESSING', statusDetail: 'SUBMITTING' });
    expect(down.attempts).toMatchObject([{ phase: 'NOT_SENT', sends: 1, fruitlessSends: 0 }]);
    await world.bank.comeBack();
    const { payment, attempts } = await world.drive(id);
    expect(payment.status).toBe('COMPLETED');
    expect(attempts).toMatchObject([{ number: 1, sends: 1 }]);
    expect(world.bank.calls).toHaveLength(1);
  });

  it('while a resend does not leave, the two "never seen" still stand', async () => {
    world.bank.onPut = () => ({ status: 503 });
    const id = await world.accept();
    await world.drive(id, ({ attempts }) => attempts[0]?.missingCount === 2);
    await world.bank.goDown();
    await expect(world.settle(id)).rejects.toMatchObject({ code: 'BANK_UNREACHABLE' });
    expect((await world.tell(id)).attempts).toMatchObject([{ sends: 1, fruitlessSends: 1 }]);
    await world.bank.comeBack();
    world.bank.onPut = says('SETTLED');
    world.bank.calls.length = 0;
    expect(await world.settle(id)).toEqual({ kind: 'DONE', status: 'COMPLETED' });
    expect(world.bank.calls.map(({ method }) => method)).toEqual(['PUT']);
  });

  it('in an environment without a bank the payment waits', async () => {
    const live = await world.addPayer({ ...world.scope, environment: 'live' });
    const { endUserId, bankAccountId } = live;
    const answer = await world.pay(world.order({ endUserId, bankAccountId }), 'k', live.token);
    const paymentId = answer.json<{ id: string }>().id;
    const settling = world.activities.settle({ ...live.scope, paymentId });
    await expect(settling).rejects.toMatchObject({
      ...{ code: 'BANK_UNREACHABLE', retryAfterMs: 30_000 },
    });
    expect(world.bank.calls).toEqual([]);
  });
});
