import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { createCorridorTable } from '../../../src/domain/payments/corridors/corridor-table.ts';
import { approveEndUser, revokeApproval } from '../../support/approve-end-user.ts';
import { says } from '../../support/payments/scripted-bank.ts';
import {
  startScriptedHarness,
  type ScriptedHarness,
} from '../../support/payments/settlement-harness.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;

let harness: ScriptedHarness;
beforeAll(async () => {
  // Each day is a banking day, until 16:00.
  const terms = {
    ...({ country: 'DE', currency: 'EUR', rail: 'SEPA', settlementDays: 1 } as const),
    cutOff: { time: '16:00', timeZone: 'UTC' },
    holidays: { calendar: null, closedWeekdays: [], dates: [] },
  };
  const corridors = createCorridorTable({ overrides: [terms] });
  harness = await startScriptedHarness(undefined, { corridors });
});
beforeEach(() => {
  harness.bank.onPut = says('ACCEPTED');
  harness.bank.onGet = says('ACCEPTED');
  // A minute before the next cut-off.
  const now = harness.clock.now().getTime();
  harness.clock.advance(DAY_MS - ((now + 8 * 60 * MINUTE_MS + MINUTE_MS) % DAY_MS));
});
afterAll(async () => {
  await harness.expectBooksToHold();
  await harness.close();
});

interface Shown {
  readonly id: string;
  readonly status: string;
  readonly version: number;
  readonly expectedArrival: { readonly at: string | null; readonly reason: string | null };
}

/** The end of a day, counted from today: 0. */
const endOfDay = (days: number) => {
  const today = Math.floor(harness.clock.now().getTime() / DAY_MS);
  return { at: new Date((today + days + 1) * DAY_MS).toISOString(), reason: null };
};
const ENDED = { at: null, reason: 'PAYMENT_ENDED' };

/** As GET and the list show it, which must agree. */
async function read(id: string): Promise<Shown> {
  const one = (await harness.ask({ url: `/payments/${id}` })).json<Shown>();
  const list = await harness.ask({ url: '/payments' });
  const { data } = list.json<{ data: Shown[] }>();
  expect(data.find((payment) => payment.id === id)).toEqual(one);
  return one;
}

it('the 201, GET and the list tell when a payment arrives that is made before the cut-off, and at it', async () => {
  expect(harness.clock.now().toISOString()).toMatch(/T15:59:/);
  const key = 'before the cut-off';
  const made = await harness.pay(harness.order(), key);
  const { id, expectedArrival, version } = made.json<Shown>();
  expect(expectedArrival).toEqual(endOfDay(1));
  expect(await read(id)).toEqual(made.json());
  const validated = await harness.ask({
    ...{ method: 'POST', url: '/payments/validate', body: harness.order() },
  });
  expect(validated.json<Shown>().expectedArrival).toEqual(expectedArrival);
  harness.clock.advance(MINUTE_MS);
  expect(await read(id)).toMatchObject({ expectedArrival: endOfDay(2), version });
  const after = await harness.pay(harness.order());
  expect(after.json<Shown>().expectedArrival).toEqual(endOfDay(2));
  // The key's answer stays what it was.
  expect((await harness.pay(harness.order(), key)).body).toBe(made.body);
});

it('a payment for a later day arrives counted from that day', async () => {
  const scheduledFor = endOfDay(2).at.slice(0, 10);
  const { id, expectedArrival } = (
    await harness.pay(harness.order({ scheduledFor }))
  ).json<Shown>();
  expect(expectedArrival).toEqual(endOfDay(4));
  expect((await read(id)).expectedArrival).toEqual(expectedArrival);
  const url = `/payments/${id}/cancel`;
  const canceled = await harness.ask({ method: 'POST', url, key: 'cancel' });
  expect(canceled.json()).toMatchObject({ status: 'CANCELED', expectedArrival: ENDED });
  expect((await read(id)).expectedArrival).toEqual(ENDED);
});

it('the arrival of a held payment moves, of a sent one it does not, and of a completed one none is told', async () => {
  const { endUserId, kycCheckId } = harness.payer;
  const { db } = harness.database;
  const id = await harness.accept();
  await revokeApproval(db, harness.scope, { endUserId, kycCheckId }, harness.clock.now());
  await harness.settle(id);
  expect(await read(id)).toMatchObject({ status: 'ON_HOLD', expectedArrival: endOfDay(1) });
  harness.clock.advance(MINUTE_MS);
  const held = await read(id);
  expect(held.expectedArrival).toEqual(endOfDay(2));
  harness.clock.advance(DAY_MS);
  expect(await read(id)).toEqual({ ...held, expectedArrival: endOfDay(2) });
  await approveEndUser(db, harness.scope, endUserId, harness.clock.now());
  await harness.drive(id, ({ payment }) => payment.status === 'SENT');
  const sent = await read(id);
  expect(sent).toMatchObject({ status: 'SENT', expectedArrival: endOfDay(2) });
  harness.clock.advance(5 * DAY_MS);
  expect(await read(id)).toEqual(sent);
  harness.bank.onGet = says('SETTLED');
  expect((await harness.drive(id)).payment.status).toBe('COMPLETED');
  expect((await read(id)).expectedArrival).toEqual(ENDED);
});
