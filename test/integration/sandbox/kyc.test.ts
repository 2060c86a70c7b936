import { createHash } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { KycTimings } from '../../../src/sandbox/kyc/kyc-timings.ts';
import { createSandboxKycControl } from '../../../src/adapters/kyc/sandbox-control.ts';
import { createSandboxKyc } from '../../../src/sandbox/kyc/sandbox-kyc.ts';
import type { SandboxKyc } from '../../../src/sandbox/kyc/sandbox-kyc.ts';
import { SECRET, SILENT, SYSTEM_CLOCK } from '../../support/sandbox/bank-harness.ts';
import { startCallbackReceiver } from '../../support/sandbox/callback-receiver.ts';
import type { CallbackReceiver } from '../../support/sandbox/callback-receiver.ts';

const FAST: KycTimings = {
  reviewAfterMs: 10,
  decideAfterMs: 15,
  revokeAfterMs: 25,
  callbacks: { triesMax: 20, firstRetryMs: 5, retryMaxMs: 20, timeoutMs: 2_000 },
};

let folder: string;
let receiver: CallbackReceiver;
let kyc: SandboxKyc;

async function start(timings: Partial<KycTimings> = {}): Promise<void> {
  kyc = await createSandboxKyc({
    journalFile: join(folder, 'kyc.jsonl'),
    callbackUrl: receiver.url,
    callbackSecret: SECRET,
    clock: SYSTEM_CLOCK,
    timings: { ...FAST, ...timings },
    log: SILENT,
  });
  await kyc.listen(0);
}

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'causeway-kyc-'));
  receiver = await startCallbackReceiver(SECRET);
  await start();
});
afterEach(async () => {
  await kyc.close();
  await receiver.close();
  await rm(folder, { recursive: true });
});

const put = (reference: string, lastName: unknown, type = 'INDIVIDUAL') =>
  fetch(`${kyc.url}/checks/${reference}`, {
    method: 'PUT',
    body: JSON.stringify({ type, lastName }),
  });
const get = async (reference: string) =>
  (await (await fetch(`${kyc.url}/checks/${reference}`)).json()) as Record<string, unknown>;
const told = () => receiver.accepted.map(({ body }) => body.status);

describe('the outcome of a check', () => {
  it.each([
    ['Approve', ['IN_REVIEW', 'APPROVED']],
    ['Reject', ['IN_REVIEW', 'REJECTED']],
    ['Resubmit', ['IN_REVIEW', 'RESUBMISSION_REQUIRED']],
    ['Revoke', ['IN_REVIEW', 'APPROVED', 'REVOKED']],
    ['Sample', ['IN_REVIEW', 'APPROVED']],
    ['reject', ['IN_REVIEW', 'APPROVED']],
  ])('of %s comes by itself, each move told once by a signed callback', async (name, expected) => {
    const answer = await put('r1', name);
    expect(answer.status).toBe(201);
    expect(await answer.json()).toMatchObject({ reference: 'r1' });
    await expect.poll(() => [...told()].sort()).toEqual([...expected].sort());
    const versions = receiver.accepted.map(({ body }) => body.version as number).sort();
    expect(versions).toEqual(expected.map((_status, index) => index + 2));
    expect(await get('r1')).toMatchObject({
      status: expected.at(-1),
      version: expected.length + 1,
    });
  });

  it('of Review stays in review', async () => {
    await put('r1', 'Review');
    await put('r2', 'Revoke');
    await expect.poll(async () => (await get('r2')).status).toBe('REVOKED');
    expect((await get('r1')).status).toBe('IN_REVIEW');
  });

  it('of Resubmit goes on once the documents are there, and also after a restart', async () => {
    await put('r1', 'Resubmit');
    await expect.poll(async () => (await get('r1')).status).toBe('RESUBMISSION_REQUIRED');
    await kyc.close();
    await start();
    const content = Buffer.from('a document');
    const digest = createHash('sha256').update(content).digest('base64');
    const give = (id: string) =>
      fetch(`${kyc.url}/checks/r1/documents/${id}?type=PASSPORT`, {
        method: 'PUT',
        headers: { 'content-type': 'image/png', 'content-digest': `sha-256=:${digest}:` },
        body: content,
      });
    const answers = await Promise.all([give('kdo_1'), give('kdo_2'), give('kdo_1')]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 201, 201]);
    await expect.poll(async () => (await get('r1')).status).toBe('APPROVED');
    expect((await get('r1')).version).toBe(5);
  });

  it('says what the end-user is to be asked for', async () => {
    await put('r1', 'Review');
    await put('r2', 'Review', 'BUSINESS');
    expect((await get('r1')).documents).toEqual(['IDENTITY', 'PROOF_OF_ADDRESS']);
    expect((await get('r2')).documents).toEqual(['COMPANY_REGISTER', 'IDENTITY']);
  });

  it('carries reasons when something is wrong', async () => {
    await put('r1', 'Reject');
    await put('r2', 'Resubmit', 'BUSINESS');
    await expect.poll(async () => (await get('r2')).status).toBe('RESUBMISSION_REQUIRED');
    expect((await get('r1')).reasons).toMatchObject([{ retryable: false }]);
    expect((await get('r2')).reasons).toMatchObject([
      { code: 'DOCUMENT_UNREADABLE', retryable: true },
    ]);
  });
});

describe('the provider', () => {
  it('starts one check for a reference, however often it is asked', async () => {
    const answers = await Promise.all(Array.from({ length: 10 }, () => put('r1', 'Sample')));
    const bodies = (await Promise.all(answers.map((one) => one.json()))) as { id: string }[];
    expect(new Set(bodies.map(({ id }) => id)).size).toBe(1);
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
    expect((await put('r1', 'Sample', 'BUSINESS')).status).toBe(409);
  });

  it('names the field that it cannot read, and knows nothing of other references', async () => {
    const bad = await put('r1', 7);
    expect(bad.status).toBe(400);
    expect(await bad.json()).toMatchObject({ field: 'lastName' });
    expect((await put('r1', 'Sample', 'ROBOT')).status).toBe(400);
    expect((await put('r.1', 'Sample')).status).toBe(400);
    expect((await fetch(`${kyc.url}/checks/r1`)).status).toBe(404);
  });

  it('shows a hosted page without names', async () => {
    const { url } = (await (await put('r1', '<Sample>')).json()) as { url: string };
    const page = await fetch(url);
    expect(page.headers.get('content-type')).toMatch(/text\/html/);
    const html = await page.text();
    expect(html).toContain('the outcome comes by itself');
    expect(html).not.toContain('Sample');
    expect((await fetch(`${kyc.url}/hosted/chk_other`)).status).toBe(404);
  });

  it('goes on after a restart: moves that are due and callbacks that are owed', async () => {
    await kyc.close();
    await start({
      decideAfterMs: 600_000,
      callbacks: { triesMax: 3, firstRetryMs: 600_000, retryMaxMs: 600_000, timeoutMs: 2_000 },
    });
    receiver.refuseNext(1);
    await put('r1', 'Reject');
    await expect.poll(() => receiver.refused).toHaveLength(1);
    await kyc.close();
    await start();
    await expect.poll(() => [...told()].sort()).toEqual(['IN_REVIEW', 'REJECTED']);
  });

  it('keeps no name', async () => {
    await put('r1', 'Sample');
    await expect.poll(told).toHaveLength(2);
    expect(await readFile(join(folder, 'kyc.jsonl'), 'utf8')).not.toContain('Sample');
  });

  it('with its own timings decides within two seconds', async () => {
    const { DEFAULT_KYC_TIMINGS } = await import('../../../src/sandbox/kyc/kyc-timings.ts');
    const { reviewAfterMs, decideAfterMs } = DEFAULT_KYC_TIMINGS;
    expect(reviewAfterMs + decideAfterMs).toBeLessThan(1_000);
  });
});

/** A server that closes the first connections without an answer, as one does whose time to rest is over. */
async function startClosing(times: number): Promise<{ url: string; close: () => void }> {
  let left = times;
  const server = createServer((request, response) => {
    left -= 1;
    if (left >= 0) request.socket.destroy();
    else response.end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${String(port)}`, close: () => server.close() };
}

describe('a check that is directed', () => {
  const control = () => createSandboxKycControl({ url: kyc.url });
  const untilTold = (status: string) => expect.poll(told).toContain(status);

  it('passes through the states between, and tells each move once', async () => {
    await put('r1', 'Review');
    await untilTold('IN_REVIEW');
    expect(await control().decide('r1', 'APPROVED')).toBe('DONE');
    expect(await control().decide('r1', 'APPROVED')).toBe('DONE');
    expect(await control().decide('r1', 'RESUBMISSION_REQUIRED')).toBe('DONE');
    expect(await control().decide('r1', 'REJECTED')).toBe('DONE');
    const expected = ['IN_REVIEW', 'APPROVED', 'RESUBMISSION_REQUIRED', 'REJECTED'];
    await expect.poll(() => [...told()].sort()).toEqual(expected.sort());
    expect(await get('r1')).toMatchObject({ status: 'REJECTED', version: 5 });
  });

  it('goes where it was ordered to before it was started, also after a restart', async () => {
    expect(await control().decide('r1', 'IN_REVIEW')).toBe('DONE');
    expect(await control().decide('r1', 'REJECTED')).toBe('DONE');
    expect(await control().decide('r1', 'EXPIRED')).toBe('NOT_POSSIBLE');
    await kyc.close();
    await start();
    await put('r1', 'Approve');
    await put('r2', 'Approve');
    await expect.poll(async () => (await get('r2')).status).toBe('APPROVED');
    expect(await get('r1')).toMatchObject({ status: 'REJECTED', version: 3 });
    await untilTold('REJECTED');
  });

  it('is directed although a connection was closed that had rested', async () => {
    const closing = await startClosing(2);
    const answer = await createSandboxKycControl({ url: closing.url }).decide('r1', 'APPROVED');
    closing.close();
    expect(answer).toBe('DONE');
  });

  it('goes nowhere that no move leads to, and is known', async () => {
    await put('r1', 'Reject');
    await untilTold('REJECTED');
    expect(await control().decide('r1', 'APPROVED')).toBe('NOT_POSSIBLE');
    expect(await get('r1')).toMatchObject({ status: 'REJECTED', version: 3 });
  });

  it('does by itself no more what its last name says, also after a restart', async () => {
    await kyc.close();
    await start({ revokeAfterMs: 2_000 });
    await put('r1', 'Revoke');
    await untilTold('APPROVED');
    await control().decide('r1', 'APPROVED');
    // Another one that is revoked after it shows that its time is over.
    await put('r2', 'Revoke');
    await expect.poll(async () => (await get('r2')).status).toBe('REVOKED');
    expect(await get('r1')).toMatchObject({ status: 'APPROVED', version: 3 });
    await kyc.close();
    await start();
    await put('r3', 'Revoke');
    await expect.poll(async () => (await get('r3')).status).toBe('REVOKED');
    expect(await get('r1')).toMatchObject({ status: 'APPROVED', version: 3 });
  });

  it('is not directed by what is no sandbox, nor while it is down', async () => {
    const elsewhere = createSandboxKycControl({ url: `${kyc.url}/elsewhere` });
    expect(await elsewhere.decide('r1', 'APPROVED')).toBe('NO_CONTROL_API');
    const before = control();
    await kyc.close();
    expect(await before.decide('r1', 'APPROVED')).toBe('SILENCE');
    await start();
  });
});
