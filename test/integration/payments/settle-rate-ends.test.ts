import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ASSET_MARKUP_BPS } from '../../../src/domain/payments/quotes/asset-markup.ts';
import { beginRestoreMode } from '../../../src/db/operations/restore-mode-store.ts';
import { fund, publishRates, quote } from '../../support/quoted-harness.ts';
import { NEVER_SEEN, says } from '../../support/payments/scripted-bank.ts';
import { operatorAct, resumeRelease, stopRelease } from '../../support/payments/stop-release.ts';
import type { SettlementTiming } from '../../../src/domain/payments/settlement-timing.ts';
import {
  startScriptedHarness,
  type ScriptedHarness,
} from '../../support/payments/settlement-harness.ts';

const GRACE_MS = 120_000;
const LOCK_MS = 60_000;
const pricing = {
  ...{ markupBps: 0, feeBps: 0, feeFixed: '0' },
  ...{ assetMarkupBps: ASSET_MARKUP_BPS, graceMs: GRACE_MS },
  ...{ lockMarkupPercent: 0, hasCurrencies: true },
};

let harness: ScriptedHarness;
async function start(timing: Partial<SettlementTiming> = {}): Promise<void> {
  harness = await startScriptedHarness(undefined, {
    ...{ settings: { quotes: { test: pricing, live: pricing } }, timing },
  });
  await publishRates(harness);
  await fund(harness, harness.scope, 'USD', 1_000_000n);
  harness.bank.onPut = says('SETTLED');
  harness.bank.onGet = () => NEVER_SEEN;
}
async function end(): Promise<void> {
  await harness.expectBooksToHold();
  await harness.close();
}
beforeEach(() => start());
afterEach(end);

/** A payment in EUR from the balance in USD; its quote is locked for a minute. */
async function acceptQuoted(): Promise<string> {
  const { id: quoteId, targetAmount: amount } = await quote(harness);
  return harness.accept({ quoteId, amount });
}

const FAILED = {
  ...{ status: 'FAILED', statusDetail: 'QUOTE_EXPIRED', fundsStatus: 'BACK_IN_BALANCE' },
  failure: { code: 'quote_expired', category: 'INTERNAL' },
};

describe('a payment at the rate of a quote', () => {
  it('says until when its rate is held: the grace past the end of its quote', async () => {
    const from = harness.clock.now().getTime();
    const id = await acceptQuoted();
    const payment = await harness.ask({ url: `/payments/${id}` });
    const rateHeldUntil = new Date(from + LOCK_MS + GRACE_MS).toISOString();
    expect(payment.json()).toMatchObject({ rateHeldUntil });
    const timeline = await harness.ask({ url: `/payments/${id}/timeline` });
    expect(timeline.json<{ data: object[] }>().data.at(-1)).toMatchObject({
      ...{ at: rateHeldUntil, expected: true, status: 'FAILED', statusDetail: 'QUOTE_EXPIRED' },
    });
    const plain = await harness.accept();
    expect((await harness.tell(plain)).payment.rateHeldUntil).toBeNull();
    await harness.drive(plain);
    await harness.drive(id);
  });

  it('is sent in the last millisecond of that time', async () => {
    const id = await acceptQuoted();
    harness.clock.advance(LOCK_MS + GRACE_MS - 1);
    expect((await harness.drive(id)).payment.status).toBe('COMPLETED');
  });

  it.each([
    ['by one claim for many', (id: string) => harness.settle(id)],
    [
      'by itself',
      (paymentId: string) => harness.activities.settle({ ...harness.scope, paymentId }),
    ],
  ])('is not sent %s from then on: it fails, and all funds are back', async (_how, settle) => {
    // What pays at all is sent by the claim for many once its parties have been screened.
    await harness.drive(await harness.accept());
    const before = await harness.balance('USD');
    const id = await acceptQuoted();
    harness.clock.advance(LOCK_MS + GRACE_MS);
    expect(await settle(id)).toMatchObject({ kind: 'DONE' });
    expect((await harness.tell(id)).payment).toMatchObject(FAILED);
    expect(harness.bank.calls).toHaveLength(1);
    expect(await harness.balance('USD')).toEqual(before);
  });

  it('ends on time where something else holds it, and is no option for whoever lifts that', async () => {
    await stopRelease(harness);
    const id = await acceptQuoted();
    const step = await harness.settle(id);
    expect(step).toMatchObject({ kind: 'WAIT' });
    harness.clock.advance(LOCK_MS + GRACE_MS);
    await resumeRelease(harness);
    expect((await harness.drive(id)).payment).toMatchObject(FAILED);
    expect(harness.bank.calls).toEqual([]);
  });

  it('is looked at again when its rate ends, however seldom a hold is looked at', async () => {
    await stopRelease(harness);
    const id = await acceptQuoted();
    harness.clock.advance(LOCK_MS + GRACE_MS - 5);
    expect(await harness.settle(id)).toMatchObject({ kind: 'WAIT', waitMs: 5 });
    await resumeRelease(harness);
    expect((await harness.drive(id)).payment.status).toBe('COMPLETED');
  });

  it.each([
    ['10 s after the hold began, as in test', 10_000],
    ['an hour after it, as in live', 3_600_000],
  ])(
    'is sent where its hold is lifted in that time, although nothing wakes it and a look is due %s',
    async (_when, holdCheckMs) => {
      await end();
      await start({ holdCheckMs });
      await stopRelease(harness);
      const id = await acceptQuoted();
      // 15 s before the end: longer than a hold waits for its first look.
      const liftedMs = LOCK_MS + GRACE_MS - 15_000;
      let [elapsedMs, waitMs] = [0, 0];
      while (elapsedMs + waitMs < liftedMs) {
        elapsedMs += waitMs;
        harness.clock.advance(waitMs);
        const step = await harness.settle(id);
        waitMs = step.kind === 'WAIT' ? step.waitMs : NaN;
      }
      harness.clock.advance(waitMs);
      await resumeRelease(harness);
      expect((await harness.drive(id)).payment.status).toBe('COMPLETED');
    },
  );

  it('is not sent again after the bank has rejected it for now', async () => {
    harness.bank.onPut = says('REJECTED', 'AB05');
    harness.bank.onGet = says('REJECTED', 'AB05');
    const before = await harness.balance('USD');
    const id = await acceptQuoted();
    await harness.drive(id, ({ payment }) => payment.rejections === 1);
    harness.clock.advance(LOCK_MS + GRACE_MS);
    expect((await harness.drive(id)).payment).toMatchObject(FAILED);
    expect(harness.bank.puts()).toHaveLength(1);
    expect(await harness.balance('USD')).toEqual(before);
  });

  it('is sent again within that time', async () => {
    harness.bank.onPut = says('REJECTED', 'AB05');
    harness.bank.onGet = says('REJECTED', 'AB05');
    const id = await acceptQuoted();
    await harness.drive(id, ({ payment }) => payment.rejections === 1);
    harness.bank.onPut = says('SETTLED');
    expect((await harness.drive(id)).payment.status).toBe('COMPLETED');
    expect(harness.bank.puts()).toHaveLength(2);
  });

  it('is not ended while the bank may have it', async () => {
    harness.bank.onPut = () => 'SILENCE';
    harness.bank.onGet = () => ({ status: 500 });
    const id = await acceptQuoted();
    await harness.drive(id, ({ attempts }) => attempts[0]?.phase === 'UNKNOWN');
    harness.clock.advance(LOCK_MS + GRACE_MS);
    const { payment } = await harness.drive(id);
    expect(payment).toMatchObject({ status: 'ON_HOLD', statusDetail: 'STALLED' });
    harness.bank.onGet = says('SETTLED');
    harness.clock.advance(60_000);
    expect((await harness.drive(id)).payment.status).toBe('COMPLETED');
  });

  it('waits for operators where the bank never saw it: its bytes may arrive late', async () => {
    harness.bank.onPut = () => 'SILENCE';
    const id = await acceptQuoted();
    // Its rate ends between the send and the bank's second answer.
    harness.clock.advance(LOCK_MS + GRACE_MS - 1);
    await harness.drive(id, ({ attempts }) => attempts[0]?.phase === 'UNKNOWN');
    const { payment, attempts } = await harness.drive(id);
    expect(payment).toMatchObject({ status: 'ON_HOLD', statusDetail: 'STALLED' });
    expect(attempts).toMatchObject([{ phase: 'UNKNOWN', missingCount: 2 }]);
    expect(harness.bank.puts()).toHaveLength(1);
  });

  it('is asked about after a restore, where the database before may have sent it', async () => {
    const id = await acceptQuoted();
    await harness.database.db.system((tx) => beginRestoreMode(tx, operatorAct(harness)));
    harness.clock.advance(LOCK_MS + GRACE_MS);
    harness.bank.onGet = says('SETTLED');
    expect((await harness.drive(id)).payment.status).toBe('COMPLETED');
    expect(harness.bank.puts()).toEqual([]);
  });

  it('waits for operators after a restore where the bank never saw it', async () => {
    const id = await acceptQuoted();
    await harness.database.db.system((tx) => beginRestoreMode(tx, operatorAct(harness)));
    harness.clock.advance(LOCK_MS + GRACE_MS);
    const { payment, attempts } = await harness.drive(id);
    expect(payment).toMatchObject({ status: 'ON_HOLD', statusDetail: 'STALLED' });
    expect(attempts).toMatchObject([{ phase: 'UNKNOWN', missingCount: 2 }]);
    expect(harness.bank.puts()).toEqual([]);
  });

  it('ends too where the release before this one accepted it, and wrote no such time', async () => {
    const id = await acceptQuoted();
    const { rateHeldUntil } = (await harness.tell(id)).payment;
    const undone = new Error('taken back');
    let written: unknown;
    const copy = harness.database.db.write(harness.scope, async (tx) => {
      written = await tx.query(
        `INSERT INTO payments OVERRIDING SYSTEM VALUE
         SELECT (jsonb_populate_record(p, jsonb_build_object('id', 'pay_copy', 'seq', p.seq + 1000,
           'idempotency_key', 'copy', 'workflow_id', 'copy', 'rate_held_until', null))).*
         FROM payments p WHERE id = $1 RETURNING rate_held_until AS until`,
        [id],
      );
      throw undone;
    });
    await expect(copy).rejects.toBe(undone);
    const defaultGraceMs = 60_000;
    const until = new Date((rateHeldUntil?.getTime() ?? 0) - GRACE_MS + defaultGraceMs);
    expect(written).toEqual([{ until }]);
    await harness.drive(id);
  });
});
