import { EventEmitter, once } from 'node:events';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { toTemporalFailure } from '../../activities/failures.ts';
import { RailUnreadable } from '../../src/rails/rail.ts';
import type { ReconciliationWorld } from './reconciliation-world.ts';
import { createReconciliationWorld } from './reconciliation-world.ts';
import { statementXml } from './statement-xml.ts';

let world: ReconciliationWorld;
beforeAll(async () => {
  world = await createReconciliationWorld();
});
afterAll(() => world.close());
beforeEach(() => world.alarms.splice(0));

const kinds = () => world.alarms.map(({ kind }) => kind);
const newest = async () => {
  const refs = await world.activities.listStatements('test');
  const last = refs.toSorted((a, b) => Number(a.statementId) - Number(b.statementId)).at(-1);
  if (last === undefined) throw new Error('nothing is listed');
  return last;
};

describe('what a statement says of itself is checked', () => {
  it('opening + entries that are not the closing balance', async () => {
    const ref = await world.reconcile({
      opening: '100.00',
      closing: '90.01',
      entries: [{ amount: '10.00' }],
    });
    expect(await world.statement(ref)).toMatchObject({
      status: 'RECONCILED',
      problems: [
        {
          code: 'BALANCE_MISMATCH',
          currency: 'EUR',
          opening: '100',
          booked: '-10',
          closing: '90.01',
          difference: '0.01',
        },
      ],
    });
    expect(kinds()).toContain('BALANCE_MISMATCH');
  });

  it("a batch whose transactions are not the entry's sum; its lines count all the same", async () => {
    const [first, second] = [await world.pay('COMPLETED'), await world.pay('COMPLETED')];
    const batch = [first, second].map(({ reference }) => ({ reference, amount: '10.00' }));
    const right = await world.reconcile({ entries: [{ amount: '20.00', batch }] });
    expect(await world.statement(right)).toMatchObject({ problems: [], lines: 2 });
    expect(await world.outcomes(right)).toEqual(['RECONCILED', 'RECONCILED']);

    const third = { reference: (await world.pay('COMPLETED')).reference, amount: '10.00' };
    const fourth = { reference: (await world.pay('COMPLETED')).reference, amount: '10.00' };
    const wrong = await world.reconcile({ entries: [{ amount: '25.00', batch: [third, fourth] }] });
    expect(await world.statement(wrong)).toMatchObject({
      problems: [{ code: 'BATCH_MISMATCH', entry: 1, difference: '5' }],
    });
    expect(await world.outcomes(wrong)).toEqual(['RECONCILED', 'RECONCILED']);
    expect(kinds()).toContain('BATCH_MISMATCH');
  });

  it('a broken entry is recorded and stops no other', async () => {
    const paid = await world.pay('COMPLETED');
    const broken = { amount: '1.00', direction: 'SIDEWAYS' as 'DBIT' };
    const ref = await world.reconcile({
      opening: '100.00',
      closing: '90.00',
      entries: [broken, { reference: paid.reference, amount: '10.00' }],
    });
    const { problems } = await world.statement(ref);
    expect(problems).toMatchObject([{ code: 'ENTRY_UNREADABLE', line: 1, entry: 1 }]);
    expect(await world.payment(paid.id)).toMatchObject({
      reconciliation: 'RECONCILED',
      evidence: { line: 2 },
    });
    expect(kinds()).toEqual(['ENTRIES_UNREADABLE']);
  });
});

describe('a statement that cannot be read', () => {
  it('cut off in the middle: UNREADABLE, an alarm, and not one payment changed', async () => {
    const unknown = await world.pay('UNKNOWN');
    const entries = [{ reference: unknown.reference, amount: '10.00' }, { amount: '5.00' }];
    world.bank.publish((id) => statementXml({ id, entries }).slice(0, -80));
    const ref = await newest();
    await expect(world.activities.readStatement(ref)).rejects.toMatchObject({
      code: 'STATEMENT_UNREADABLE',
    });
    await expect(world.activities.reconcileStatement(ref)).rejects.toMatchObject({
      code: 'STATEMENT_BUSY',
    });
    expect(await world.statement(ref)).toMatchObject({
      status: 'UNREADABLE',
      problems: [{ code: 'UNREADABLE', problem: 'TRUNCATED' }],
    });
    expect(kinds()).toEqual(['STATEMENT_UNREADABLE']);
    expect(await world.payment(unknown.id)).toMatchObject({ status: 'PROCESSING' });
  });

  it('is fetched again, further and further apart, until the bank has mended it', async () => {
    const paid = await world.pay('COMPLETED');
    const whole = (id: string) =>
      statementXml({ id, entries: [{ reference: paid.reference, amount: '10.00' }] });
    let isMended = false;
    world.bank.publish(
      (id) =>
        async function* () {
          yield Buffer.from(isMended ? whole(id) : '<html>busy</html>');
        },
    );
    const ref = await newest();
    const waits = [];
    for (let reading = 0; reading < 9; reading += 1) {
      const error: unknown = await world.activities.readStatement(ref).catch((e: unknown) => e);
      waits.push(Number(toTemporalFailure(error).nextRetryDelay) / 60_000);
    }
    expect(waits).toEqual([5, 10, 20, 40, 80, 160, 320, 360, 360]);
    isMended = true;
    await world.activities.readStatement(ref);
    await world.activities.reconcileStatement(ref);
    expect(await world.statement(ref)).toMatchObject({ status: 'RECONCILED', problems: [] });
    expect(await world.outcomes(ref)).toEqual(['RECONCILED']);
  });

  it('is taken up again where Temporal has forgotten it, after those that can be read', async () => {
    world.bank.publish(() => 'no statement');
    const broken = await newest();
    await world.activities.readStatement(broken).catch(() => undefined);
    const sound = await world.list({ entries: [] });
    const ids = (await world.activities.listStatements('test')).map((ref) => ref.statementId);
    expect(ids.indexOf(broken.statementId)).toBeGreaterThan(ids.indexOf(sound.statementId));
  });

  it('a network that breaks in the middle is tried again, and no line is stored twice', async () => {
    const paid = await Promise.all([world.pay('COMPLETED'), world.pay('COMPLETED')]);
    const entries = paid.map(({ reference }) => ({ reference, amount: '10.00' }));
    let tries = 0;
    world.bank.publish(
      (id) =>
        async function* () {
          const xml = Buffer.from(statementXml({ id, entries }));
          yield xml.subarray(0, xml.length - 100);
          tries += 1;
          if (tries === 1) throw new RailUnreadable('RESET');
          yield xml.subarray(xml.length - 100);
        },
    );
    const ref = await newest();
    await expect(world.activities.readStatement(ref)).rejects.toMatchObject({
      code: 'STATEMENT_UNREACHABLE',
    });
    expect(await world.statement(ref)).toMatchObject({ status: 'LISTED' });
    await world.activities.readStatement(ref);
    await world.activities.reconcileStatement(ref);
    expect(await world.outcomes(ref)).toEqual(['RECONCILED', 'RECONCILED']);
    expect(kinds()).toEqual([]);
  });
});

describe('what a bank sent in two tries is never mixed', () => {
  const lines = (amount: string) => Array.from({ length: 1_500 }, () => ({ amount }));
  const stored = (ref: { statementId: string }) =>
    world.rows<{ amount: string; lines: bigint }>(
      `SELECT trim_scale(amount)::text AS amount, count(*) AS lines FROM statement_lines
       WHERE statement_id = $1 GROUP BY amount`,
      [ref.statementId],
    );

  it('a try that broke off leaves nothing of itself', async () => {
    let tries = 0;
    world.bank.publish(
      (id) =>
        async function* () {
          tries += 1;
          yield Buffer.from(statementXml({ id, entries: lines(String(tries)) }).slice(0, -20));
          if (tries === 1) throw new RailUnreadable('RESET');
          yield Buffer.from(statementXml({ id, entries: [] }).slice(-20));
        },
    );
    const ref = await newest();
    await expect(world.activities.readStatement(ref)).rejects.toMatchObject({
      code: 'STATEMENT_UNREACHABLE',
    });
    expect(await stored(ref)).toEqual([{ amount: '1', lines: 1_000n }]);
    await world.activities.readStatement(ref);
    expect(await stored(ref)).toEqual([{ amount: '2', lines: 1_500n }]);
  });

  it('a try that was given up for dead and goes on stores nothing more', async () => {
    let tries = 0;
    const gate = new EventEmitter();
    world.bank.publish(
      (id) =>
        async function* () {
          tries += 1;
          const isFirst = tries === 1;
          const xml = Buffer.from(statementXml({ id, entries: lines(String(tries)) }));
          yield xml.subarray(0, xml.length / 2);
          if (isFirst) {
            const opened = once(gate, 'open');
            gate.emit('half way');
            await opened;
          }
          yield xml.subarray(xml.length / 2);
        },
    );
    const ref = await newest();
    const halfWay = once(gate, 'half way');
    const slow = world.activities.readStatement(ref).catch((error: unknown) => error);
    await halfWay;
    await world.activities.readStatement(ref);
    gate.emit('open');
    expect(await slow).toMatchObject({ code: 'STATEMENT_BUSY' });
    expect(await stored(ref)).toEqual([{ amount: '2', lines: 1_500n }]);
    expect(await world.statement(ref)).toMatchObject({ status: 'READ', lines: 1_500 });
  });

  it('a try that finds its file broken after another has stored it takes nothing back', async () => {
    let tries = 0;
    const gate = new EventEmitter();
    world.bank.publish(
      (id) =>
        async function* () {
          tries += 1;
          const xml = Buffer.from(statementXml({ id, entries: lines('1') }));
          yield xml.subarray(0, 1_000);
          if (tries > 1) return yield xml.subarray(1_000);
          const opened = once(gate, 'open');
          gate.emit('half way');
          await opened;
        },
    );
    const ref = await newest();
    const halfWay = once(gate, 'half way');
    const broken = world.activities.readStatement(ref).catch((error: unknown) => error);
    await halfWay;
    await world.activities.readStatement(ref);
    gate.emit('open');
    expect(await broken).toMatchObject({ code: 'STATEMENT_BUSY' });
    expect(await world.statement(ref)).toMatchObject({ status: 'READ', lines: 1_500 });
  });

  it('a reader of a version that takes no number wins over one that comes late', async () => {
    const gate = new EventEmitter();
    world.bank.publish(
      (id) =>
        async function* () {
          const xml = Buffer.from(statementXml({ id, entries: lines('1') }));
          yield xml.subarray(0, 1_000);
          const opened = once(gate, 'open');
          gate.emit('half way');
          await opened;
          yield xml.subarray(1_000);
        },
    );
    const ref = await newest();
    const halfWay = once(gate, 'half way');
    const late = world.activities.readStatement(ref).catch((error: unknown) => error);
    await halfWay;
    await world.rows(`UPDATE statements SET status = 'READ', line_count = 0 WHERE id = $1`, [
      ref.statementId,
    ]);
    gate.emit('open');
    expect(await late).toMatchObject({ code: 'STATEMENT_BUSY' });
    expect(await stored(ref)).toEqual([]);
    expect(await world.statement(ref)).toMatchObject({ status: 'READ' });
  });

  it('outages of the bank do not put off the next look at a broken file', async () => {
    let tries = 0;
    world.bank.publish(
      () =>
        async function* () {
          tries += 1;
          if (tries < 10) throw new RailUnreadable('RESET');
          yield Buffer.from('<html>busy</html>');
        },
    );
    const ref = await newest();
    let error: unknown;
    for (let reading = 0; reading < 10; reading += 1) {
      error = await world.activities.readStatement(ref).catch((thrown: unknown) => thrown);
    }
    expect(toTemporalFailure(error)).toMatchObject({
      type: 'STATEMENT_UNREADABLE',
      nextRetryDelay: 5 * 60_000,
    });
  });

  it('what has been judged cannot be dropped', async () => {
    const ref = await world.reconcile({ entries: [{ amount: '1.00' }] });
    const drop = world.rows('DELETE FROM statement_lines WHERE statement_id = $1', [
      ref.statementId,
    ]);
    await expect(drop).rejects.toMatchObject({ code: '23001' });
  });
});

describe('a statement that is nowhere', () => {
  it('is told apart from a bank that is away', async () => {
    const ref = { environment: 'test', rail: 'http-bank', statementId: '999999' } as const;
    await expect(world.activities.readStatement(ref)).rejects.toMatchObject({ code: 'NOT_FOUND' });
    const foreign = { ...(await world.list({ entries: [] })), environment: 'live' } as const;
    await expect(world.activities.reconcileStatement(foreign)).rejects.toMatchObject({
      code: 'NOT_FOUND',
    });
  });
});
