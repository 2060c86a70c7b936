import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createKycActivities } from '../../../activities/parties/kyc.ts';
import { KYC_POLL_TIMING } from '../../../src/modules/parties/kyc/advance-kyc-check.ts';
import type { KycCheckRef } from '../../../src/domain/workflows/work-refs.ts';
import { findKycCheck } from '../../../src/db/parties/kyc-check-store.ts';
import { lockPartiesForShare } from '../../../src/db/parties/party-store.ts';
import {
  readUndecidedKycChecks,
  readUnopenedKycChecks,
} from '../../../src/db/operations/unfinished-work-store.ts';
import { eraseEndUser } from '../../../src/modules/parties/end-users/erase-end-user.ts';
import { kycCheckRow } from '../../../src/modules/parties/kyc/kyc-link.ts';
import { ErasedOwner } from '../../../src/vault/owner-key.ts';
import { addRecipient } from '../../support/add-recipient.ts';
import { closeEndUser } from '../../support/close-end-user.ts';
import { storeQueuedPayment } from '../../support/first-version.ts';
import { createPaymentHarness, type PaymentHarness } from '../../support/payment-harness.ts';
import { testSettings } from '../../support/test-app.ts';
import { until } from '../../support/until.ts';
import { createKycHarness, type KycHarness } from '../../support/parties/kyc-store-harness.ts';

describe('an erasure that comes while a payment is being accepted', () => {
  let harness: PaymentHarness;
  beforeAll(async () => {
    const settings = testSettings({ endUserRetentionMs: { test: 0, live: 0 } });
    harness = await createPaymentHarness({ settings });
  });
  afterAll(() => harness.close());

  const erase = (endUserId: string) =>
    harness.ask({ method: 'POST', url: `/end-users/${endUserId}/erase` });

  it('waits for it, finds it, and is refused: its bytes can be read and sent', async () => {
    const recipient = await addRecipient(harness);
    const { scope, database, clock, vault } = harness;
    const { endUserId, bankAccountId } = recipient;
    const parties = [{ endUserId, destination: { kind: 'BANK', bankAccountId } as const }];
    const at = clock.now();
    const closing = await database.db.write(scope, async (tx) => {
      await lockPartiesForShare(tx, scope, parties, at);
      const closed = closeEndUser(database.db, scope, endUserId, at).then(() => erase(endUserId));
      await until('the closing to wait', async () => {
        const waiting = await harness.rows(
          `SELECT FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND query ~ 'end_users'
             AND datname = current_database()`,
        );
        return waiting.length > 0 ? true : null;
      });
      await storeQueuedPayment(tx, scope, { ...recipient, at, vault });
      return { closed };
    });
    const answer = await closing.closed;
    expect(answer.statusCode).toBe(409);
    expect(answer.json()).toMatchObject({ details: [{ code: 'payments_not_final' }] });
    const list = await harness.ask({ url: `/payments?endUserId=${endUserId}` });
    expect(list.json()).toMatchObject({ data: [{ status: 'PROCESSING', metadata: {} }] });
  });

  it('of many payments, closings and erasures at once leaves none that cannot be sent', async () => {
    const recipients = await Promise.all([1, 2, 3, 4].map(() => addRecipient(harness)));
    const outcomes = await Promise.all(
      recipients.map(async ({ endUserId, bankAccountId }) => {
        const order = harness.order({ endUserId, bankAccountId });
        const [, erased] = await Promise.all([
          Promise.all([1, 2, 3].map(() => harness.pay(order))),
          closeEndUser(harness.database.db, harness.scope, endUserId, harness.clock.now()).then(
            () => Promise.all([erase(endUserId), erase(endUserId)]),
          ),
          harness.pay(order),
        ]);
        const late = await harness.pay(order);
        expect(late.statusCode).toBe(422);
        return erased.map(({ statusCode }) => statusCode);
      }),
    );
    for (const [one, other] of outcomes) expect([one, other]).not.toContain(500);
    const unsendable = await harness.rows(
      `SELECT FROM payments p JOIN end_user_keys k ON k.end_user_id = p.end_user_id
       WHERE k.erased_at IS NOT NULL AND p.finality <> 'FINAL'`,
    );
    expect(unsendable).toEqual([]);
  });
});

describe('an erasure that comes while a KYC check is open', () => {
  let harness: KycHarness;
  let asked: string[];
  let duringOpening: () => Promise<void>;
  beforeAll(async () => {
    harness = await createKycHarness();
  });
  afterAll(() => harness.close());
  beforeEach(() => {
    asked = [];
    duringOpening = async () => undefined;
  });

  const activities = () =>
    createKycActivities({
      ...harness,
      providers: {
        test: {
          async openCheck({ reference }) {
            asked.push(reference);
            await duringOpening();
            return { url: 'https://kyc.example/planted-page', documents: [] };
          },
          async getCheck(reference) {
            asked.push(reference);
            return null;
          },
          async putDocument(reference) {
            asked.push(reference);
          },
        },
      },
      timing: KYC_POLL_TIMING,
      approvalDays: { test: 0, live: 0 },
      onContradiction: () => undefined,
      onKycMoved: async () => undefined,
      onProviderFailure: () => undefined,
    });

  async function erase({ endUserId }: KycCheckRef): Promise<void> {
    const { db, scope, vault, clock } = harness;
    await closeEndUser(db, scope, endUserId, clock.now());
    const deps = { vault, clock, retentionMs: 0 };
    const actor = { kind: 'API_KEY', id: 'key_1' } as const;
    await db.write(scope, (tx) => eraseEndUser(deps, tx, scope, { endUserId, actor }));
  }

  it('ends it: a page that the provider gave meanwhile is under the key that is gone', async () => {
    const check = await harness.startCheck();
    duringOpening = () => erase(check);
    expect(await activities().openKycCheck(check)).toEqual({ kind: 'DONE', status: 'PENDING' });
    const { db, scope, vault } = harness;
    const row = await db.read(scope, (tx) => findKycCheck(tx, scope, check.kycCheckId));
    const { providerUrl } = row ?? {};
    if (!row || !providerUrl?.length) throw new Error('the provider gave no page');
    const name = kycCheckRow(row.id);
    expect(() => vault.of(row).open(providerUrl, name)).toThrow(ErasedOwner);
    expect(() => vault.open(providerUrl, name)).toThrow();
  });

  it('ends it before anything is told to the provider, and the reconciler leaves it alone', async () => {
    const check = await harness.startCheck();
    await erase(check);
    asked = [];
    expect(await activities().openKycCheck(check)).toMatchObject({ kind: 'DONE' });
    expect(asked).toEqual([]);
    const later = new Date(harness.clock.now().getTime() + 86_400_000);
    const swept = await harness.db.system(async (tx) => [
      ...(await readUnopenedKycChecks(tx, later, '', 100)),
      ...(await readUndecidedKycChecks(tx, later, '', 100)),
    ]);
    expect(swept.map(({ kycCheckId }) => kycCheckId)).not.toContain(check.kycCheckId);
  });
});
