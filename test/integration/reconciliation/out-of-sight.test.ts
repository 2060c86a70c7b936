import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { SourceUnreadable } from '../../../src/domain/payments/connector.ts';
import { acceptRefusedStatement } from '../../../src/modules/reconciliation/accept-refused-statement.ts';
import type { ReconciliationHarness } from '../../support/reconciliation/reconciliation-harness.ts';
import { createReconciliationHarness } from '../../support/reconciliation/reconciliation-harness.ts';
import { statementXml } from '../../support/reconciliation/statement-xml.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const LATE_ENOUGH = '2026-09-29T11:01:01.000Z';

let harness: ReconciliationHarness;
beforeEach(async () => {
  harness = await createReconciliationHarness();
});
afterEach(() => harness.close());

const publish = (overrides: { sequence?: bigint; id?: string; to?: string } = {}) =>
  harness.bank.publish((id) => statementXml({ id, entries: [] }), overrides);
const list = () => harness.activities.listStatements('test');
const handedOn = async (): Promise<string[]> => {
  const refs = await list();
  const rows = await harness.rows<{ id: string }>(
    'SELECT bank_statement_id AS id FROM statements WHERE id = ANY ($1::bigint[])',
    [refs.map(({ statementId }) => statementId)],
  );
  return rows.map(({ id }) => id);
};
const kinds = () => harness.alarms.map(({ kind }) => kind);

describe('a number that is not credible', () => {
  it('hides no later statement, raises one alarm and is listed for an operator', async () => {
    publish({ sequence: 100n });
    await list();
    publish({ sequence: 101n });
    publish({ sequence: 10n ** 17n, id: 'ABSURD' });
    await list();
    publish({ sequence: 102n });
    expect((await handedOn()).sort()).toEqual(['STMT-100', 'STMT-101', 'STMT-102']);
    await list();
    expect(harness.alarms).toMatchObject([
      { kind: 'SEQUENCE_JUMP', bankStatementId: 'ABSURD', after: '101' },
    ]);
    const [refused] = await harness.rows<{ status: string }>(
      "SELECT status FROM statements WHERE bank_statement_id = 'ABSURD'",
    );
    expect(refused).toEqual({ status: 'REFUSED' });
  });

  it('is read once an operator has taken it, by an audited act that works once', async () => {
    publish({ sequence: 100n });
    await list();
    publish({ sequence: 20_000n, id: 'RENUMBERED' });
    expect(await handedOn()).toEqual(['STMT-100']);
    const origin = { environment: 'test', connector: 'http-bank' } as const;
    const accept = () =>
      acceptRefusedStatement(harness, origin, 'RENUMBERED', {
        operator: 'ada',
        reason: 'confirmed',
      });
    expect([await accept(), await accept()]).toEqual([true, false]);
    expect((await handedOn()).sort()).toEqual(['RENUMBERED', 'STMT-100']);
    expect(await harness.rows('SELECT actor, action, subject FROM audit_log')).toEqual([
      { actor: 'operator:ada', action: 'statement.accept', subject: 'http-bank/RENUMBERED' },
    ]);
  });
});

describe('a numbering that begins anew', () => {
  async function restart(): Promise<void> {
    for (let sequence = 1n; sequence <= 30n; sequence += 1n) publish({ sequence });
    await list();
    publish({ sequence: 1n, id: 'NEW-1', to: '2026-09-29T11:00:40.000Z' });
    harness.clock.advance(11 * 60_000);
  }

  it('is found, alarmed once and followed', async () => {
    await restart();
    expect(await handedOn()).toContain('NEW-1');
    publish({ sequence: 2n, id: 'NEW-2', to: '2026-09-29T11:00:50.000Z' });
    expect(await handedOn()).toEqual(expect.arrayContaining(['NEW-1', 'NEW-2']));
    await list();
    expect(kinds()).toEqual(['SEQUENCE_RESTART']);
  });

  it('its statements come after those of the old one: what is open there keeps payments waiting', async () => {
    const paid = await harness.pay('COMPLETED');
    await restart();
    const refs = await list();
    for (const ref of refs.slice(1)) {
      await harness.activities.readStatement(ref);
      await harness.activities.reconcileStatement(ref);
    }
    publish({ sequence: 2n, id: 'NEW-2', to: LATE_ENOUGH });
    const newest = await harness.newestListed();
    await harness.activities.readStatement(newest);
    await harness.activities.reconcileStatement(newest);
    expect(await harness.payment(paid.id)).toMatchObject({ reconciliation: 'PENDING' });
    const [first] = refs;
    if (first === undefined) throw new Error('nothing is listed');
    await harness.activities.readStatement(first);
    await harness.activities.reconcileStatement(first);
    expect(await harness.payment(paid.id)).toMatchObject({ reconciliation: 'EXCEPTION' });
  });

  it('an old statement that comes late is none', async () => {
    publish({ sequence: 1n });
    publish({ sequence: 3n });
    await list();
    publish({ sequence: 2n, to: '2026-09-29T11:00:10.000Z' });
    await list();
    expect(kinds()).toEqual(['SEQUENCE_GAP']);
  });
});

describe('a statement that is listed and can never be fetched', () => {
  it('keeps payments from being missing for a week, and no longer', async () => {
    const paid = await harness.pay('COMPLETED');
    harness.bank.publish(
      () =>
        async function* () {
          throw new SourceUnreadable('HTTP_404');
        },
    );
    const [absent] = await list();
    if (absent === undefined) throw new Error('nothing is listed');
    await expect(harness.activities.readStatement(absent)).rejects.toMatchObject({
      code: 'STATEMENT_UNREACHABLE',
    });
    harness.clock.advance(6 * DAY_MS);
    await harness.reconcile({ entries: [] }, LATE_ENOUGH);
    expect(await harness.payment(paid.id)).toMatchObject({ reconciliation: 'PENDING' });
    harness.clock.advance(2 * DAY_MS);
    await harness.reconcile({ entries: [] }, LATE_ENOUGH);
    expect(await harness.payment(paid.id)).toMatchObject({ reconciliation: 'EXCEPTION' });
  });
});

describe('no statement for too long', () => {
  it('raises an alarm once an hour until one is reconciled', async () => {
    const at = harness.clock.now().toISOString();
    await harness.reconcile({ entries: [] }, at);
    harness.clock.advance(DAY_MS);
    await list();
    expect(harness.alarms).toEqual([]);
    harness.clock.advance(1);
    await list();
    await list();
    expect(harness.alarms).toMatchObject([{ kind: 'STATEMENTS_STALE', since: at }]);
    harness.clock.advance(HOUR_MS + 1);
    await list();
    expect(harness.alarms).toHaveLength(2);
    await harness.reconcile({ entries: [] }, harness.clock.now().toISOString());
    harness.clock.advance(HOUR_MS + 1);
    await list();
    expect(harness.alarms).toHaveLength(2);
  });

  it('raises it where there never was one though payments are made, and the bank is away', async () => {
    await harness.pay('COMPLETED');
    harness.bank.source.listStatements = () => Promise.reject(new SourceUnreadable('TIMEOUT'));
    harness.clock.advance(3 * DAY_MS);
    await expect(list()).rejects.toMatchObject({ code: 'STATEMENT_UNREACHABLE' });
    expect(kinds()).toEqual(['STATEMENTS_STALE']);
  });

  it('a statement that claims a time to come hides nothing', async () => {
    await harness.reconcile({ entries: [] }, '2999-01-01T00:00:00.000Z');
    harness.clock.advance(DAY_MS + 1);
    await list();
    expect(kinds()).toEqual(['STATEMENTS_STALE']);
  });
});
