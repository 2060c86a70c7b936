import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  readUnclaimedPayments,
  readUnfinishedPayments,
} from '../../../src/db/operations/unfinished-work-store.ts';
import { beginRestoreMode, endRestoreMode } from '../../../src/db/operations/restore-mode-store.ts';
import { localDay } from '../../../src/domain/payments/corridors/banking-days.ts';
import { nextOpening, openingOn } from '../../../src/domain/payments/corridors/opening.ts';
import { addRecipient } from '../../support/add-recipient.ts';
import { revokeApproval } from '../../support/approve-end-user.ts';
import { NEVER_SEEN, says } from '../../support/payments/scripted-bank.ts';
import {
  startScriptedHarness,
  type ScriptedHarness,
} from '../../support/payments/settlement-harness.ts';

const DAY_MS = 24 * 3_600_000;

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

/** The account's own corridor. */
const sepa = () => {
  const corridor = harness.deps.corridors.find('DE', 'EUR', 'SEPA');
  if (corridor === undefined) throw new Error('there is no corridor');
  return corridor;
};
/** In the time zone of the rail. */
const dayIn = (days: number) => localDay(sepa(), harness.clock.now()).add({ days }).toString();

interface Shown {
  readonly id: string;
  readonly scheduledFor: string;
  readonly releaseAt: string;
}

/** Accepted for a day after tomorrow: it waits wherever the test's own day ends. */
async function schedule(days = 3): Promise<Shown> {
  const answer = await harness.pay(harness.order({ scheduledFor: dayIn(days) }));
  expect(answer.statusCode, answer.body).toBe(201);
  return answer.json<Shown>();
}

const letDayCome = ({ releaseAt }: Shown, moreMs = 0) => {
  harness.clock.advance(new Date(releaseAt).getTime() - harness.clock.now().getTime() + moreMs);
};
const reconcilerFinds = async (id: string) => {
  const found = await harness.database.db.system((tx) =>
    readUnclaimedPayments(tx, new Date(harness.clock.now().getTime() - 10_000), '', 500),
  );
  return found.some(({ payment }) => payment.paymentId === id);
};

const isLookedFor = async (id: string) => {
  const found = await harness.database.db.system((tx) =>
    readUnfinishedPayments(tx, new Date(harness.clock.now().getTime() - 3_600_000), '', 500),
  );
  return found.some(({ payment }) => payment.paymentId === id);
};

describe('a payment for a later day', () => {
  it('is accepted with its funds reserved and without an attempt, and says when it leaves', async () => {
    const before = await harness.balance();
    const scheduledFor = dayIn(3);
    const answer = await harness.pay(harness.order({ scheduledFor }));
    const opening = openingOn(sepa(), scheduledFor) ?? nextOpening(sepa(), new Date(scheduledFor));
    expect(answer.json()).toMatchObject({
      ...{ status: 'PROCESSING', statusDetail: 'SCHEDULED', fundsStatus: 'HELD' },
      ...{ scheduledFor, releaseAt: opening?.toISOString(), cancelable: true, version: 1 },
    });
    const { id } = answer.json<Shown>();
    expect((await harness.tell(id)).attempts).toEqual([]);
    const after = await harness.balance();
    expect(BigInt(after.reserved) - BigInt(before.reserved)).toBe(1_000n);
    expect(BigInt(before.available) - BigInt(after.available)).toBe(1_000n);
    expect((await harness.ask({ url: `/payments/${id}` })).json()).toEqual(answer.json());
    await harness.ask({ method: 'POST', url: `/payments/${id}/cancel` });
  });

  it('on a day on which the rail is closed leaves at the next opening', async () => {
    const saturday = Array.from({ length: 7 }, (_none, days) => dayIn(days + 1)).find(
      (day) => new Date(day).getUTCDay() === 6,
    );
    const answer = await harness.pay(harness.order({ scheduledFor: saturday }));
    const { id, releaseAt } = answer.json<Shown>();
    expect(openingOn(sepa(), saturday ?? '')).toBeNull();
    expect(new Date(releaseAt)).toEqual(nextOpening(sepa(), new Date(`${saturday ?? ''}T12:00Z`)));
    await harness.ask({ method: 'POST', url: `/payments/${id}/cancel` });
  });

  it('is sent when its day comes and not a millisecond before, once', async () => {
    const shown = await schedule();
    expect(await harness.settle(shown.id)).toMatchObject({ kind: 'WAIT', needsHuman: false });
    letDayCome(shown, -1);
    expect(await harness.settle(shown.id)).toMatchObject({
      kind: 'WAIT',
      waitMs: 1,
      needsHuman: false,
    });
    expect((await harness.tell(shown.id)).attempts).toEqual([]);
    harness.clock.advance(1);
    const steps = await Promise.all(
      Array.from({ length: 5 }, () => harness.settle(shown.id).catch(() => null)),
    );
    expect(steps).toContainEqual({ kind: 'DONE', status: 'COMPLETED' });
    const { payment, story } = await harness.drive(shown.id);
    expect(payment.status).toBe('COMPLETED');
    expect(story.slice(0, 2)).toEqual(['PROCESSING/SCHEDULED', 'PROCESSING/SUBMITTING']);
    expect(story.at(-1)).toBe('COMPLETED/DELIVERED');
    expect(harness.bank.puts()).toHaveLength(1);
    const [reference] = payment.refs;
    expect(reference?.value).toBe(harness.bank.puts()[0]?.reference);
  });

  it('leaves late where no worker ran when its day came, and never early where a clock goes back', async () => {
    const shown = await schedule();
    letDayCome(shown, 5 * DAY_MS);
    harness.clock.advance(-6 * DAY_MS);
    expect((await harness.settle(shown.id)).kind).toBe('WAIT');
    expect(harness.bank.puts()).toEqual([]);
    letDayCome(shown, 2 * DAY_MS);
    expect((await harness.drive(shown.id)).payment.status).toBe('COMPLETED');
  });

  it('is canceled until then, and is not sent on its day', async () => {
    const before = await harness.balance();
    const shown = await schedule();
    const answer = await harness.ask({ method: 'POST', url: `/payments/${shown.id}/cancel` });
    expect(answer.json()).toMatchObject({ status: 'CANCELED', fundsStatus: 'BACK_IN_BALANCE' });
    expect(await harness.balance()).toEqual(before);
    letDayCome(shown);
    expect(await harness.settle(shown.id)).toEqual({ kind: 'DONE', status: 'CANCELED' });
    expect(harness.bank.calls).toEqual([]);
  });

  it('canceled at the very moment of its release: one of the two, never both', async () => {
    const outcomes = new Set<string>();
    for (let race = 0; race < 40 && outcomes.size < 2; race += 1) {
      harness.bank.calls.length = 0;
      const shown = await schedule();
      letDayCome(shown);
      // The settlement has a start of some turns in every other race, the cancel in the others.
      const turns = async () => {
        for (let turn = 0; turn < race; turn += 1) await new Promise(setImmediate);
      };
      const settle = async () => harness.settle(shown.id);
      const ask = async () => harness.ask({ method: 'POST', url: `/payments/${shown.id}/cancel` });
      const [settling, canceling] =
        race % 2 === 0 ? [turns().then(settle), ask()] : [settle(), turns().then(ask)];
      await settling;
      const { statusCode } = await canceling;
      const { payment } = await harness.drive(shown.id);
      const isCanceled = payment.status === 'CANCELED';
      expect([statusCode, payment.status, harness.bank.puts().length]).toEqual(
        isCanceled ? [200, 'CANCELED', 0] : [409, 'COMPLETED', 1],
      );
      outcomes.add(payment.status);
    }
    expect([...outcomes].toSorted()).toEqual(['CANCELED', 'COMPLETED']);
  });

  it('is judged again when its day comes: held where KYC was withdrawn, and cancelable', async () => {
    const recipient = await addRecipient(harness);
    const { endUserId, bankAccountId } = recipient;
    const order = harness.order({ endUserId, bankAccountId, scheduledFor: dayIn(3) });
    const answer = await harness.pay(order);
    const shown = answer.json<Shown>();
    letDayCome(shown);
    await revokeApproval(harness.database.db, harness.scope, recipient, harness.clock.now());
    await harness.settle(shown.id);
    expect((await harness.tell(shown.id)).payment).toMatchObject({
      ...{ status: 'ON_HOLD', statusDetail: 'KYC_WITHDRAWN' },
    });
    const canceled = await harness.ask({ method: 'POST', url: `/payments/${shown.id}/cancel` });
    expect(canceled.statusCode).toBe(200);
    expect(harness.bank.calls).toEqual([]);
  });

  it('is not taken for forgotten before its day, and is from then on; its workflow is looked for', async () => {
    const shown = await schedule();
    harness.clock.advance(2 * 3_600_000);
    expect(await reconcilerFinds(shown.id)).toBe(false);
    expect(await isLookedFor(shown.id)).toBe(true);
    letDayCome(shown, 10_001);
    expect(await reconcilerFinds(shown.id)).toBe(true);
    expect((await harness.drive(shown.id)).payment.status).toBe('COMPLETED');
    expect(await reconcilerFinds(shown.id)).toBe(false);
  });

  it('is left alone by the hourly look after a day, and found again on its own', async () => {
    const shown = await schedule(5);
    const hour = 3_600_000;
    harness.clock.advance(DAY_MS);
    expect(await isLookedFor(shown.id)).toBe(true);
    harness.clock.advance(hour + 1);
    expect(await isLookedFor(shown.id)).toBe(false);
    letDayCome(shown);
    expect(await isLookedFor(shown.id)).toBe(false);
    letDayCome(shown, hour + 1);
    expect(await isLookedFor(shown.id)).toBe(true);
    expect((await harness.drive(shown.id)).payment.status).toBe('COMPLETED');
    expect(await isLookedFor(shown.id)).toBe(false);
  });

  it('of a restored database is asked about on its day, not sent: it may have been paid before', async () => {
    const shown = await schedule();
    const act = { actor: { kind: 'OPERATOR', name: 'ada' }, reason: 'sample' } as const;
    const { db } = harness.database;
    harness.clock.advance(1_000);
    await db.system((tx) => beginRestoreMode(tx, { ...act, at: harness.clock.now() }));
    harness.clock.advance(1_000);
    await db.system((tx) => endRestoreMode(tx, { ...act, at: harness.clock.now() }));
    letDayCome(shown);
    const canceled = await harness.ask({ method: 'POST', url: `/payments/${shown.id}/cancel` });
    expect(canceled.statusCode).toBe(409);
    expect(canceled.json()).toMatchObject({
      ...{ error: 'payment_not_cancelable', details: [{ meta: { reason: 'BANK_MUST_BE_ASKED' } }] },
    });
    harness.bank.onGet = says('SETTLED');
    expect((await harness.drive(shown.id)).payment.status).toBe('COMPLETED');
    expect(harness.bank.puts()).toEqual([]);
  });
});

describe('a payment for a later day in a restored database', () => {
  const act = { actor: { kind: 'OPERATOR', name: 'ada' }, reason: 'sample' } as const;
  const restore = async () => {
    const { db } = harness.database;
    harness.clock.advance(1_000);
    await db.system((tx) => beginRestoreMode(tx, { ...act, at: harness.clock.now() }));
    return () => db.system((tx) => endRestoreMode(tx, { ...act, at: harness.clock.now() }));
  };
  const read = async ({ id }: Shown) =>
    (await harness.ask({ url: `/payments/${id}` })).json<object>();
  const cancel = ({ id }: Shown) => harness.ask({ method: 'POST', url: `/payments/${id}/cancel` });

  it('is canceled before its day as ever, in restore mode and after: no life can have sent it', async () => {
    const [during, after] = [await schedule(), await schedule()];
    const end = await restore();
    expect(await read(during)).toMatchObject({ cancelable: true });
    expect((await cancel(during)).json()).toMatchObject({ status: 'CANCELED' });
    await end();
    expect(await read(after)).toMatchObject({ cancelable: true });
    expect((await cancel(after)).json()).toMatchObject({ status: 'CANCELED' });
  });

  it('whose day had come before the restore is not: it may have been sent before', async () => {
    const shown = await schedule();
    letDayCome(shown);
    const end = await restore();
    expect(await read(shown)).toMatchObject({ statusDetail: 'SCHEDULED', cancelable: false });
    await end();
    expect(await read(shown)).toMatchObject({ cancelable: false });
    expect((await cancel(shown)).statusCode).toBe(409);
    harness.bank.onGet = says('SETTLED');
    expect((await harness.drive(shown.id)).payment.status).toBe('COMPLETED');
    expect(harness.bank.puts()).toEqual([]);
  });
});

describe('the order of a payment for a day', () => {
  it.each([
    ['over', () => dayIn(-2)],
    ['too far ahead', () => dayIn(200)],
    ['no day of the calendar', () => '2027-02-30'],
    ['a moment', () => `${dayIn(3)}T00:00:00Z`],
    ['a number', () => 20270101],
    ['null', () => null],
  ])('that is %s is refused with 400, and nothing is held', async (_what, day) => {
    const before = await harness.balance();
    const answer = await harness.pay(harness.order({ scheduledFor: day() }));
    expect(answer.statusCode).toBe(400);
    expect(answer.json()).toMatchObject({
      error: 'validation_failed',
      details: [{ path: '/scheduledFor', code: 'validation_failed' }],
    });
    expect(await harness.balance()).toEqual(before);
  });

  it('is not taken with a balance in another currency', async () => {
    const order = harness.order({ scheduledFor: dayIn(3), sourceCurrency: 'USD' });
    const answer = await harness.pay(order);
    expect(answer.statusCode).toBe(422);
    expect(answer.json()).toMatchObject({
      error: 'scheduling_not_supported',
      details: [{ path: '/scheduledFor' }],
    });
  });

  it('of today leaves today while the rail is open, and is answered again word for word', async () => {
    const key = `today ${dayIn(0)}`;
    const order = harness.order({ scheduledFor: dayIn(0) });
    const first = await harness.pay(order, key);
    expect(first.statusCode, first.body).toBe(201);
    const shown = first.json<Shown>();
    expect(new Date(shown.releaseAt)).toEqual(nextOpening(sepa(), harness.clock.now()));
    letDayCome(shown, 40 * DAY_MS);
    // The day is over; the key is bound all the same.
    const again = await harness.pay(order, key);
    expect([again.statusCode, again.body]).toEqual([201, first.body]);
    expect((await harness.drive(shown.id)).payment.status).toBe('COMPLETED');
  });
});
