import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client, Connection } from '@temporalio/client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findTemporalCli } from '../../../../src/cli/embedded/temporal-cli.ts';
import {
  startTemporalServer,
  type EmbeddedTemporal,
} from '../../../../src/cli/embedded/temporal-server.ts';
import { unfinishedPaymentsHaveAWorkflow } from '../../../../src/cli/verify/open-workflows.ts';
import { connectToVerify, type VerifyConnection } from '../../../../src/cli/verify/reader.ts';
import {
  connectTemporalProbe,
  type IsWorkflowOpen,
} from '../../../../src/cli/verify/temporal-probe.ts';
import { UnusableInput } from '../../../../src/cli/verify/unusable-input.ts';
import { verify } from '../../../../src/cli/verify/verify.ts';
import {
  startVerifyCluster,
  type VerifyCluster,
} from '../../../support/cli/verify/verify-cluster.ts';

const FETCH_TIMEOUT_MS = 20 * 60_000;
const closed: IsWorkflowOpen = async () => false;

let cluster: VerifyCluster;
/** The address of a copy that nothing changes. */
let lawful: string;
beforeAll(async () => {
  cluster = await startVerifyCluster();
  lawful = await cluster.copy();
});
afterAll(() => cluster.stop());

async function withCopy<Result>(
  breach: string,
  work: (connection: VerifyConnection, url: string) => Promise<Result>,
): Promise<Result> {
  return withDatabase(await cluster.copy(breach), work);
}

async function withDatabase<Result>(
  url: string,
  work: (connection: VerifyConnection, url: string) => Promise<Result>,
): Promise<Result> {
  const connection = await connectToVerify(url);
  try {
    return await work(connection, url);
  } finally {
    await connection.close();
  }
}

describe('an unfinished payment', () => {
  it('without an open workflow is a violation, a finished one is not asked about', async () => {
    const asked: string[] = [];
    const ask: IsWorkflowOpen = async (id) => {
      asked.push(id);
      return false;
    };
    const findings = await withDatabase(lawful, (db) =>
      unfinishedPaymentsHaveAWorkflow(db, ask, 0),
    );
    const { processing } = cluster.harness;
    expect(findings).toMatchObject({ checked: 1, violations: 1 });
    expect(findings.samples[0]?.subject).toBe(processing);
    expect(new Set(asked)).toEqual(new Set([`payment/test/${processing}`]));
  });

  it('turns I10 red', async () => {
    const verdicts = await withDatabase(lawful, (connection) =>
      verify({
        connection,
        clientLog: null,
        isWorkflowOpen: closed,
        startGraceSeconds: 0,
        chains: null,
      }),
    );
    const red = verdicts.filter((verdict) => verdict.status === 'violated');
    expect(red.map((verdict) => verdict.id)).toEqual(['I10']);
  });

  it('leaves I10 skipped where Temporal is not asked, never held', async () => {
    const verdicts = await withDatabase(lawful, (connection) =>
      verify({
        connection,
        clientLog: null,
        isWorkflowOpen: null,
        startGraceSeconds: 0,
        chains: null,
      }),
    );
    expect(verdicts.find((verdict) => verdict.id === 'I10')?.status).toBe('skipped');
  });

  it('that finishes between the look and the question is no violation', async () => {
    const { processing } = cluster.harness;
    const findings = await withCopy('', (db, url) => {
      const finish: IsWorkflowOpen = async () => {
        await cluster.run(
          url,
          `SET session_replication_role = replica;
           UPDATE payments SET status = 'FAILED' WHERE id = '${processing}'`,
        );
        return false;
      };
      return unfinishedPaymentsHaveAWorkflow(db, finish, 0);
    });
    expect(findings).toMatchObject({ checked: 1, violations: 0 });
  });

  it('that was accepted a moment ago may be without one', async () => {
    const justNow = `UPDATE payments SET created_at = now()`;
    const findings = await withCopy(justNow, (db) =>
      unfinishedPaymentsHaveAWorkflow(db, closed, 30),
    );
    expect(findings).toMatchObject({ checked: 0, violations: 0 });
  });

  it('is found among thousands, each asked about', async () => {
    const { processing } = cluster.harness;
    const many = `ALTER TABLE payments ALTER COLUMN seq DROP IDENTITY;
      CREATE TEMP TABLE made AS SELECT * FROM payments WHERE id = '${processing}';
      INSERT INTO payments SELECT (jsonb_populate_record(made, jsonb_build_object(
        'id', 'pay_' || n, 'idempotency_key', n::text, 'workflow_id', 'made/' || n))).*
      FROM made, generate_series(1, 1200) AS n`;
    const findings = await withCopy(many, (db) =>
      unfinishedPaymentsHaveAWorkflow(db, async (id) => id !== 'made/777', 0),
    );
    expect(findings).toMatchObject({ checked: 1201, violations: 1 });
    expect(findings.samples[0]?.subject).toBe('pay_777');
  });
});

describe('the question to Temporal', () => {
  let folder: string;
  let server: EmbeddedTemporal;
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'cw-verify-temporal-'));
    const cliPath = await findTemporalCli({
      environment: process.env,
      progress: (line) => console.log(line),
    });
    server = await startTemporalServer({
      cliPath,
      dbFile: null,
      port: 0,
      uiPort: null,
      log: () => undefined,
    });
  }, FETCH_TIMEOUT_MS);
  afterAll(async () => {
    await server.stop();
    rmSync(folder, { recursive: true });
  });

  it('tells a running workflow from one that ended and one that never was', async () => {
    const connection = await Connection.connect({ address: server.address });
    const client = new Client({ connection });
    const start = (workflowId: string) =>
      client.workflow.start('payment', { workflowId, taskQueue: 'without-worker' });
    const probe = await connectTemporalProbe({ env: {}, address: server.address });
    try {
      await start('runs');
      await (await start('ended')).terminate();
      expect(await probe.isWorkflowOpen('runs')).toBe(true);
      expect(await probe.isWorkflowOpen('ended')).toBe(false);
      expect(await probe.isWorkflowOpen('never-was')).toBe(false);
    } finally {
      await probe.close();
      await connection.close();
    }
  });

  it('is not answered by a namespace that does not exist', async () => {
    await expect(
      connectTemporalProbe({ env: {}, address: server.address, namespace: 'none-such' }),
    ).rejects.toThrow(UnusableInput);
  });

  it('is not answered by a server that is not there', async () => {
    await expect(connectTemporalProbe({ env: {}, address: '127.0.0.1:1' })).rejects.toThrow(
      UnusableInput,
    );
  });
});
