import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createPaymentActivities } from '../../../activities/payments/payments.ts';
import { createListedNetworks } from '../../../src/domain/onchain/listed-networks.ts';
import { createConnectorRegistry } from '../../../src/domain/payments/connector-registry.ts';
import {
  createCorridorTable,
  type CorridorSettings,
} from '../../../src/domain/payments/corridors/corridor-table.ts';
import { NEVER_SEEN, says } from '../../support/payments/scripted-bank.ts';
import {
  startScriptedHarness,
  TIMING,
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

const SEPA_DE = { country: 'DE', currency: 'EUR', rail: 'SEPA' } as const;

/** A worker that was started again with other files of the operator. */
function restarted(settings: CorridorSettings) {
  const { db, vault, clock } = harness.deps;
  const activities = createPaymentActivities({
    ...{ db, vault, clock, corridors: createCorridorTable(settings) },
    networks: createListedNetworks(),
    connectors: createConnectorRegistry([
      { environment: 'test', payout: harness.connector, statements: null },
    ]),
    timing: { test: TIMING, live: TIMING },
    screener: harness.screener,
    addressScreening: harness.deps.addressScreening,
    settings: harness.deps.settings,
    onScreeningFailure: (code) => {
      throw new Error(code);
    },
  });
  return (paymentId: string, isFirst: boolean) =>
    activities.settle({ ...harness.scope, paymentId, isFirst });
}

const CLOSED: readonly (readonly [string, CorridorSettings])[] = [
  ['suspended', { overrides: [{ ...SEPA_DE, status: 'SUSPENDED' }] }],
  ['to a country that is restricted', { restrictions: { countries: ['DE'], regions: [] } }],
];

describe.each(CLOSED)('a corridor that is %s after acceptance', (_what, settings) => {
  it.each([true, false])(
    'holds the payment, first settled: %s, until it is open',
    async (isFirst) => {
      const id = await harness.accept();
      const settle = restarted(settings);
      const step = { kind: 'WAIT', waitMs: TIMING.holdCheckMs, needsHuman: false };
      expect(await settle(id, isFirst)).toMatchObject(step);
      expect(await settle(id, false)).toMatchObject(step);
      const { payment, attempts } = await harness.tell(id);
      expect(payment).toMatchObject({
        ...{ status: 'ON_HOLD', statusDetail: 'CORRIDOR_UNAVAILABLE', fundsStatus: 'HELD' },
        version: 2,
      });
      expect(attempts).toMatchObject([{ phase: 'READY', sends: 0 }]);
      expect(harness.bank.calls).toEqual([]);
      expect((await harness.drive(id)).payment.status).toBe('COMPLETED');
      expect(harness.bank.puts()).toHaveLength(1);
    },
  );

  it('asks on about what may have left, and does not send it again', async () => {
    harness.bank.onPut = () => ({ status: 503 });
    const id = await harness.accept();
    await harness.settle(id);
    const settle = restarted(settings);
    for (let look = 0; look < 8; look += 1) {
      const step = await settle(id, false);
      if (step.kind === 'WAIT') harness.clock.advance(step.waitMs);
    }
    expect(harness.bank.puts()).toHaveLength(1);
    expect((await harness.tell(id)).payment.statusDetail).toBe('CORRIDOR_UNAVAILABLE');
    harness.bank.onPut = says('SETTLED');
    expect((await harness.drive(id)).payment.status).toBe('COMPLETED');
    expect(harness.bank.puts()).toHaveLength(2);
  });
});

it('a corridor that is gone from the table holds what was accepted over it', async () => {
  const id = await harness.accept();
  // As when a row that an operator had added is taken out again.
  const move = 'UPDATE bank_accounts SET country = $2 WHERE id = $1';
  const { bankAccountId } = harness.payer;
  await harness.rows(move, [bankAccountId, 'AQ']);
  await harness.settle(id);
  expect((await harness.tell(id)).payment.statusDetail).toBe('CORRIDOR_UNAVAILABLE');
  await harness.rows(move, [bankAccountId, 'DE']);
  expect((await harness.drive(id)).payment.status).toBe('COMPLETED');
});
