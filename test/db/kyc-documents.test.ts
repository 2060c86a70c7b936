import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createKycActivities, KYC_POLL_TIMING } from '../../activities/kyc.ts';
import type { KycCheckRef } from '../../activities/types.ts';
import { addKycDocument } from '../../src/kyc/add-kyc-document.ts';
import { createHttpKycProvider } from '../../src/providers/kyc/http-kyc-provider.ts';
import { createSandboxKyc, type SandboxKyc } from '../../src/sandbox/kyc/sandbox-kyc.ts';
import { SECRET, SILENT, SYSTEM_CLOCK } from '../sandbox/bank-harness.ts';
import { createKycHarness, type KycHarness } from './kyc-harness.ts';

const MIB = 1024 * 1024;
const png = (bytes: number, filler = 7): Buffer => {
  const content = Buffer.alloc(bytes, filler);
  Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]).copy(content);
  return content;
};

let harness: KycHarness;
let sandbox: SandboxKyc;
let providerUrl: string;
let check: KycCheckRef;
beforeAll(async () => {
  harness = await createKycHarness();
  sandbox = await createSandboxKyc({
    ...{ journalFile: null, callbackUrl: 'http://127.0.0.1:9', callbackSecret: SECRET },
    ...{ clock: SYSTEM_CLOCK, log: SILENT },
    timings: { callbacks: { triesMax: 1, firstRetryMs: 1, retryMaxMs: 1, timeoutMs: 100 } },
  });
  await sandbox.listen(0);
});
afterAll(async () => {
  await sandbox.close();
  await harness.close();
});
beforeEach(async () => {
  providerUrl = sandbox.url;
  check = await harness.startCheck('Review');
  await activities().openKycCheck(check);
});

const activities = () =>
  createKycActivities({
    ...harness,
    providers: { test: createHttpKycProvider({ url: providerUrl }) },
    timing: KYC_POLL_TIMING,
    approvalDays: { test: 0, live: 0 },
    onKycMoved: async () => undefined,
    onProviderFailure: () => undefined,
    onContradiction: () => undefined,
  });

const add = (content: Buffer, contentType = 'image/png', ref = check) =>
  harness.db.write(harness.scope, (tx) =>
    addKycDocument(
      harness,
      tx,
      harness.scope,
      ref,
      { type: 'PASSPORT', contentType, content },
      harness.clock.now(),
    ),
  );

const stored = () =>
  harness.db.system((tx) =>
    tx.query<{ bytes: number | null; handedOn: boolean; text: string }>(
      `SELECT length(content) AS bytes, handed_on_at IS NOT NULL AS "handedOn",
         encode(content, 'escape') AS text
       FROM kyc_documents WHERE kyc_check_id = $1 ORDER BY id`,
      [check.kycCheckId],
    ),
  );

describe('a document of an end-user', () => {
  it('is kept sealed, handed on to the provider whole, and then forgotten', async () => {
    const content = png(10 * MIB, 'planted'.charCodeAt(0));
    expect(await add(content)).toHaveProperty('id');
    const [row] = await stored();
    expect(row?.bytes).toBeGreaterThan(10 * MIB);
    expect(row?.text).not.toContain('ppppppppppppppppp');
    expect(await activities().applyKycReports(check)).toMatchObject({ hasDocuments: true });
    const step = await activities().handOnKycDocuments(check);
    expect(step).not.toHaveProperty('hasDocuments');
    expect(await stored()).toMatchObject([{ bytes: null, handedOn: true }]);
  });

  it('given twice is one, and handed on twice is one at the provider', async () => {
    const first = await add(png(100));
    expect(await add(png(100))).toEqual(first);
    await activities().handOnKycDocuments(check);
    await activities().handOnKycDocuments(check);
    // What was handed on is not asked for again.
    expect(await add(png(100))).toEqual(first);
    expect(await stored()).toHaveLength(1);
  });

  it('waits while the provider cannot be reached, and no report waits with it', async () => {
    await add(png(100));
    providerUrl = 'http://127.0.0.1:9';
    const step = await activities().handOnKycDocuments(check);
    expect(step).toEqual({ kind: 'WAIT', waitMs: 1_000 });
    expect(await activities().applyKycReports(check)).toMatchObject({ hasDocuments: true });
    await harness.report(check, { providerVersion: 99, status: 'REJECTED' });
    expect(await activities().handOnKycDocuments(check)).toMatchObject({ kind: 'DONE' });
    expect(await stored()).toMatchObject([{ bytes: null, handedOn: false }]);
  });

  it('is refused where it is too large, of another kind, or the check is over', async () => {
    expect(await add(png(10 * MIB + 1))).toEqual({ problem: 'TOO_LARGE' });
    expect(await add(Buffer.from('<svg onload=alert(1)>'))).toEqual({ problem: 'WRONG_CONTENT' });
    expect(await add(png(100), 'image/svg+xml')).toEqual({ problem: 'WRONG_CONTENT' });
    expect(await add(Buffer.alloc(0))).toEqual({ problem: 'WRONG_CONTENT' });
    const stranger = await harness.startCheck();
    const foreign = { ...check, endUserId: stranger.endUserId };
    expect(await add(png(100), 'image/png', foreign)).toEqual({ problem: 'NOT_FOUND' });
    await harness.report(check, { providerVersion: 99, status: 'REJECTED' });
    await activities().applyKycReports(check);
    expect(await add(png(100))).toEqual({ problem: 'CHECK_IS_OVER' });
    expect(await stored()).toEqual([]);
  });

  it('is one of six that wait, however many come at once, and of 24 in all', async () => {
    for (let round = 0; round < 4; round += 1) {
      const answers = await Promise.all(
        Array.from({ length: 8 }, (_none, n) => add(png(100 + round * 8 + n))),
      );
      expect(answers.filter((answer) => 'id' in answer)).toHaveLength(6);
      await activities().handOnKycDocuments(check);
      expect((await stored()).filter(({ bytes }) => bytes !== null)).toEqual([]);
    }
    expect(await add(png(999))).toEqual({ problem: 'TOO_MANY' });
  });
});

describe('the sandbox provider', () => {
  const put = (content: Buffer, headers: Record<string, string> = {}, id = 'kdo_1') =>
    fetch(`${sandbox.url}/checks/${check.kycCheckId}/documents/${id}?type=PASSPORT`, {
      method: 'PUT',
      headers: { 'content-type': 'image/png', ...headers },
      body: new Uint8Array(content),
    });

  it('refuses bytes that changed on their way, and other bytes under a known id', async () => {
    const digest = 'sha-256=:47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=:';
    expect((await put(png(100), { 'content-digest': digest })).status).toBe(400);
    const provider = createHttpKycProvider({ url: sandbox.url });
    const document = { id: 'kdo_1', type: 'PASSPORT', contentType: 'image/png' } as const;
    const send = (content: Buffer) =>
      provider.putDocument(check.kycCheckId, { ...document, content });
    await send(png(100));
    await send(png(100));
    await expect(send(png(101))).rejects.toMatchObject({ code: 'KYC_PROVIDER_REFUSED' });
  });
});
