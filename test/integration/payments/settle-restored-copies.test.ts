import { beforeEach, describe, expect, it } from 'vitest';
import {
  insertReleaseStop,
  resumeReleaseStops,
} from '../../../src/db/operations/release-stop-store.ts';
import { beginRestoreMode, endRestoreMode } from '../../../src/db/operations/restore-mode-store.ts';
import { KYC_WITHDRAWN_MAX_MS } from '../../../src/domain/payments/settlement-timing.ts';
import { revokeApproval } from '../../support/approve-end-user.ts';
import { NEVER_SEEN, says } from '../../support/payments/scripted-bank.ts';
import {
  startScriptedHarness,
  type ScriptedHarness,
} from '../../support/payments/settlement-harness.ts';

let harness: ScriptedHarness;
/** How often the bank, which recognises no reference, moved money under each. */
let moved: Map<string, number>;
beforeEach(async () => {
  harness = await startScriptedHarness();
  moved = new Map();
  harness.bank.onPut = (call) => {
    moved.set(call.reference, (moved.get(call.reference) ?? 0) + 1);
    return says('SETTLED')(call);
  };
  harness.bank.onGet = (call) => (moved.has(call.reference) ? says('SETTLED')(call) : NEVER_SEEN);
  return () => harness.close();
});

const act = () => ({
  actor: { kind: 'OPERATOR', name: 'ada' } as const,
  at: harness.clock.now(),
  reason: 'sample',
});
const system = {
  begin: () => harness.database.db.system((tx) => beginRestoreMode(tx, act())),
  end: () => harness.database.db.system((tx) => endRestoreMode(tx, act())),
  stop: () => harness.database.db.system((tx) => insertReleaseStop(tx, ALL, act())),
  resume: () => harness.database.db.system((tx) => resumeReleaseStops(tx, ALL, act())),
};
const ALL = { environment: null, rail: null, customerId: null };

describe('a payment that was paid before the restore', () => {
  it('whose copy says that its bytes did not leave is asked about, not sent', async () => {
    await harness.bank.goDown();
    const id = await harness.accept();
    await harness.settle(id).catch(() => null);
    expect((await harness.tell(id)).attempts[0]?.phase).toBe('NOT_SENT');
    const restore = await harness.database.keepCopy();
    await harness.bank.comeBack();
    expect((await harness.drive(id)).payment.status).toBe('COMPLETED');
    await restore();
    harness.clock.advance(1);
    await system.begin();
    expect((await harness.drive(id)).payment.status).toBe('COMPLETED');
    expect([...moved.values()]).toEqual([1]);
  });

  it('whose copy counted two "never seen" and was held by a stop is asked about anew', async () => {
    const settles = harness.bank.onPut;
    harness.bank.onPut = () => ({ status: 503 });
    const id = await harness.accept();
    await harness.settle(id);
    await system.stop();
    await harness.drive(id, ({ payment }) => payment.statusDetail === 'RELEASE_STOPPED');
    const restore = await harness.database.keepCopy();
    harness.bank.onPut = settles;
    await system.resume();
    expect((await harness.drive(id)).payment.status).toBe('COMPLETED');
    await restore();
    harness.clock.advance(1);
    await system.begin();
    await system.resume();
    expect((await harness.drive(id)).payment.status).toBe('COMPLETED');
    expect([...moved.values()]).toEqual([1]);
  });

  it('whose copy had not claimed it is asked about, also after restore mode has ended', async () => {
    const id = await harness.accept();
    const restore = await harness.database.keepCopy();
    expect((await harness.drive(id)).payment.status).toBe('COMPLETED');
    await restore();
    harness.clock.advance(1);
    await system.begin();
    await system.end();
    expect((await harness.drive(id)).payment.status).toBe('COMPLETED');
    expect([...moved.values()]).toEqual([1]);
  });

  it('under a later reference, the first being forgotten, is left to an operator', async () => {
    const settles = harness.bank.onPut;
    let puts = 0;
    harness.bank.onPut = (call) => {
      puts += 1;
      return puts === 1 ? says('REJECTED', 'BANK_UNAVAILABLE')(call) : settles(call);
    };
    const id = await harness.accept();
    const restore = await harness.database.keepCopy();
    expect((await harness.drive(id)).payment.status).toBe('COMPLETED');
    await restore();
    harness.clock.advance(1);
    await system.begin();
    expect((await harness.drive(id)).payment).toMatchObject({
      status: 'ON_HOLD',
      statusDetail: 'STALLED',
    });
    expect([...moved.values()]).toEqual([1]);
  });

  it('keeps its funds held where its KYC runs out while restore mode begins', async () => {
    const id = await harness.accept();
    await revokeApproval(harness.deps.db, harness.scope, harness.payer, harness.clock.now());
    await harness.settle(id);
    harness.clock.advance(KYC_WITHDRAWN_MAX_MS);
    const waiting = () =>
      harness.rows(`SELECT FROM pg_locks WHERE locktype = 'advisory' AND NOT granted
        AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`);
    const settling = await harness.database.db.system(async (tx) => {
      await beginRestoreMode(tx, act());
      const step = harness.settle(id);
      await expect.poll(waiting).toHaveLength(1);
      return { step };
    });
    await settling.step;
    expect((await harness.tell(id)).payment).toMatchObject({
      status: 'ON_HOLD',
      statusDetail: 'STALLED',
      fundsStatus: 'HELD',
    });
  });

  it('keeps its funds held where a rejection of some send of that life is told by callback', async () => {
    await system.begin();
    harness.bank.onGet = () => 'RESET';
    const id = await harness.accept();
    await harness.settle(id);
    const { reference } = (await harness.tell(id)).attempts[0] ?? { reference: '' };
    await harness.callback({ reference, status: 'REJECTED', reason: 'AC04' });
    await harness.applyTransferReports(id);
    expect((await harness.tell(id)).payment.status).toBe('PROCESSING');
  });
});

describe('after restore mode', () => {
  it('a payment accepted since its end is sent without a question', async () => {
    await system.begin();
    await system.end();
    harness.clock.advance(1);
    expect((await harness.drive(await harness.accept())).payment.status).toBe('COMPLETED');
    expect(harness.bank.calls.map(({ method }) => method)).toEqual(['PUT']);
  });
});
