import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createPaymentActivities } from '../../../activities/payments/payments.ts';
import type { PaymentStep } from '../../../src/domain/payments/next-step.ts';
import { createConnectorRegistry } from '../../../src/domain/payments/connector-registry.ts';
import { createListedNetworks } from '../../../src/domain/onchain/listed-networks.ts';
import { NO_TRAVEL_RULE } from '../../../src/domain/payments/travel-rule/travel-rule-policy.ts';
import type { TravelRuleProvider } from '../../../src/domain/payments/travel-rule/travel-rule-provider.ts';
import { createHttpTravelRule } from '../../../src/adapters/travel-rule/http-travel-rule.ts';
import { SANDBOX_TRAVEL_RULE } from '../../../src/adapters/travel-rule/sandbox-travel-rule.ts';
import { createPaymentHarness, type PaymentHarness } from '../../support/payment-harness.ts';
import { playsOf, textOf, wordsOf } from '../../support/sandbox-page.ts';
import { testSettings } from '../../support/test-app.ts';
import {
  createScriptedChain,
  ENCODERS,
  fundAsset,
  NETWORKS,
  toWallet,
} from '../../support/wallet-payments.ts';
import { TIMING } from '../../support/payments/settlement-harness.ts';
import {
  addNameless,
  completePayer,
  createVasp,
  registerWallet,
  says,
} from '../../support/payments/travel-rule-harness.ts';

const DAY_MS = 24 * 3_600_000;
const SURNAME = 'Plantedtraveller';

const vasp = createVasp();
const chain = createScriptedChain();
const failures: string[] = [];
let harness: PaymentHarness;
let settle: (paymentId: string) => Promise<PaymentStep>;
/** The same where the sandbox's VASPs are asked. */
let settleInSandbox: typeof settle;
beforeAll(async () => {
  const url = await vasp.listen();
  const originatingVasp = { name: 'Sample Payouts Ltd', country: 'DE', lei: null };
  const rules = { test: { originatingVasp, areHostsAsked: true }, live: NO_TRAVEL_RULE };
  const networks = createListedNetworks(NETWORKS, undefined, rules);
  const settings = testSettings({ networks: NETWORKS });
  harness = await createPaymentHarness({ settings, networks, encoderFor: ENCODERS });
  await fundAsset(harness, 'USDC', 10_000_000_000n);
  const { db, vault, clock, corridors } = harness.deps;
  const clear = async () => ({ verdict: 'CLEAR', listVersion: 'l1' }) as const;
  const openSettle = (provider: TravelRuleProvider): typeof settle => {
    const activities = createPaymentActivities({
      ...{ db, vault, clock, corridors, networks },
      connectors: createConnectorRegistry([
        { environment: 'test', payout: chain, statements: null },
      ]),
      timing: { test: TIMING, live: TIMING },
      screener: harness.screener,
      addressScreening: { test: clear },
      settings: harness.deps.settings,
      onScreeningFailure: () => undefined,
      travelRule: { test: provider },
      onTravelRuleFailure: (code) => void failures.push(code),
    });
    return (paymentId) => activities.settle({ ...harness.scope, paymentId, isFirst: true });
  };
  settle = openSettle(createHttpTravelRule({ url }));
  settleInSandbox = openSettle(SANDBOX_TRAVEL_RULE);
  await completePayer(harness, SURNAME);
});
afterAll(async () => {
  await harness.expectBooksToHold();
  await harness.close();
  vasp.close();
});
beforeEach(() => {
  vasp.told.splice(0);
  failures.splice(0);
  chain.orders.clear();
  chain.word = { status: 'ACCEPTED' };
  vasp.answer = says('PENDING');
});

const addWallet = (host?: string, endUserId?: string): Promise<string> =>
  registerWallet(harness, host, endUserId);
async function pay(walletId: string): Promise<string> {
  const paid = await harness.pay(toWallet(harness, walletId));
  expect(paid.statusCode, paid.body).toBe(201);
  return paid.json<{ id: string }>().id;
}
const shown = async (id: string) => (await harness.ask({ url: `/payments/${id}` })).json<object>();
const statusOf = async (id: string) =>
  (
    await harness.rows<{ status: string }>(
      'SELECT status FROM travel_rule_records WHERE payment_id = $1',
      [id],
    )
  )[0]?.status;
const HELD = { status: 'ON_HOLD', statusDetail: 'TRAVEL_RULE', fundsStatus: 'HELD' };
const FAILED = {
  ...{ status: 'FAILED', statusDetail: 'TRAVEL_RULE_REJECTED', fundsStatus: 'BACK_IN_BALANCE' },
  failure: { code: 'travel_rule_rejected', category: 'COMPLIANCE' },
};

describe('a transfer to a wallet says who sends it to whom', () => {
  it('and is refused while that is not known, by the names of the fields', async () => {
    const endUserId = await addNameless(harness);
    const walletId = await addWallet(undefined, endUserId);
    const refused = await harness.pay(toWallet(harness, walletId, { endUserId }));
    expect(refused.statusCode, refused.body).toBe(422);
    expect(refused.json()).toMatchObject({
      error: 'travel_rule_data_required',
      details: [{ path: '/endUserId', meta: { fields: ['address', 'individual.taxIds'] } }],
    });
  });

  it('to a wallet of their own it is stored, sealed, and told no host', async () => {
    const id = await pay(await addWallet());
    await settle(id);
    expect([chain.orders.size, vasp.told, await statusOf(id)]).toEqual([1, [], 'STORED']);
    const [row] = await harness.rows<{ record: Buffer }>(
      'SELECT record FROM travel_rule_records WHERE payment_id = $1',
      [id],
    );
    expect(row?.record.toString('latin1')).not.toContain(SURNAME);
  });

  it('to a host it waits for the host, is announced once, and goes when that accepts', async () => {
    const walletId = await addWallet('Quizzical Exchange Ltd');
    const id = await pay(walletId);
    expect(await settle(id)).toMatchObject({ kind: 'WAIT', needsHuman: false });
    expect(await shown(id)).toMatchObject(HELD);
    await settle(id);
    vasp.answer = says('ACCEPTED');
    await settle(id);
    expect(chain.orders.size).toBe(1);
    expect(vasp.told.map(({ method, id: about }) => `${method} ${about}`)).toEqual([
      ...[`PUT ${id}`, `GET ${id}`, `GET ${id}`],
    ]);
    expect(vasp.told[0]?.body).toMatchObject({
      ...{ transferId: id, asset: 'USDC', network: 'BASE' },
      vasp: { name: 'Quizzical Exchange Ltd', country: 'DE' },
      ivms101: {
        originator: {
          originatorPerson: [
            {
              naturalPerson: {
                name: {
                  nameIdentifier: [
                    {
                      ...{ primaryIdentifier: SURNAME, secondaryIdentifier: 'Ada' },
                      naturalPersonNameIdentifierType: 'LEGL',
                    },
                  ],
                },
                nationalIdentification: { nationalIdentifierType: 'TXID', countryOfIssue: 'DE' },
              },
            },
          ],
        },
        beneficiaryVASP: { beneficiaryVASP: { legalPerson: { countryOfRegistration: 'DE' } } },
        payloadMetadata: { payloadVersion: '101.2023' },
      },
    });
    await settle(id);
    expect([chain.orders.size, vasp.told.length]).toEqual([1, 3]);
  });

  it('a host that rejects ends it, and the funds are back', async () => {
    vasp.answer = says('REJECTED');
    const id = await pay(await addWallet('Quizzical Exchange Ltd'));
    expect(await settle(id)).toEqual({ kind: 'DONE', status: 'FAILED' });
    expect(await shown(id)).toMatchObject(FAILED);
    expect(chain.orders.size).toBe(0);
  });

  it('a host that says nothing for 30 days ends it', async () => {
    const id = await pay(await addWallet('Quizzical Exchange Ltd'));
    await settle(id);
    harness.clock.advance(30 * DAY_MS - 1);
    expect(await settle(id)).toMatchObject({ kind: 'WAIT', waitMs: TIMING.holdCheckMs });
    harness.clock.advance(1);
    expect(await settle(id)).toEqual({ kind: 'DONE', status: 'FAILED' });
    expect(await shown(id)).toMatchObject(FAILED);
  });

  it.each([
    ['that fails', () => ({ status: 500, body: '' }), 'TRAVEL_RULE_FAILED'],
    ['that refuses the call', () => ({ status: 403, body: '' }), 'TRAVEL_RULE_REFUSED'],
    ['that answers nonsense', () => ({ status: 200, body: '<html>' }), 'TRAVEL_RULE_GARBLED'],
    ['that accepts another payment', () => says('ACCEPTED')('pay_other'), 'TRAVEL_RULE_GARBLED'],
    ['that answers an unknown status', (id: string) => says('FINE')(id), 'TRAVEL_RULE_GARBLED'],
  ])(
    'a host %s lets nothing leave, and is asked again under the same id',
    async (_name, broken, code) => {
      vasp.answer = broken;
      const id = await pay(await addWallet('Quizzical Exchange Ltd'));
      expect(await settle(id)).toMatchObject({ kind: 'WAIT' });
      expect([failures, chain.orders.size]).toEqual([[code], 0]);
      vasp.answer = says('ACCEPTED');
      await settle(id);
      expect(vasp.told.map(({ method, id: about }) => `${method} ${about}`)).toEqual([
        ...[`PUT ${id}`, `PUT ${id}`],
      ]);
      expect(chain.orders.size).toBe(1);
    },
  );

  it('a host that has forgotten it is told again', async () => {
    const id = await pay(await addWallet('Quizzical Exchange Ltd'));
    await settle(id);
    let calls = 0;
    vasp.answer = (about) => {
      calls += 1;
      return calls === 1 ? { status: 404, body: '' } : says('ACCEPTED')(about);
    };
    await settle(id);
    expect(vasp.told.map(({ method }) => method)).toEqual(['PUT', 'GET', 'PUT']);
    expect(chain.orders.size).toBe(1);
  });

  it('a word that comes after the cancel moves nothing', async () => {
    const id = await pay(await addWallet('Quizzical Exchange Ltd'));
    await settle(id);
    const canceled = await harness.ask({ method: 'POST', url: `/payments/${id}/cancel` });
    expect(canceled.statusCode, canceled.body).toBe(200);
    vasp.answer = says('ACCEPTED');
    expect(await settle(id)).toEqual({ kind: 'DONE', status: 'CANCELED' });
    expect([chain.orders.size, vasp.told.length]).toEqual([0, 1]);
  });
});

describe('the database refuses', () => {
  const asApp = (sql: string, ...values: unknown[]) =>
    harness.database.db.write(harness.scope, (tx) => tx.query(sql, values));

  it('to send what the host has not accepted', async () => {
    const id = await pay(await addWallet('Quizzical Exchange Ltd'));
    await expect(
      asApp(`UPDATE settlement_attempts SET phase = 'SENDING' WHERE payment_id = $1`, id),
    ).rejects.toThrow(/has not accepted/);
  });

  it('the same by way of the rail of a bank', async () => {
    const id = await pay(await addWallet('Quizzical Exchange Ltd'));
    const { scope, database } = harness;
    const change = (set: string) => `UPDATE settlement_attempts SET ${set} WHERE payment_id = $1`;
    const around = database.db.write(scope, async (tx) => {
      await tx.query(change(`phase = 'SENDING', rail = 'SEPA'`), [id]);
      await tx.query(change(`rail = 'BASE'`), [id]);
    });
    await expect(around).rejects.toThrow(/has not accepted/);
  });

  it('that a record waits for no word any more before the VASP has given one', async () => {
    const id = await pay(await addWallet('Quizzical Exchange Ltd'));
    expect(await statusOf(id)).toBe('WAITING');
    await expect(
      asApp(`UPDATE travel_rule_records SET status = 'STORED' WHERE payment_id = $1`, id),
    ).rejects.toThrow(/taken once/);
  });

  it('a second answer, and a record that waits for no host though a host keeps the wallet', async () => {
    vasp.answer = says('REJECTED');
    const id = await pay(await addWallet('Quizzical Exchange Ltd'));
    await settle(id);
    await expect(
      asApp(`UPDATE travel_rule_records SET status = 'ACCEPTED' WHERE payment_id = $1`, id),
    ).rejects.toThrow(/taken once/);
    await expect(
      asApp(`UPDATE travel_rule_records SET status = 'STORED' WHERE payment_id = $1`, id),
    ).rejects.toThrow();
    await expect(
      asApp('DELETE FROM travel_rule_records WHERE payment_id = $1', id),
    ).rejects.toThrow();
  });
});

describe('docs/reference/sandbox.md on hosts of wallets', () => {
  const rows = playsOf('Hosts of wallets / name holds', {
    Reject: 'Sample Reject Exchange',
    Silent: 'Silent Sample Exchange',
    'any other': 'Sample Exchange',
  });

  it.each(rows.map(({ row, play }) => [textOf(row[0] ?? ''), play, row.at(-1) ?? ''] as const))(
    'tells what one does whose name holds %s',
    async (_name, host, seen) => {
      const id = await pay(await addWallet(host));
      await settleInSandbox(id);
      const { status, statusDetail } = (await shown(id)) as Record<string, string>;
      const words = wordsOf(seen);
      expect([status, statusDetail].slice(0, words.length)).toEqual(words);
    },
  );
});
