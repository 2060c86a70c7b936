import pg from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { ApprovalRefused } from '../../../src/modules/approvals/approval-refused.ts';
import { beginCursor } from '../../../src/db/onchain/chain-cursor-store.ts';
import { stopChain } from '../../../src/db/onchain/chain-stop-store.ts';
import {
  findDepositReview,
  listBlockedDecisions,
  listBlockedDeposits,
  type DepositReviewRow,
} from '../../../src/db/onchain/deposit-review-store.ts';
import { holdDepositForReview, seeDepositAgain } from '../../../src/db/onchain/deposit-store.ts';
import { proposeBlockedDecision } from '../../../src/modules/onchain/deposits/decide-blocked.ts';
import { refuseDeposit } from '../../../src/modules/onchain/deposits/decide-deposit.ts';
import type { BlockedDecision } from '../../../src/domain/onchain/deposits/deposit.ts';
import {
  blockDeposit,
  closeFunding,
  finaliseDeposit,
  keepDeposit,
  releaseDeposit,
} from '../../../src/domain/onchain/deposits/funding-book.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import {
  addWaitingPayment,
  AT,
  block,
  DUE,
  type WaitingPayment,
} from '../../support/deposit-harness.ts';
import { createTwoOperators, type TwoOperators } from '../../support/two-operators.ts';

const clock = { now: () => AT };
const refused = { code: '23514' };
let database: TestDatabase;
let superuser: pg.Client;
let operators: TwoOperators;
let woken: string[] = [];
beforeAll(async () => {
  database = await createTestDatabase();
  superuser = new pg.Client({ connectionString: database.url });
  await superuser.connect();
  operators = createTwoOperators(database.people, clock, {
    async wakePayment(_workflowId, { paymentId }) {
      await Promise.resolve();
      woken.push(paymentId);
    },
  });
});
beforeEach(() => {
  woken = [];
});
afterAll(async () => {
  await superuser.end();
  await database.close();
});

interface Blocked {
  readonly waiting: WaitingPayment;
  readonly id: string;
}

/** A deposit of all that is due, in suspense. */
async function addBlocked(overrides?: Parameters<WaitingPayment['see']>[0]): Promise<Blocked> {
  const waiting = await addWaitingPayment(database.db);
  const { id } = await waiting.see(overrides);
  await waiting.take((book) => blockDeposit(book, id));
  return { waiting, id };
}
async function look(id: string): Promise<DepositReviewRow> {
  const row = await database.people.system((tx) => findDepositReview(tx, id));
  if (row === null) throw new Error('there is no such deposit');
  return row;
}
async function propose(id: string, decision: BlockedDecision): Promise<string | null> {
  const act = { operator: await operators.operator('ada'), reason: 'compared with the list' };
  const deps = { db: database.people, clock };
  return proposeBlockedDecision(deps, await look(id), decision, act);
}
const decide = async (id: string, decision: BlockedDecision) =>
  operators.approve((await propose(id, decision)) ?? '');

async function books({ waiting }: Blocked) {
  const { rows } = await superuser.query<{ account: string; minor: string }>(
    `SELECT account, sum(amount) AS minor FROM ledger_entries WHERE customer_id = $1 AND currency = 'USDC'
     GROUP BY account HAVING sum(amount) <> 0`,
    [waiting.scope.customerId],
  );
  return Object.fromEntries(rows.map(({ account, minor }) => [account, Number(minor)]));
}
const IN_SUSPENSE = { 'nostro:BASE': -Number(DUE), suspense: Number(DUE) };
const unswept = async (id: string) =>
  (
    await superuser.query(
      `SELECT FROM chain_unswept u JOIN deposits d ON d.to_address = u.address WHERE d.id = $1`,
      [id],
    )
  ).rowCount;
const told = async (id: string) => {
  const { rows } = await superuser.query<{ type: string; version: number }>(
    `SELECT type, resource_version AS version FROM events WHERE resource_id = $1 ORDER BY seq`,
    [id],
  );
  return rows.map(({ type, version }) => `${type} ${String(version)}`);
};

describe('a blocked deposit', () => {
  it('waits for two operators: one alone, or the same one twice, moves nothing', async () => {
    const deposit = await addBlocked();
    const listed = await database.people.system((tx) => listBlockedDeposits(tx, 'test', 100));
    expect(listed.map(({ id }) => id)).toContain(deposit.id);
    const proposal = (await propose(deposit.id, 'RELEASE')) ?? '';
    expect(await propose(deposit.id, 'RELEASE')).toBeNull();
    expect(await operators.approve(proposal, 'ada')).toMatchObject({ code: 1 });
    expect(await books(deposit)).toEqual(IN_SUSPENSE);
    expect(await look(deposit.id)).toMatchObject({ status: 'BLOCKED' });
    expect(woken).toEqual([]);
  });

  it('that is released pays for its payment, which is woken; once, however often that is approved', async () => {
    const deposit = await addBlocked();
    const proposal = (await propose(deposit.id, 'RELEASE')) ?? '';
    const both = await Promise.all([operators.approve(proposal), operators.approve(proposal)]);
    expect(both.map(({ code }) => code).sort()).toEqual([0, 1]);
    expect(await operators.approve(proposal)).toMatchObject({ code: 1 });
    expect(await books(deposit)).toEqual({ 'nostro:BASE': -Number(DUE), reserved: Number(DUE) });
    expect(await look(deposit.id)).toMatchObject({ status: 'CREDITED', version: 3 });
    expect(await told(deposit.id)).toEqual(['deposit.credited 3']);
    expect(woken).toEqual([deposit.waiting.paymentId]);
    const [decision] = await database.people.system((tx) => listBlockedDecisions(tx, deposit.id));
    expect(decision).toMatchObject({ decision: 'RELEASE', reason: 'compared with the list' });
    const audited = await superuser.query(
      `SELECT FROM audit_log WHERE action = 'deposit.release' AND subject = $1`,
      [`deposits/${deposit.id}`],
    );
    expect(audited.rowCount).toBe(1);
    await deposit.waiting.take((book) => finaliseDeposit(book, deposit.id));
    expect(await unswept(deposit.id)).toBe(1);
  });

  it('that is released after its payment has ended is late, and in the balance', async () => {
    const deposit = await addBlocked();
    await deposit.waiting.take(closeFunding);
    expect(await decide(deposit.id, 'RELEASE')).toMatchObject({ code: 0 });
    expect(await books(deposit)).toEqual({ 'nostro:BASE': -Number(DUE), available: Number(DUE) });
    const [row] = await deposit.waiting.deposits();
    expect(row?.applied).toEqual({ appliedTo: 'BALANCE', reason: 'LATE', toPayment: 0n });
    expect(woken).toEqual([]);
  });

  it('that one operator had refused while it was held is released by two all the same', async () => {
    const waiting = await addWaitingPayment(database.db);
    const { id } = await waiting.see({ amount: 1n });
    await waiting.write((tx) => holdDepositForReview(tx, waiting.scope, id, AT));
    const act = { operator: await operators.operator('ada'), reason: 'listed' };
    await refuseDeposit({ db: database.people, clock }, await look(id), act);
    await waiting.take((book) => blockDeposit(book, id));
    expect(await decide(id, 'RELEASE')).toMatchObject({ code: 0 });
    await waiting.take(closeFunding);
    expect(await waiting.take((book) => finaliseDeposit(book, id))).toBe(true);
    expect(await look(id)).toMatchObject({ status: 'FINAL', review: 'REFUSED' });
  });

  it('is kept only once its block is final; then it stays in suspense, and its address is swept', async () => {
    const deposit = await addBlocked();
    await expect(propose(deposit.id, 'KEEP')).rejects.toThrow(ApprovalRefused);
    const final = { number: 7n, hash: block().hash, at: AT };
    await database.db.system((tx) =>
      beginCursor(tx, { environment: 'test', network: 'BASE' }, 'FINAL', final, AT),
    );
    expect(await unswept(deposit.id)).toBe(0);
    const proposal = (await propose(deposit.id, 'KEEP')) ?? '';
    expect(await propose(deposit.id, 'RELEASE')).toBeNull();
    expect(await operators.approve(proposal)).toMatchObject({ code: 0 });
    expect(await look(deposit.id)).toMatchObject({ status: 'KEPT', version: 3 });
    expect(await told(deposit.id)).toEqual(['deposit.kept 3']);
    expect(await books(deposit)).toEqual(IN_SUSPENSE);
    expect(await unswept(deposit.id)).toBe(1);
    expect(woken).toEqual([]);
    await expect(propose(deposit.id, 'RELEASE')).rejects.toThrow(ApprovalRefused);
    expect(await deposit.waiting.orphan(deposit)).toBe(false);
  });

  it('that its network takes back between the proposal and the approval is not decided', async () => {
    const deposit = await addBlocked();
    const proposal = (await propose(deposit.id, 'RELEASE')) ?? '';
    await deposit.waiting.orphan(deposit);
    expect(await operators.approve(proposal)).toMatchObject({ code: 1 });
    expect(await books(deposit)).toEqual({});
  });

  it('that is taken back after its release, and blocked again, takes two operators again', async () => {
    const deposit = await addBlocked();
    const { waiting, id } = deposit;
    const first = (await propose(id, 'RELEASE')) ?? '';
    expect(await operators.approve(first)).toMatchObject({ code: 0 });
    expect(await waiting.orphan({ id })).toBe(true);
    expect(await books(deposit)).toEqual({});
    await waiting.write((tx) => seeDepositAgain(tx, waiting.scope, id, block(), AT));
    await waiting.take((book) => blockDeposit(book, id));
    expect(await operators.approve(first)).toMatchObject({ code: 1 });
    expect(await books(deposit)).toEqual(IN_SUSPENSE);
    expect(await decide(id, 'RELEASE')).toMatchObject({ code: 0 });
    expect(await books(deposit)).toEqual({ 'nostro:BASE': -Number(DUE), reserved: Number(DUE) });
    expect(await database.people.system((tx) => listBlockedDecisions(tx, id))).toHaveLength(2);
  });

  it('whose approval was cut off before its effect is decided by the same approval later', async () => {
    const deposit = await addBlocked();
    const proposal = (await propose(deposit.id, 'RELEASE')) ?? '';
    await operators.approveOnly(proposal);
    expect(await books(deposit)).toEqual(IN_SUSPENSE);
    expect(await operators.approve(proposal)).toMatchObject({ code: 0 });
    expect(await look(deposit.id)).toMatchObject({ status: 'CREDITED' });
  });

  it('on a network that is stopped is not decided before that goes on', async () => {
    const deposit = await addBlocked({ network: 'POLYGON' });
    const proposal = (await propose(deposit.id, 'RELEASE')) ?? '';
    await database.db.system((tx) =>
      stopChain(tx, { environment: 'test', network: 'POLYGON' }, { ...block() }, AT),
    );
    await expect(propose(deposit.id, 'KEEP')).rejects.toThrow(/stopped/);
    expect(await operators.approve(proposal)).toMatchObject({ code: 1 });
    expect(await look(deposit.id)).toMatchObject({ status: 'BLOCKED' });
  });
});

describe('of a blocked deposit the database refuses', () => {
  it('to leave suspense by anything but an approval of just that, in its own transaction', async () => {
    const { waiting, id } = await addBlocked();
    const release = () => waiting.take((book) => releaseDeposit(book, id));
    const keep = () => waiting.take((book) => keepDeposit(book, id));
    await expect(release()).rejects.toMatchObject(refused);
    await expect(keep()).rejects.toMatchObject(refused);
    await operators.approveOnly((await propose(id, 'RELEASE')) ?? '');
    await expect(release()).rejects.toMatchObject(refused);
    await expect(keep()).rejects.toMatchObject(refused);
  });

  it('to become the other of the two than was approved', async () => {
    const deposit = await addBlocked();
    const proposal = (await propose(deposit.id, 'RELEASE')) ?? '';
    await operators.approveOnly(proposal);
    const move = (set: string) => `UPDATE deposits SET ${set}, version = version + 1 WHERE id = $1`;
    await superuser.query('BEGIN');
    await superuser.query(
      `INSERT INTO approval_uses (approval_id, customer_id, environment, used_by_transaction, used_at)
       SELECT id, customer_id, environment, pg_current_xact_id(), $2 FROM approvals WHERE id = $1`,
      [proposal, AT],
    );
    await superuser.query('SAVEPOINT used');
    await expect(superuser.query(move(`status = 'KEPT'`), [deposit.id])).rejects.toMatchObject(
      refused,
    );
    await superuser.query('ROLLBACK TO used');
    // Credited without the books is refused when all is written.
    await superuser.query(move(`status = 'CREDITED', applied_to = 'BALANCE'`), [deposit.id]);
    await expect(superuser.query('COMMIT')).rejects.toMatchObject(refused);
  });
});
