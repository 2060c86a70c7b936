import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readOver } from '../../../../src/cli/verify/reader.ts';
import { renderReport } from '../../../../src/cli/verify/report.ts';
import type { Verdict } from '../../../../src/cli/verify/verdict.ts';
import { verify } from '../../../../src/cli/verify/verify.ts';
import { MONEY_PLANTS } from '../../../support/cli/verify/plants/money-plants.ts';
import { PAYMENT_PLANTS } from '../../../support/cli/verify/plants/payment-plants.ts';
import { PEOPLE_PLANTS } from '../../../support/cli/verify/plants/people-plants.ts';
import {
  AT,
  pruneUpTo,
  pruneFirstVersion,
  awaitDeposit,
  holdNothing,
  bringPart,
} from '../../../support/cli/verify/plants/plant-statements.ts';
import {
  startVerifyCluster,
  type VerifyCluster,
} from '../../../support/cli/verify/verify-cluster.ts';

let cluster: VerifyCluster;
let client: pg.Client;
beforeAll(async () => {
  cluster = await startVerifyCluster();
  client = new pg.Client({ connectionString: await cluster.copy() });
  await client.connect();
});
afterAll(async () => {
  await client.end();
  await cluster.stop();
});

/** Judges the lawful harness, broken by the SQL given, with triggers off; nothing of it stays. */
async function judge(breach = ''): Promise<readonly Verdict[]> {
  const connection = readOver(client);
  await client.query('BEGIN');
  try {
    await client.query('SET LOCAL session_replication_role = replica');
    if (breach !== '') await client.query(breach);
    return await verify({
      // The picture that it looks at is that of the transaction.
      connection: { ...connection, snapshot: (work) => work(connection) },
      clientLog: null,
      isWorkflowOpen: async () => true,
      startGraceSeconds: 30,
      chains: null,
    });
  } finally {
    await client.query('ROLLBACK');
  }
}

const violatedIds = (verdicts: readonly Verdict[]): string[] =>
  verdicts.filter((verdict) => verdict.status === 'violated').map((verdict) => verdict.id);

const plants = { ...MONEY_PLANTS, ...PAYMENT_PLANTS, ...PEOPLE_PLANTS };

describe('verify', () => {
  it('asks for no held money of a payment that waits for a deposit', async () => {
    const { harness } = cluster;
    const waiting = `${awaitDeposit(harness)} ${holdNothing(harness)} ${bringPart(harness, 600)}`;
    const verdicts = await judge(waiting);
    expect(violatedIds(verdicts), renderReport(verdicts)).toEqual([]);
  });

  it('misses no event that was pruned', async () => {
    const { harness } = cluster;
    const wholly = `${pruneUpTo(harness.scope, new Date(AT.getTime() + 1))} DELETE FROM events;`;
    for (const lawful of [wholly, pruneFirstVersion(harness)]) {
      expect(violatedIds(await judge(lawful))).toEqual([]);
    }
  });

  it('finds nothing in a harness that the code wrote, and has looked at all of it', async () => {
    const verdicts = await judge();
    expect(renderReport(verdicts)).toMatchInlineSnapshot(`
      "I1 acknowledged payments exist ... SKIPPED: needs --client-log
      I2 the bank moved money at most once ... SKIPPED: needs the bank's own journal
      I3 final status is the bank's truth ... SKIPPED: needs the bank's own journal
      I4 ledger sums to zero ... 0 violations (15 checked)
      I5 balances equal their entries ... 0 violations (2 checked)
      I6 one payment per idempotency key ... 0 violations (6 checked)
      I7 only legal moves, no gaps ... 0 violations (15 checked)
      I8 one event per version ... 0 violations (23 checked)
      I9 every event is delivered or listed ... SKIPPED: needs the receivers' own logs
      I10 unfinished payments have a workflow, reserved money a payment ... 0 violations (1 checked)
      I11 nothing personal in the clear ... SKIPPED: needs planted names and all outputs
      I12 nothing is visible across scopes ... SKIPPED: needs the running service
      I13 reconciliation finds what is there ... SKIPPED: needs planted anomalies
      I14 memory, connections, backlog stay bounded ... SKIPPED: needs the running service
      I15 no live address or forced outcome without two operators ... 0 violations (2 checked)
      I16 a code opens one session ... 0 violations (2 checked)
      I17 each mail is sent or listed ... 0 violations (2 checked)
      I18 each act of a person is audited ... 0 violations (6 checked)
      I19 on chain a payment moves once, exactly once if completed, never if released ... SKIPPED: needs --chain
      I20 what left our addresses is what the books say ... SKIPPED: needs --chain
      I21 each credited deposit is one log ... SKIPPED: needs --chain
      I22 signer accounts have no gap and no foreign nonce ... SKIPPED: needs --chain
      I23 a deposit that is paid on has one payment, or a reason ... 0 violations (0 checked)
      SIGNED what two operators decided is signed by both ... SKIPPED: needs OPERATOR_KEYS_FILE
      SEALED the audit log is as it was sealed ... SKIPPED: no row is sealed yet, which a worker does
      FX position in currencies follows quotes and cover trades ... 0 violations (2 checked)"
    `);
  });

  for (const [id, planted] of Object.entries(plants)) {
    it.each(planted)(`${id} alone turns red: %s`, async (_what, sql) => {
      const verdicts = await judge(sql(cluster.harness));
      expect(violatedIds(verdicts), renderReport(verdicts)).toEqual([id]);
    });
  }
});
