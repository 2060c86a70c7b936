import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newId } from '../../../../src/db/client/new-id.ts';
import { connectToVerify, type VerifyConnection } from '../../../../src/cli/verify/reader.ts';
import { seenPaymentsExist } from '../../../../src/cli/verify/seen-payments-exist.ts';
import { UnusableInput } from '../../../../src/cli/verify/unusable-input.ts';
import { verify } from '../../../../src/cli/verify/verify.ts';
import {
  startVerifyCluster,
  type VerifyCluster,
} from '../../../support/cli/verify/verify-cluster.ts';

let cluster: VerifyCluster;
let connection: VerifyConnection;
let folder: string;
let file: string;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'cw-client-log-'));
  file = join(folder, 'client.log');
  cluster = await startVerifyCluster();
  connection = await connectToVerify(await cluster.copy());
});
afterAll(async () => {
  await connection.close();
  await cluster.stop();
  rmSync(folder, { recursive: true });
});

const answer = (status: number, body: unknown, method = 'POST', path = '/api/v1/payments') =>
  `${JSON.stringify({ method, path, status, body })}\n`;
const look = (...lines: readonly string[]) => {
  writeFileSync(file, lines.join(''));
  return seenPaymentsExist(connection, file);
};

describe('a payment that a client saw as 2xx', () => {
  it('is looked up, whether it was posted, read or listed', async () => {
    const { processing, completed, failed } = cluster.harness;
    const findings = await look(
      answer(201, { id: processing }),
      answer(200, { id: completed }, 'GET', `/api/v1/payments/${completed}`),
      answer(200, { data: [{ id: failed }, { id: completed }] }, 'GET', '/api/v1/payments?limit=2'),
    );
    expect(findings).toEqual({ checked: 4, violations: 0, samples: [] });
  });

  it('is missed where it does not exist', async () => {
    const lost = newId('pay');
    const findings = await look(
      answer(201, { id: cluster.harness.failed }),
      answer(201, { id: lost }),
    );
    expect(findings).toMatchObject({ checked: 2, violations: 1 });
    expect(findings.samples).toEqual([
      { subject: lost, problem: 'line 2 saw it, it does not exist' },
    ]);
  });

  it('is missed far down a long log, and every one is counted', async () => {
    const lines = Array.from({ length: 2_500 }, () => answer(201, { id: newId('pay') }));
    const findings = await look(...lines);
    expect(findings).toMatchObject({ checked: 2_500, violations: 2_500 });
    expect(findings.samples).toHaveLength(20);
  });

  it('must have told its id', async () => {
    expect(await look(answer(201, {}))).toMatchObject({ checked: 1, violations: 1 });
  });

  it('is not made of refusals, nor of other resources', async () => {
    const other = answer(201, { id: newId('eu') }, 'POST', '/api/v1/end-users');
    const findings = await look(answer(422, { error: { code: 'x' } }), other, answer(500, null));
    expect(findings).toEqual({ checked: 0, violations: 0, samples: [] });
  });
});

describe('a client log', () => {
  it('may end in the middle of a line: that client did not see its answer', async () => {
    const findings = await look(answer(201, { id: cluster.harness.failed }), '{"method":"PO');
    expect(findings).toMatchObject({ checked: 1, violations: 0 });
  });

  it.each([
    ['torn in the middle', '{"method":"PO\n'],
    ['of another form', '{"verb":"POST"}\n'],
  ])('is refused when it is %s', async (_what, line) => {
    await expect(look(line, answer(201, { id: cluster.harness.failed }))).rejects.toThrow(
      UnusableInput,
    );
  });

  it('is refused when it is not there', async () => {
    await expect(seenPaymentsExist(connection, join(folder, 'none'))).rejects.toThrow(
      UnusableInput,
    );
  });

  it('without any payment leaves I1 skipped, never held', async () => {
    writeFileSync(file, answer(401, null));
    const [first] = await verify({
      connection,
      clientLog: file,
      isWorkflowOpen: null,
      startGraceSeconds: 0,
      chains: null,
    });
    expect(first).toMatchObject({ id: 'I1', status: 'skipped' });
  });
});
