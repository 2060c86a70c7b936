import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { retryPayment } from '../../../src/modules/payments/resolve-payment.ts';
import { NEVER_SEEN, says } from '../../support/payments/scripted-bank.ts';
import {
  startScriptedHarness,
  type ScriptedHarness,
} from '../../support/payments/settlement-harness.ts';

let harness: ScriptedHarness;
beforeAll(async () => {
  harness = await startScriptedHarness();
});
beforeEach(async () => {
  await harness.bank.goDown();
  await harness.bank.comeBack();
  harness.bank.calls.length = 0;
  harness.bank.onPut = says('SETTLED');
  harness.bank.onGet = () => NEVER_SEEN;
});
afterAll(async () => {
  await harness.expectBooksToHold();
  await harness.close();
});

/** When which call came, in seconds since the first. */
function watchTimes(): string[] {
  const seen: string[] = [];
  const startedAt = harness.clock.now().getTime();
  const { onPut, onGet } = harness.bank;
  const at = () => String((harness.clock.now().getTime() - startedAt) / 1_000);
  harness.bank.onPut = (call) => {
    seen.push(`PUT ${at()}`);
    return onPut(call);
  };
  harness.bank.onGet = (call) => {
    seen.push(`GET ${at()}`);
    return onGet(call);
  };
  return seen;
}

describe('sending again', () => {
  it('waits for two late "never seen", then sends the same bytes under the same reference', async () => {
    let puts = 0;
    harness.bank.onPut = (call) => {
      puts += 1;
      return puts === 1 ? { status: 503 } : says('SETTLED')(call);
    };
    const seen = watchTimes();
    const { payment, attempts } = await harness.drive(await harness.accept());
    expect(payment.status).toBe('COMPLETED');
    // The question after 1 s came too early to count: the answer to the send was no older.
    expect(seen).toEqual(['PUT 0', 'GET 1', 'GET 2', 'GET 3', 'PUT 3']);
    expect(attempts).toMatchObject([{ sends: 2, phase: 'SETTLED' }]);
    const [first, second] = harness.bank.puts();
    expect(second).toEqual(first);
  });

  it.each([
    ['gave no answer at all', 'SILENCE'],
    ['was waited for in vain by a proxy (502)', { status: 502 }],
    ['was waited for in vain by a proxy (504)', { status: 504 }],
    ['was too slow for a proxy (408)', { status: 408 }],
  ] as const)('waits from the deadline where the bank %s', async (_what, reply) => {
    let puts = 0;
    harness.bank.onPut = (call) => {
      puts += 1;
      return puts === 1 ? reply : says('SETTLED')(call);
    };
    const seen = watchTimes();
    await harness.drive(await harness.accept());
    // Deadline 3 s and 2 s more: the questions at 1, 2 and 4 s do not count.
    expect(seen).toEqual(['PUT 0', 'GET 1', 'GET 2', 'GET 4', 'GET 8', 'GET 9', 'PUT 9']);
  });

  it('after a resend without an answer waits from its own deadline, not from the answer before', async () => {
    let puts = 0;
    harness.bank.onPut = (call) => {
      puts += 1;
      if (puts === 3) return says('SETTLED')(call);
      return puts === 1 ? { status: 503 } : 'SILENCE';
    };
    const seen = watchTimes();
    await harness.drive(await harness.accept());
    expect(seen.slice(0, 5)).toEqual(['PUT 0', 'GET 1', 'GET 2', 'GET 3', 'PUT 3']);
    // Sent again at 3 s: deadline 3 s and 2 s more, so the questions before 8 s do not count.
    expect(seen.slice(5)).toEqual(['GET 4', 'GET 5', 'GET 7', 'GET 11', 'GET 12', 'PUT 12']);
  });

  it('one "never seen" among errors is not enough', async () => {
    harness.bank.onPut = () => ({ status: 503 });
    let asks = 0;
    harness.bank.onGet = () => {
      asks += 1;
      return asks === 3 ? NEVER_SEEN : { status: 500 };
    };
    const id = await harness.accept();
    expect((await harness.drive(id)).payment.statusDetail).toBe('STALLED');
    expect(harness.bank.puts()).toHaveLength(1);
  });

  it('holds after four sends without effect', async () => {
    harness.bank.onPut = () => ({ status: 503 });
    const { payment, attempts } = await harness.drive(await harness.accept());
    expect(payment).toMatchObject({ status: 'ON_HOLD', statusDetail: 'SETTLEMENT_FAILED' });
    expect(attempts).toMatchObject([{ sends: 4, fruitlessSends: 4 }]);
    expect(harness.bank.puts()).toHaveLength(4);
    expect(new Set(harness.bank.puts().map(({ body }) => body)).size).toBe(1);
  });

  it.each([401, 403, 409])('holds after one %i, and is not sent again', async (status) => {
    harness.bank.onPut = () => ({ status });
    const { payment } = await harness.drive(await harness.accept());
    expect(payment).toMatchObject({ status: 'ON_HOLD', statusDetail: 'SETTLEMENT_FAILED' });
    expect(harness.bank.calls).toHaveLength(1);
  });

  it('RETRY asks first, and sends only if the bank still never saw it', async () => {
    harness.bank.onPut = () => ({ status: 503 });
    const id = await harness.accept();
    await harness.drive(id);
    const retry = () => retryPayment(harness.deps, harness.scope, id, { action: 'RETRY' });
    harness.bank.onPut = says('SETTLED');
    expect(await retry()).toBe(true);
    expect(await retry()).toBe(false);
    const seen = watchTimes();
    expect((await harness.drive(id)).payment.status).toBe('COMPLETED');
    expect(seen.slice(0, 2).map((call) => call.slice(0, 3))).toEqual(['GET', 'GET']);
    expect(seen.filter((call) => call.startsWith('PUT'))).toHaveLength(1);
    const audit = await harness.rows('SELECT action, actor FROM audit_log WHERE subject = $1', [
      id,
    ]);
    expect(audit).toEqual([{ action: 'payment.retry', actor: 'operator:temporal-ui' }]);
  });

  it('RETRY of a transfer that the bank has after all sends nothing', async () => {
    harness.bank.onPut = () => ({ status: 409 });
    const id = await harness.accept();
    await harness.drive(id);
    harness.bank.onGet = says('SETTLED');
    await retryPayment(harness.deps, harness.scope, id, { action: 'RETRY' });
    expect((await harness.drive(id)).payment.status).toBe('COMPLETED');
    expect(harness.bank.puts()).toHaveLength(1);
  });

  it('RETRY after four rejections makes a fifth attempt under a fifth reference', async () => {
    harness.bank.onPut = says('REJECTED', 'BANK_UNAVAILABLE');
    const id = await harness.accept();
    await harness.drive(id);
    harness.bank.onPut = says('SETTLED');
    await retryPayment(harness.deps, harness.scope, id, { action: 'RETRY' });
    const { payment, attempts } = await harness.drive(id);
    expect(payment.status).toBe('COMPLETED');
    expect(new Set(attempts.map(({ reference }) => reference)).size).toBe(5);
  });

  it('a stalled payment that the bank has accepted is SENT again after RETRY', async () => {
    harness.bank.onPut = says('ACCEPTED');
    harness.bank.onGet = () => ({ status: 500 });
    const id = await harness.accept();
    await harness.drive(id);
    harness.bank.onGet = says('ACCEPTED');
    await retryPayment(harness.deps, harness.scope, id, { action: 'RETRY' });
    await harness.settle(id);
    expect((await harness.tell(id)).payment).toMatchObject({
      status: 'SENT',
      statusDetail: 'IN_RAIL',
    });
  });
});

describe('a bank that cannot be reached', () => {
  it('was sent nothing: the same attempt goes out later and no send is counted', async () => {
    await harness.bank.goDown();
    const id = await harness.accept();
    for (let run = 0; run < 6; run += 1) {
      await expect(harness.settle(id)).rejects.toMatchObject({ code: 'BANK_UNREACHABLE' });
      harness.clock.advance(10_000);
    }
    const down = await harness.tell(id);
    expect(down.payment).toMatchObject({ status: 'PROCESSING', statusDetail: 'QUEUED' });
    expect(down.attempts).toMatchObject([{ phase: 'NOT_SENT', sends: 1, fruitlessSends: 0 }]);
    await harness.bank.comeBack();
    const { payment, attempts } = await harness.drive(id);
    expect(payment.status).toBe('COMPLETED');
    expect(attempts).toMatchObject([{ number: 1, sends: 1 }]);
    expect(harness.bank.calls).toHaveLength(1);
  });

  it('while a resend does not leave, the two "never seen" still stand', async () => {
    harness.bank.onPut = () => ({ status: 503 });
    const id = await harness.accept();
    await harness.drive(id, ({ attempts }) => attempts[0]?.missingCount === 2);
    await harness.bank.goDown();
    await expect(harness.settle(id)).rejects.toMatchObject({ code: 'BANK_UNREACHABLE' });
    expect((await harness.tell(id)).attempts).toMatchObject([{ sends: 1, fruitlessSends: 1 }]);
    await harness.bank.comeBack();
    harness.bank.onPut = says('SETTLED');
    harness.bank.calls.length = 0;
    expect(await harness.settle(id)).toEqual({ kind: 'DONE', status: 'COMPLETED' });
    expect(harness.bank.calls.map(({ method }) => method)).toEqual(['PUT']);
  });

  it('in an environment without a bank the payment waits', async () => {
    const live = await harness.addPayer({ ...harness.scope, environment: 'live' });
    const { endUserId, bankAccountId } = live;
    const answer = await harness.pay(harness.order({ endUserId, bankAccountId }), 'k', live.token);
    const paymentId = answer.json<{ id: string }>().id;
    const settling = harness.activities.settle({ ...live.scope, paymentId });
    await expect(settling).rejects.toMatchObject({
      ...{ code: 'BANK_UNREACHABLE', retryAfterMs: 30_000 },
    });
    expect(harness.bank.calls).toEqual([]);
  });
});
