import { WorkflowUpdateFailedError, type Client } from '@temporalio/client';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { seedPayingCustomer, type PayingCustomer } from '../../../support/seed-payments.ts';
import { createOpsHarness, NOW, type OpsHarness } from '../../../support/cli/ops/ops-harness.ts';

const DECISION = ['--reason', 'database is back', '--operator', 'ada'];

/** What a payment's workflow answers to the retry; a payment that is not named takes it. */
type Answer = () => Promise<boolean>;

let harness: OpsHarness;
let test: PayingCustomer;
let live: PayingCustomer;
let answers: Map<string, Answer>;
let asked: string[];
beforeAll(async () => {
  harness = await createOpsHarness({ client: scriptedClient() });
});
afterAll(() => harness.close());
beforeEach(async () => {
  await system(
    "UPDATE payments SET status = 'PROCESSING', version = version + 1 WHERE status = 'ON_HOLD'",
  );
  test = await seedPayingCustomer(harness.database.db, 'test');
  live = await seedPayingCustomer(harness.database.db, 'live');
  answers = new Map();
  asked = [];
});

const system = <Row extends object>(sql: string, values: readonly unknown[] = []) =>
  harness.database.db.system((tx) => tx.query<Row>(sql, [...values]));
const retryAll = (...args: string[]) =>
  harness.run('payments', 'retry', '--all', ...args, ...DECISION);

/** A Temporal whose workflows answer as `answers` says and leave ON_HOLD when they take a retry. */
function scriptedClient(): Client {
  const executeUpdate = async (workflowId: string) => {
    const rows = await system<{ id: string }>('SELECT id FROM payments WHERE workflow_id = $1', [
      workflowId,
    ]);
    const id = rows[0]?.id ?? '';
    asked.push(id);
    const isTaken = await (answers.get(id) ?? (() => Promise.resolve(true)))();
    const take = "UPDATE payments SET status = 'PROCESSING', version = version + 1 WHERE id = $1";
    if (isTaken) await system(take, [id]);
    return isTaken;
  };
  const getHandle = (workflowId: string) => ({ executeUpdate: () => executeUpdate(workflowId) });
  const withDeadline = (_deadline: number, work: () => Promise<unknown>) => work();
  return { connection: { withDeadline }, workflow: { getHandle } } as unknown as Client;
}

async function hold(
  customer: PayingCustomer,
  count = 1,
  detail = 'ENGINE_FAULT',
): Promise<string[]> {
  const ids: string[] = [];
  for (let made = 0; made < count; made += 1) {
    const { id } = await customer.pay({ fate: 'QUEUED', at: NOW });
    const sql = `UPDATE payments SET status = 'ON_HOLD', status_detail = $2, held_since = $3,
      version = version + 1 WHERE id = $1`;
    await system(sql, [id, detail, NOW]);
    ids.push(id);
  }
  return ids.toSorted();
}

describe('a retry of many', () => {
  it.each([
    [['--all'], "'--detail <name>'"],
    [['--all', '--detail', 'KYC_WITHDRAWN'], "'--detail <name>'"],
    [['--detail', 'STALLED'], "'--all'"],
    [['pay_x', '--all', '--detail', 'STALLED'], '--all'],
    [['pay_x', '--environment', 'live'], '--all'],
    [['pay_x', '--dry-run'], '--all'],
  ])('%j is refused: one payment or a filter, never both', async (args, name) => {
    const { code, error } = await harness.run('payments', 'retry', ...args, ...DECISION);
    expect({ code, error }).toEqual({ code: 2, error: expect.stringContaining(name) as string });
    expect(asked).toEqual([]);
  });

  it('takes up every page of what the filter names, and nothing else', async () => {
    const held = await hold(live, 41);
    await hold(live, 1, 'STALLED');
    await hold(test);
    const { customerId } = live.scope;
    const filter = ['--detail', 'ENGINE_FAULT', '--environment', 'live', '--customer', customerId];
    const { code, printed } = await retryAll(...filter);
    expect(asked.toSorted()).toEqual(held);
    expect(code).toBe(0);
    expect(printed).toContain('41 payments are ON_HOLD / ENGINE_FAULT.');
    expect(printed).toContain('Retried: 41. No longer on hold: 0. Failed: 0.');
  });

  it('goes on past failures, names each with its reason, and tries only those again', async () => {
    const held = await hold(live, 23);
    const [refusing = '', silent = '', idle = ''] = held;
    answers.set(refusing, () =>
      Promise.reject(new WorkflowUpdateFailedError('failed', new Error('reason must be a text'))),
    );
    answers.set(silent, () => Promise.reject(new Error('14 UNAVAILABLE')));
    answers.set(idle, () => Promise.resolve(false));
    const first = await retryAll('--detail', 'ENGINE_FAULT');
    expect(first.code).toBe(1);
    expect(first.printed).toContain('Retried: 20. No longer on hold: 1. Failed: 2.');
    expect(first.printed).toMatch(new RegExp(`${refusing} +The workflow refused: reason must be`));
    expect(first.printed).toMatch(new RegExp(`${silent} +14 UNAVAILABLE`));
    asked = [];
    answers.clear();
    const second = await retryAll('--detail', 'ENGINE_FAULT');
    expect(asked.toSorted()).toEqual([refusing, silent, idle].toSorted());
    expect(second).toMatchObject({ code: 0 });
    asked = [];
    const third = await retryAll('--detail', 'ENGINE_FAULT');
    expect(third.printed).toContain('0 payments are ON_HOLD');
    expect(asked).toEqual([]);
  });

  it('gives up after a page that nothing answered', async () => {
    const held = await hold(live, 45);
    for (const id of held) answers.set(id, () => Promise.reject(new Error('14 UNAVAILABLE')));
    const { code, printed } = await retryAll('--detail', 'ENGINE_FAULT');
    expect(code).toBe(1);
    expect(asked).toHaveLength(20);
    expect(printed).toContain('the rest was skipped');
  });

  it('stops at its limit', async () => {
    const held = await hold(live, 25);
    await retryAll('--detail', 'ENGINE_FAULT', '--limit', '21');
    expect(asked.toSorted()).toEqual(held.slice(0, 21));
  });

  it('only tells in a dry run', async () => {
    const [id = ''] = await hold(live, 2);
    const { code, printed } = await retryAll(
      '--detail',
      'ENGINE_FAULT',
      '--dry-run',
      '--limit',
      '1',
    );
    expect(code).toBe(0);
    expect(printed).toContain('2 payments are ON_HOLD / ENGINE_FAULT.');
    expect(printed).toContain(id);
    expect(printed).toContain('nothing was changed. 1 payment would be retried.');
    expect(asked).toEqual([]);
  });

  it('ends although payments that were taken up are held again at once', async () => {
    await hold(live, 3);
    const again = async () => {
      await hold(live);
      return false;
    };
    for (const { id } of await system<{ id: string }>(
      "SELECT id FROM payments WHERE status = 'ON_HOLD'",
    ))
      answers.set(id, again);
    await retryAll('--detail', 'ENGINE_FAULT');
    expect(asked).toHaveLength(3);
  });
});

describe('a retry of one', () => {
  it('asks the bank first, and says where the payment does not wait', async () => {
    const [id = ''] = await hold(live);
    const { code, printed } = await harness.run('payments', 'retry', id, ...DECISION);
    expect({ code, printed }).toEqual({
      code: 0,
      printed: expect.stringContaining('asks the bank first') as string,
    });
    answers.set(id, () => Promise.resolve(false));
    expect(await harness.run('payments', 'retry', id, ...DECISION)).toMatchObject({
      code: 1,
      error: expect.stringContaining('does not wait for an operator') as string,
    });
    expect(await harness.run('payments', 'retry', 'pay_none', ...DECISION)).toMatchObject({
      code: 1,
      error: 'There is no payment pay_none.',
    });
  });
});
