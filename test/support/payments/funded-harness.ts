import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import { createPaymentActivities } from '../../../activities/payments/payments.ts';
import { createConnectorRegistry } from '../../../src/domain/payments/connector-registry.ts';
import { beginRestoreMode, endRestoreMode } from '../../../src/db/operations/restore-mode-store.ts';
import { readUpTo, type FundedAnswer } from '../funded-payments.ts';
import { createPaymentHarness } from '../payment-harness.ts';
import { publishRates, RATES } from '../quoted-harness.ts';
import { testSettings } from '../test-app.ts';
import { addWallet, createScriptedChain, ENCODERS, NETWORKS } from '../wallet-payments.ts';
import { TIMING } from './settlement-harness.ts';

/** How the payments of this harness are paid for. */
export const FUNDING = { type: 'CRYPTO_DEPOSIT', asset: 'USDC', network: 'BASE' };

/** 25 USDC and no fees, unless there are some: what is due, in minor units. */
export const minorOf = ({ funding }: FundedAnswer): bigint =>
  BigInt(funding.amountDue.replace('.', ''));

/** The API and the activities of payments that deposits pay for, over a chain and a bank that say what they are told to. */
export async function createFundedHarness() {
  const [chain, bank] = [createScriptedChain(), createScriptedChain('ALL')];
  const settings = testSettings({ networks: NETWORKS });
  const harness = await createPaymentHarness({ settings, encoderFor: ENCODERS });
  await publishRates(harness, { ...RATES, USDC: '1' });
  const { db, corridors, networks } = harness.deps;
  const activities = createPaymentActivities({
    ...{ db, vault: harness.vault, clock: harness.clock, corridors, networks },
    connectors: createConnectorRegistry(
      [chain, bank].map((payout) => ({ environment: 'test', payout, statements: null })),
    ),
    timing: { test: TIMING, live: TIMING },
    screener: harness.screener,
    addressScreening: harness.deps.addressScreening,
    settings: harness.deps.settings,
    onScreeningFailure: () => undefined,
  });
  const resetRails = (): void => {
    for (const rail of [chain, bank]) rail.word = { status: 'ACCEPTED' };
  };
  const moveTo = (at: Date): void =>
    harness.clock.advance(at.getTime() - harness.clock.now().getTime());
  const act = () => ({
    actor: { kind: 'OPERATOR', name: 'ada' } as const,
    ...{ at: harness.clock.now(), reason: 'restored' },
  });
  return {
    ...{ harness, chain, bank, moveTo },
    settle: (paymentId: string) => activities.settle({ ...harness.scope, paymentId }),
    /** What a woken workflow does. */
    wake: (paymentId: string) => activities.applyTransferReports({ ...harness.scope, paymentId }),
    async ordered(overrides: object = {}, key: string = randomUUID()): Promise<FundedAnswer> {
      const wallet = await addWallet(harness);
      const to = { endUserId: harness.payer.endUserId, walletId: wallet.id };
      const answer = await harness.pay(
        { ...to, amount: '25.00', asset: 'USDC', funding: FUNDING, ...overrides },
        key,
      );
      expect(answer.statusCode, answer.body).toBe(201);
      return answer.json<FundedAnswer>();
    },
    shown: async (id: string) => (await harness.ask({ url: `/payments/${id}` })).json<object>(),
    async usdc() {
      const [row] = await harness.rows<{ available: string; reserved: string; pending: string }>(
        `SELECT available::text, reserved::text, pending::text FROM balances
         WHERE customer_id = $1 AND environment = 'test' AND currency = 'USDC'`,
        [harness.scope.customerId],
      );
      const { available, reserved, pending } = row ?? {
        ...{ available: '0', reserved: '0', pending: '0' },
      };
      return { available: BigInt(available), reserved: BigInt(reserved), pending: BigInt(pending) };
    },
    beginRestoreMode: () => harness.database.db.system((tx) => beginRestoreMode(tx, act())),
    endRestoreMode: () => harness.database.db.system((tx) => endRestoreMode(tx, act())),
    /** Begins restore mode on the copy, and ends it. */
    async passRestoreMode(): Promise<void> {
      await harness.database.db.system((tx) => beginRestoreMode(tx, act()));
      harness.clock.advance(60_000);
      await harness.database.db.system((tx) => endRestoreMode(tx, act()));
      harness.clock.advance(60_000);
    },
    /** Everything that was mined in time is known. */
    async expire({ funding }: FundedAnswer): Promise<void> {
      const after = new Date(new Date(funding.expiresAt).getTime() + 1_000);
      moveTo(after);
      await readUpTo(harness, after);
    },
    /** After each test: the rails say again what they say at first, and the books hold. */
    async endTest(): Promise<void> {
      resetRails();
      await harness.expectBooksToHold();
    },
    /** The same where the books are looked at once, by `close`. */
    resetRails,
    /** After all tests: the books hold. */
    async close(): Promise<void> {
      await harness.expectBooksToHold();
      await harness.close();
    },
  };
}

export type FundedHarness = Awaited<ReturnType<typeof createFundedHarness>>;
