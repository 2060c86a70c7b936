import pg from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { updateEndUser } from '../../../src/modules/parties/end-users/update-end-user.ts';
import { addRecipient, type Recipient } from '../../support/add-recipient.ts';
import { approveEndUser } from '../../support/approve-end-user.ts';
import { says } from '../../support/payments/scripted-bank.ts';
import {
  startScriptedHarness,
  type ScriptedHarness,
} from '../../support/payments/settlement-harness.ts';

let harness: ScriptedHarness;
let admin: pg.Client;
beforeAll(async () => {
  harness = await startScriptedHarness();
  admin = new pg.Client({ connectionString: harness.database.url });
  await admin.connect();
});
beforeEach(() => {
  harness.bank.calls.length = 0;
  harness.bank.onPut = says('SETTLED');
});
afterAll(async () => {
  await admin.end();
  await harness.expectBooksToHold();
  await harness.close();
});

let names = 0;

function rename(endUserId: string): Promise<{ statusCode: number; body: string }> {
  names += 1;
  return harness.app.inject({
    method: 'PATCH',
    url: `/api/v1/end-users/${endUserId}`,
    headers: { ...harness.headers, 'content-type': 'application/merge-patch+json' },
    payload: JSON.stringify({ individual: { lastName: `Other ${String(names)}` } }),
  });
}

const acceptFor = ({ endUserId, bankAccountId }: Recipient) =>
  harness.accept({ endUserId, bankAccountId });

const waiting = () =>
  harness.rows(
    `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
  );

describe('a name changed between acceptance and release', () => {
  it('holds the payment, nothing is sent, and it goes on when the new name is approved', async () => {
    const recipient = await addRecipient(harness);
    const { endUserId } = recipient;
    const id = await acceptFor(recipient);
    expect((await rename(endUserId)).statusCode).toBe(200);
    expect(await harness.settle(id)).toMatchObject({ kind: 'WAIT' });
    expect((await harness.tell(id)).payment).toMatchObject({
      status: 'ON_HOLD',
      statusDetail: 'KYC_WITHDRAWN',
    });
    expect(harness.bank.calls).toEqual([]);
    await approveEndUser(harness.deps.db, harness.scope, endUserId, harness.clock.now());
    expect(await harness.settle(id)).toEqual({ kind: 'DONE', status: 'COMPLETED' });
  });

  it('is seen by a claim that waited for the change to commit', async () => {
    const recipient = await addRecipient(harness);
    const { endUserId } = recipient;
    const id = await acceptFor(recipient);
    const patch = { individual: { lastName: 'Other' } };
    const order = { endUserId, patch, requireVersion: () => undefined };
    let commit = (): void => undefined;
    const gate = new Promise<void>((resolve) => (commit = resolve));
    let isWritten = false;
    const changing = harness.deps.db.write(harness.scope, async (tx) => {
      await updateEndUser(harness.deps, tx, harness.scope, order);
      isWritten = true;
      await gate;
    });
    await expect.poll(() => isWritten).toBe(true);
    const settling = harness.settle(id);
    await expect.poll(waiting).not.toEqual([]);
    commit();
    await changing;
    expect(await settling).toMatchObject({ kind: 'WAIT' });
    expect(harness.bank.calls).toEqual([]);
  });

  it('waits for a claim or an acceptance that has looked at the end-user', async () => {
    const { endUserId } = await addRecipient(harness);
    await admin.query('BEGIN');
    await admin.query('SELECT FROM end_users WHERE id = $1 FOR SHARE', [endUserId]);
    let isDone = false;
    const changing = rename(endUserId).finally(() => (isDone = true));
    await expect.poll(waiting).not.toEqual([]);
    expect(isDone).toBe(false);
    await admin.query('COMMIT');
    expect((await changing).statusCode).toBe(200);
  });

  it('at once with the claims: what has left had left before, and nothing leaves after', async () => {
    const recipients: Recipient[] = [];
    for (let index = 0; index < 3; index += 1) recipients.push(await addRecipient(harness));
    for (const recipient of recipients) {
      const ids = await Promise.all(Array.from({ length: 4 }, () => acceptFor(recipient)));
      const sentBefore = harness.bank.puts().length;
      const [changed] = await Promise.all([
        rename(recipient.endUserId),
        ...ids.map((id) => harness.settle(id)),
      ]);
      expect(changed.statusCode, changed.body).toBe(200);
      const sent = harness.bank.puts().length - sentBefore;
      const claimed = await harness.rows(
        'SELECT FROM settlement_attempts WHERE payment_id = ANY ($1) AND sends > 0',
        [ids],
      );
      expect(sent).toBe(claimed.length);
      for (const id of ids) await harness.settle(id);
      expect(harness.bank.puts().length - sentBefore).toBe(sent);
      const stories = await Promise.all(ids.map((id) => harness.tell(id)));
      const held = stories.filter(({ payment }) => payment.statusDetail === 'KYC_WITHDRAWN');
      expect(held.length + sent).toBe(ids.length);
    }
  });

  it('at once with acceptances: each is refused or held, and none leaves', async () => {
    for (let index = 0; index < 3; index += 1) {
      const { endUserId, bankAccountId } = await addRecipient(harness);
      const order = harness.order({ endUserId, bankAccountId });
      const [changed, ...answers] = await Promise.all([
        rename(endUserId),
        ...Array.from({ length: 5 }, () => harness.pay(order)),
      ]);
      expect(changed.statusCode, changed.body).toBe(200);
      for (const answer of answers) expect([201, 422]).toContain(answer.statusCode);
      for (const answer of answers.filter(({ statusCode }) => statusCode === 201)) {
        const { id } = answer.json<{ id: string }>();
        await harness.settle(id);
        expect((await harness.tell(id)).payment.statusDetail).toBe('KYC_WITHDRAWN');
      }
      expect(harness.bank.calls).toEqual([]);
    }
  });
});
