import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { claimReadyAttempts } from '../../../src/db/payments/ready-attempt-store.ts';
import { RELEASE_LOCK_SHARED } from '../../../src/db/operations/release-stop-store.ts';
import {
  startScreeningHarness,
  type PaidParty,
  type ScreeningHarness,
} from '../../support/payments/screening-harness.ts';

let harness: ScreeningHarness;
let hit: PaidParty;
let caseId = '';
beforeAll(async () => {
  harness = await startScreeningHarness();
  await harness.putList({ id: 'hit', names: ['Jo Qguarded'] });
  hit = await harness.addParty({ firstName: 'Jo', lastName: 'Qguarded' });
  caseId = (await harness.cases())[0]?.id ?? '';
});
afterAll(() => harness.close());

const asApp = (sql: string, values: readonly unknown[]) =>
  harness.database.db.write(harness.scope, (tx) => tx.query(sql, [...values]));

describe('the database refuses what API and worker must not write', () => {
  it.each(['CLEAR', 'RELEASED', 'REFUSED'])('%s of a party with an open case', async (status) => {
    const write = asApp('UPDATE end_users SET screening_status = $1 WHERE id = $2', [
      ...[status, hit.endUserId],
    ]);
    await expect(write).rejects.toMatchObject({ code: '23514' });
  });

  it.each(['RELEASED', 'REFUSED'])('a decision: %s; nor may the dashboard', async (outcome) => {
    for (const db of [harness.database.db, harness.database.people]) {
      const write = db.write(harness.scope, (tx) =>
        tx.query(
          `UPDATE screening_cases SET outcome = $1, decided_by = 'operator:x', decided_at = now(),
             reason = 'because' WHERE id = $2`,
          [outcome, caseId],
        ),
      );
      await expect(write).rejects.toMatchObject({ code: '23514' });
    }
  });

  it('a case that says something else than it did, or is gone', async () => {
    const admin = (sql: string) => harness.rows(sql, [caseId]);
    await expect(
      admin(`UPDATE screening_cases SET entry_hashes = '{}' WHERE id = $1`),
    ).rejects.toMatchObject({ code: '23001' });
    await expect(admin('DELETE FROM screening_cases WHERE id = $1')).rejects.toMatchObject({
      code: '23001',
    });
  });

  it('a case blanked whose end-user is not erased', async () => {
    const write = asApp(`UPDATE screening_cases SET personal = '' WHERE id = $1`, [caseId]);
    await expect(write).rejects.toMatchObject({ code: '23514' });
  });

  it('more of an erased end-user than the blanking, and anything after it', async () => {
    await harness.putList({ id: 'gone', names: ['Jo Qgone'] });
    const { endUserId } = await harness.addParty({ firstName: 'Jo', lastName: 'Qgone' });
    const change = (set: string) =>
      asApp(`UPDATE screening_cases SET ${set} WHERE end_user_id = $1`, [endUserId]);
    await asApp(
      `UPDATE end_user_keys SET wrapped_key = NULL, erased_at = now() WHERE end_user_id = $1`,
      [endUserId],
    );
    const more = `personal = '', outcome = 'SUPERSEDED', decided_by = 'system:x',
      decided_at = now(), reason = 'because'`;
    await expect(change(more)).rejects.toMatchObject({ code: '23514' });
    await expect(change(`personal = 'other'`)).rejects.toMatchObject({ code: '23001' });
    await change(`personal = ''`);
    await expect(change(`personal = 'other'`)).rejects.toMatchObject({ code: '23001' });
  });

  it('nor do cases of other scopes show', async () => {
    const other = { customerId: harness.scope.customerId, environment: 'live' } as const;
    const seen = await harness.database.db.read(other, (tx) =>
      tx.query('SELECT id FROM screening_cases'),
    );
    expect(seen).toEqual([]);
  });

  it('and cases and parties hold no name and no entry in the clear', async () => {
    const rows = await harness.rows('SELECT s::text AS text FROM screening_cases s');
    const text = JSON.stringify(rows);
    for (const secret of ['Qguarded', Buffer.from('Qguarded').toString('hex'), '"hit"']) {
      expect(text).not.toContain(secret);
    }
  });
});

describe('a claim under way and a hit', () => {
  const claim = (ids: string[], meanwhile: () => Promise<void> = async () => undefined) =>
    harness.database.db.write(
      harness.scope,
      async (tx) => {
        const now = harness.clock.now();
        const screenedSince = new Date(0);
        const send = { now, deadlineAt: now, screenedSince, isProofAsked: false };
        const rows = await claimReadyAttempts(tx, harness.scope, ids, send);
        await meanwhile();
        return rows.map(({ payment }) => payment.id);
      },
      { alsoLock: RELEASE_LOCK_SHARED },
    );

  it('the claim first: the hit is written once it has committed, and holds the next payment', async () => {
    const party = await harness.addParty({ firstName: 'Jo', lastName: 'Qracing' });
    const [first, second] = [await harness.accept(party), await harness.accept(party)];
    let recorded: Promise<void> = Promise.resolve();
    let isRecorded = false;
    const claimed = await claim([first], async () => {
      harness.writeList({ id: 'race', names: ['Jo Qracing'] });
      const look = [{ kind: 'END_USER', id: party.endUserId } as const];
      recorded = harness.screener.screenParties(harness.scope, look).then(() => {
        isRecorded = true;
      });
      // It waits for the row that the claim holds.
      await expect.poll(async () => (await waiting()).length).toBeGreaterThan(0);
      expect(isRecorded).toBe(false);
    });
    expect(claimed).toEqual([first]);
    await recorded;
    expect(await claim([second])).toEqual([]);
    expect((await harness.screeningOf(party.endUserId)).status).toBe('HIT');
  });

  it('the hit first: the claim waits for its commit and takes nothing', async () => {
    const party = await harness.addParty();
    const id = await harness.accept(party);
    let claimed: Promise<string[]> = Promise.resolve([]);
    await harness.database.db.write(harness.scope, async (tx) => {
      await tx.query(`UPDATE bank_accounts SET screening_status = 'HIT' WHERE id = $1`, [
        party.bankAccountId,
      ]);
      claimed = claim([id]);
      await expect.poll(async () => (await waiting()).length).toBeGreaterThan(0);
    });
    expect(await claimed).toEqual([]);
  });

  it('another list waits for claims under way, and none after it takes what was looked up before', async () => {
    const party = await harness.addParty();
    const [first, second] = [await harness.accept(party), await harness.accept(party)];
    let changed: Promise<void> = Promise.resolve();
    const claimed = await claim([first], async () => {
      changed = harness.putList();
      await expect.poll(async () => (await waiting()).length).toBeGreaterThan(0);
    });
    await changed;
    expect(claimed).toEqual([first]);
    expect(await claim([second])).toEqual([]);
  });

  const waiting = () =>
    harness.rows(
      `SELECT pid FROM pg_stat_activity
       WHERE datname = current_database() AND wait_event_type = 'Lock'`,
    );
});
