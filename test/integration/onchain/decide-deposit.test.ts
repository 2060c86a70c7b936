import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Database } from '../../../src/db/client/database.ts';
import {
  findDepositReview,
  listHeldDeposits,
  type DepositReviewRow,
} from '../../../src/db/onchain/deposit-review-store.ts';
import { holdDepositForReview, seeDepositAgain } from '../../../src/db/onchain/deposit-store.ts';
import { recordEvent } from '../../../src/db/webhooks/event-store.ts';
import { depositEvent } from '../../../src/modules/ledger/funding/deposit-view.ts';
import {
  proposeClearance,
  refuseDeposit,
} from '../../../src/modules/onchain/deposits/decide-deposit.ts';
import { showDecisions } from '../../../src/modules/onchain/deposits/show-decisions.ts';
import { blockDeposit } from '../../../src/domain/onchain/deposits/funding-book.ts';
import {
  addWaitingPayment,
  AT,
  block,
  type WaitingPayment,
} from '../../support/deposit-harness.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { createTwoOperators, type TwoOperators } from '../../support/two-operators.ts';

const clock = { now: () => AT };
let database: TestDatabase;
let operators: TwoOperators;
beforeAll(async () => {
  database = await createTestDatabase();
  operators = createTwoOperators(database.people, clock);
});
afterAll(() => database.close());

const deps = () => ({ db: database.people, clock });

interface Held {
  readonly waiting: WaitingPayment;
  readonly id: string;
  readonly row: DepositReviewRow;
}

/** A deposit that is held for its sender. */
async function addHeld(): Promise<Held> {
  const waiting = await addWaitingPayment(database.db);
  const { id } = await waiting.see();
  await waiting.write(async (tx) => {
    const held = await holdDepositForReview(tx, waiting.scope, id, AT);
    if (held === null) throw new Error('it is not held');
    await recordEvent(tx, waiting.scope, depositEvent('deposit.updated', held), AT);
  });
  return { waiting, id, row: await look(id) };
}
async function look(id: string): Promise<DepositReviewRow> {
  const row = await database.people.system((tx) => findDepositReview(tx, id));
  if (row === null) throw new Error('nothing is held');
  return row;
}
async function propose(row: DepositReviewRow): Promise<string> {
  const operator = await operators.operator('ada');
  return (await proposeClearance(deps(), row, { operator, reason: 'a known exchange' })) ?? '';
}
const refuse = async (row: DepositReviewRow) =>
  refuseDeposit(deps(), row, { operator: await operators.operator('ada'), reason: 'listed' });

/** The minutely look at decisions, as a worker runs it. */
const finish = () =>
  showDecisions(
    {
      ...{ db: database.db, clock },
      onFault: (_id, error) => {
        throw error;
      },
    },
    'test',
  );
const heldNow = async () => {
  const rows = await database.people.system((tx) => listHeldDeposits(tx, 'test', 100));
  return rows.map(({ id }) => id);
};

describe('a deposit that is held for its sender', () => {
  it('is not credited before two operators say so, and then as any other one', async () => {
    const { waiting, id, row } = await addHeld();
    await expect(waiting.credit({ id })).rejects.toThrow();
    const proposal = await propose(row);
    expect(await operators.approve(proposal, 'ada')).toMatchObject({ code: 1 });
    await expect(waiting.credit({ id })).rejects.toThrow();
    expect(await operators.approve(proposal)).toMatchObject({ code: 0 });
    expect(await look(id)).toMatchObject({ review: 'RELEASED', outcome: 'RELEASED' });
    expect(await waiting.credit({ id })).toBe(true);
  });

  it('is refused by one, for good', async () => {
    const { waiting, id, row } = await addHeld();
    const proposal = await propose(row);
    expect(await refuse(row)).toBe(true);
    expect(await look(id)).toMatchObject({ review: 'REFUSED', decidedBy: expect.any(String) });
    expect(await operators.approve(proposal)).toMatchObject({ code: 1 });
    await expect(waiting.credit({ id })).rejects.toThrow();
    expect(await refuse(await look(id))).toBe(true);
    expect((await look(id)).version).toBe(row.version + 1);
  });

  it('stays held where a refusal was cut off, which the next poll cycle finishes', async () => {
    const { waiting, id, row } = await addHeld();
    const cut = {
      ...{ clock, db: { ...database.people, write: () => Promise.reject(new Error('cut')) } },
    };
    const act = { operator: await operators.operator('ada'), reason: 'listed' };
    await expect(refuseDeposit(cut, row, act)).rejects.toThrow('cut');
    expect(await look(id)).toMatchObject({ review: 'HELD', outcome: 'REFUSED' });
    await expect(waiting.credit({ id })).rejects.toThrow();
    expect(await operators.approve(await propose(row))).toMatchObject({ code: 1 });
    await finish();
    await finish();
    expect(await look(id)).toMatchObject({ review: 'REFUSED', version: row.version + 1 });
    expect(await waiting.take((book) => blockDeposit(book, id))).toBe(true);
  });

  it('that was orphaned while it was refused is refused once it is mined again', async () => {
    const { waiting, id, row } = await addHeld();
    const cut = {
      clock,
      db: { ...database.people, write: () => Promise.reject(new Error('cut')) },
    };
    const act = { operator: await operators.operator('ada'), reason: 'listed' };
    await expect(refuseDeposit(cut, row, act)).rejects.toThrow('cut');
    await waiting.orphan({ id });
    expect(await heldNow()).not.toContain(id);
    await finish();
    expect(await look(id)).toMatchObject({ status: 'ORPHANED', review: 'HELD' });
    await waiting.write((tx) => seeDepositAgain(tx, waiting.scope, id, block(), AT));
    await finish();
    expect(await look(id)).toMatchObject({ status: 'SEEN', review: 'REFUSED' });
  });

  it('waits for operators while it is SEEN and undecided, and not when its block is gone', async () => {
    const { waiting, id } = await addHeld();
    expect(await heldNow()).toContain(id);
    await waiting.orphan({ id });
    expect(await heldNow()).not.toContain(id);
  });

  it('whose decision cannot be shown keeps no other from it', async () => {
    const cut = {
      clock,
      db: { ...database.people, write: () => Promise.reject(new Error('cut')) },
    };
    const act = { operator: await operators.operator('ada'), reason: 'listed' };
    const [first, second] = [await addHeld(), await addHeld()];
    for (const { row } of [first, second]) {
      await expect(refuseDeposit(cut, row, act)).rejects.toThrow('cut');
    }
    let writes = 0;
    const write: Database['write'] = (...given) => {
      writes += 1;
      return writes === 1 ? Promise.reject(new Error('a bad row')) : database.db.write(...given);
    };
    const told: string[] = [];
    const onFault = (one: string): void => void told.push(one);
    await showDecisions({ db: { ...database.db, write }, clock, onFault }, 'test');
    expect(told).toEqual([first.id]);
    expect(await look(second.id)).toMatchObject({ review: 'REFUSED' });
    await finish();
    expect(await look(first.id)).toMatchObject({ review: 'REFUSED' });
  });

  it('is decided by no API and no worker', async () => {
    const { waiting, id } = await addHeld();
    const asApp = (sql: string) => waiting.write((tx) => tx.query(sql, [id]));
    for (const review of ['RELEASED', 'REFUSED']) {
      const set = `UPDATE deposits SET review = '${review}', version = version + 1 WHERE id = $1`;
      await expect(asApp(set)).rejects.toThrow(/operators decided/);
    }
    await expect(
      asApp(`INSERT INTO deposit_decisions SELECT id, customer_id, environment, 'REFUSED', 'x', now(), 'x'
        FROM deposits WHERE id = $1`),
    ).rejects.toThrow();
  });
});
