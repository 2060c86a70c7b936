import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { newId } from '../../../../src/db/client/new-id.ts';
import { insertPasskey, listPasskeys } from '../../../../src/db/customers/passkey-store.ts';
import { createOpsHarness, NOW, type OpsHarness } from '../../../support/cli/ops/ops-harness.ts';
import { addCustomer } from '../../../support/test-customer.ts';
import { addTestUser } from '../../../support/test-people.ts';
import { createTestVault } from '../../../support/test-vault.ts';

const REASON = 'lost phone, called back';

let harness: OpsHarness;
let customerId: string;
let ownerId: string;
beforeAll(async () => {
  harness = await createOpsHarness();
});
afterAll(() => harness.close());
beforeEach(async () => {
  customerId = await harness.database.db.system((tx) => addCustomer(tx));
  const { people } = harness.database;
  const deps = { people, vault: createTestVault(), clock: { now: () => NOW } };
  ownerId = (await addTestUser(deps, customerId, 'OWNER')).id;
});

const rows = (sql: string, values: readonly unknown[]) =>
  harness.database.people.system((tx) => tx.query(sql, [...values]));
const addPasskey = (personId: string, of: string | null) =>
  harness.database.people.system((tx) =>
    insertPasskey(tx, {
      ...{ id: newId('psk'), credentialId: randomBytes(32), publicKey: randomBytes(77) },
      ...{ counter: 0n, transports: [], browser: 'Chrome on Linux' },
      ...{ createdAt: NOW, personId, customerId: of },
    }),
  );
const countPasskeys = async (personId: string) =>
  (await harness.database.people.system((tx) => listPasskeys(tx, personId))).length;
const remove = (personId: string) =>
  harness.run('passkeys', 'remove', personId, '--reason', REASON, '--operator', 'root');

describe('passkeys remove', () => {
  it.each([
    ['an owner', () => ({ personId: ownerId, of: customerId })],
    [
      'an operator',
      async () => ({ personId: await harness.operators.operator('eve', 'SUPPORT'), of: null }),
    ],
  ])('hands in the removal of all passkeys of %s, which two operators do', async (_who, find) => {
    const { personId, of } = await find();
    await addPasskey(personId, of);
    await addPasskey(personId, of);
    const { code, printed } = await remove(personId);
    const [id = ''] = /apr_\w+/.exec(printed) ?? [];
    expect({ code, printed }).toEqual({
      code: 0,
      printed: `Submitted ${id}. In the console, one operator takes it up and another approves it: http://ops.localhost:8082/approvals/${id}`,
    });
    const proposed = `SELECT action, subject_id AS "subjectId", proposed_by AS "proposedBy",
        submitted_by AS "submittedBy", decision FROM approvals WHERE id = $1`;
    const proposal = { action: 'REMOVE_PASSKEYS', subjectId: personId };
    expect(await rows(proposed, [id])).toEqual([
      { ...proposal, proposedBy: null, submittedBy: 'root', decision: null },
    ]);
    const audited = 'SELECT actor, action, details FROM audit_log WHERE subject = $1';
    expect(await rows(audited, [id])).toEqual([
      {
        ...{ actor: 'operator:root', action: 'approval.hand_in' },
        details: expect.objectContaining({ ...proposal, reason: REASON }) as unknown,
      },
    ]);
    expect(await countPasskeys(personId)).toBe(2);
    expect(await harness.operators.approve(id)).toMatchObject({ code: 0 });
    expect(await countPasskeys(personId)).toBe(0);
  });

  it('refuses where there is no such person, or no passkey', async () => {
    const unknown = await remove('usr_none');
    expect(unknown).toEqual({ code: 1, printed: '', error: 'There is no person usr_none.' });
    expect(await remove(ownerId)).toEqual({
      ...{ code: 1, printed: '', error: 'The account has no passkey.' },
    });
    expect(await rows('SELECT FROM approvals WHERE subject_id = $1', [ownerId])).toEqual([]);
  });
});
