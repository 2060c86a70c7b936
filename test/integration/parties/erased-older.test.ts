import { afterAll, beforeAll, expect, it } from 'vitest';
import { keepKycFile, openKycCheckFor, submitKycFiles } from '../../support/give-kyc-document.ts';
import { png } from '../../support/kyc-files.ts';
import { approveEndUser } from '../../support/approve-end-user.ts';
import { IBAN } from '../../support/payment-harness.ts';
import { searchDatabase } from '../../support/search-database.ts';
import { testSettings } from '../../support/test-app.ts';
import {
  createErasureHarness,
  type ErasureHarness,
} from '../../support/parties/erasure-harness.ts';

const YEARS_5_MS = 1827 * 24 * 3_600_000;

/** Of one person, and found nowhere else. */
const PLANTED = {
  lastName: 'Olderlast',
  holderName: 'Karim al-Mahzur',
  listedName: 'Dana Sanctioned',
  reference: 'Older remittance 8812',
  redirect: 'https://example.com/older-redirect',
  document: 'older-passport-scan',
};

let harness: ErasureHarness;
beforeAll(async () => {
  const kycCallbackSecrets = { test: 'erased-older-callback-secret-0001' };
  harness = await createErasureHarness({ settings: testSettings({ kycCallbackSecrets }) });
});
afterAll(() => harness.close());

async function send(method: 'POST' | 'PATCH', url: string, body: object, key?: string) {
  const answer = await harness.app.inject({
    ...{ method, url: `/api/v1${url}`, payload: body },
    headers: {
      authorization: `Bearer ${harness.payer.token}`,
      ...(key === undefined ? {} : { 'idempotency-key': key }),
    },
  });
  expect(answer.statusCode, `${url}: ${answer.body}`).toBeLessThan(300);
  return answer.json<{ id: string } & Record<string, unknown>>();
}

/** An end-user without a key of their own: the vault's own key seals. */
async function registerOlder(): Promise<string> {
  const { vault, rows } = harness;
  const individual = { firstName: 'Dana', lastName: PLANTED.lastName };
  const { id } = await send('POST', '/end-users', { type: 'INDIVIDUAL', individual });
  const [row] = await rows<{ personal: Buffer; ownerKey: Buffer }>(
    `SELECT u.personal, k.wrapped_key AS "ownerKey"
     FROM end_users u JOIN end_user_keys k ON k.end_user_id = u.id WHERE u.id = $1`,
    [id],
  );
  if (row === undefined) throw new Error('the end-user has no key');
  const plain = vault.of({ endUserId: id, ...row }).open(row.personal, `end_users/${id}`);
  await rows('UPDATE end_users SET personal = $2 WHERE id = $1', [
    ...[id, vault.seal(plain, `end_users/${id}`)],
  ]);
  await rows('ALTER TABLE end_user_keys DISABLE TRIGGER guard_end_user_key');
  await rows('DELETE FROM end_user_keys WHERE end_user_id = $1', [id]);
  await rows('ALTER TABLE end_user_keys ENABLE TRIGGER guard_end_user_key');
  return id;
}

/** Everything that this version writes for them: KYC with a document, an account, hits, a payment. */
async function useOlder(endUserId: string) {
  const { scope, clock, database, vault } = harness;
  const kyc = await send('POST', `/end-users/${endUserId}/kyc`, { redirectUrl: PLANTED.redirect });
  const ref = { ...scope, endUserId, kycCheckId: kyc.id, round: 1 };
  const deps = { db: database.db, vault, clock };
  await openKycCheckFor(deps, ref, ['IDENTITY']);
  const document = png(300, PLANTED.document);
  expect(await keepKycFile(deps, ref, document)).toBeNull();
  expect(await submitKycFiles(deps, ref)).toEqual({ kind: 'SUBMITTED' });
  await approveEndUser(database.db, scope, endUserId, clock.now());
  const account = {
    ...{ endUserId, country: 'DE', currency: 'EUR', holderName: PLANTED.holderName },
    ...{ holderType: 'INDIVIDUAL', details: { iban: IBAN } },
  };
  const { id: bankAccountId } = await send('POST', '/bank-accounts', account, 'older-account');
  const order = harness.order({ endUserId, bankAccountId, reference: PLANTED.reference });
  const paid = await send('POST', '/payments', order, 'older-payment');
  const [, lastName] = PLANTED.listedName.split(' ');
  await send('PATCH', `/end-users/${endUserId}`, { individual: { firstName: 'Dana', lastName } });
  await harness.screener.screenParties(scope, [{ kind: 'END_USER', id: endUserId }]);
  expect(await harness.rows('SELECT id FROM screening_cases')).toHaveLength(2);
  // One that is decided must go as well as one that is open.
  await harness.rows(
    `UPDATE screening_cases SET outcome = 'REFUSED', decided_by = 'operator:ada',
       decided_at = now(), reason = 'listed' WHERE bank_account_id = $1`,
    [bankAccountId],
  );
  return { account, order, paid };
}

it('nothing that was written of an end-user without a key of their own outlives an erasure', async () => {
  const endUserId = await registerOlder();
  const { account, order, paid } = await useOlder(endUserId);
  const database = { query: (sql: string) => harness.rows<object>(sql), vault: harness.vault };
  const search = () => searchDatabase(database as Parameters<typeof searchDatabase>[0], PLANTED);

  const places = new Set((await search()).map((one) => one.split(' in ')[1]));
  for (const place of [
    ...['payments.personal', 'bank_accounts.personal', 'idempotency_keys.response'],
    ...['screening_cases.personal', 'kyc_documents.content', 'kyc_checks.redirect_url'],
  ]) {
    expect(places).toContain(place);
  }

  await harness.end([paid.id], 'FAILED');
  await harness.closeEndUser(endUserId);
  harness.clock.advance(YEARS_5_MS);
  // Answers of the last days before it are there still, not only a payment's.
  await harness.rows(
    `UPDATE idempotency_keys SET expires_at = $1::timestamptz + interval '1 day'
     WHERE expires_at IS NOT NULL`,
    [harness.clock.now()],
  );
  const erased = await harness.erase(endUserId);
  expect(erased.statusCode, erased.body).toBe(200);
  expect(await search()).toEqual([]);

  // Nor what would confirm a guess of it.
  const hashes = await harness.rows(
    `SELECT names_hash <> decode(repeat('00', 32), 'hex') OR cardinality(entry_hashes) > 0 AS tells
     FROM screening_cases
     UNION ALL SELECT fingerprint <> convert_to('erased-' || id, 'UTF8') FROM kyc_documents`,
  );
  expect(hashes).toEqual([{ tells: false }, { tells: false }, { tells: false }]);

  // Repeats are still answered, from what is left.
  const again = await send('POST', '/payments', order, 'older-payment');
  const expectedArrival = { at: null, reason: 'NOT_RECORDED' };
  expect(again).toEqual({ ...paid, expectedArrival, reference: null, metadata: {} });
  const known = await send('POST', '/bank-accounts', account, 'older-account');
  expect(known).toMatchObject({ holderName: '****', details: {} });
});
