import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createKycActivities } from '../../../activities/parties/kyc.ts';
import { KYC_POLL_TIMING } from '../../../src/modules/parties/kyc/advance-kyc-check.ts';
import { createReconcilerActivities } from '../../../activities/operations/reconciler.ts';
import type { KycCheckRef } from '../../../src/domain/workflows/work-refs.ts';
import type { KycDocumentType } from '../../../src/domain/parties/kyc/kyc-document.ts';
import type { WorkflowClient } from '../../../src/domain/workflows/workflow-client.ts';
import { createHttpKycProvider } from '../../../src/adapters/kyc/http-kyc-provider.ts';
import { createSandboxKyc, type SandboxKyc } from '../../../src/sandbox/kyc/sandbox-kyc.ts';
import { SECRET, SILENT, SYSTEM_CLOCK } from '../../support/sandbox/bank-harness.ts';
import { keepKycFile, openKycCheckFor, submitKycFiles } from '../../support/give-kyc-document.ts';
import { jpeg, pdf, png } from '../../support/kyc-files.ts';
import { createKycHarness, type KycHarness } from '../../support/parties/kyc-store-harness.ts';

const MIB = 1024 * 1024;
const DAY_MS = 24 * 3_600_000;

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
  await openKycCheckFor(harness, check, ['IDENTITY']);
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

const keep = (bytes: Buffer, type?: KycDocumentType) => keepKycFile(harness, check, bytes, type);
const submit = () => submitKycFiles(harness, check);
/** Lets the check ask for documents once more. */
const askAgain = async (providerVersion: number) => {
  await harness.report(check, { providerVersion, status: 'RESUBMISSION_REQUIRED' });
  await activities().applyKycReports(check);
};

const rows = <Row extends object>(sql: string) =>
  harness.db.system((tx) => tx.query<Row>(sql, [check.kycCheckId]));
const kept = () =>
  rows<{ type: string; contentType: string; bytes: number; sealed: number; text: string }>(
    `SELECT type, content_type AS "contentType", byte_count AS bytes, length(content) AS sealed,
       encode(content, 'escape') AS text FROM kyc_uploads WHERE kyc_check_id = $1 ORDER BY type`,
  );
const stored = () =>
  rows<{ bytes: number | null; handedOn: boolean; text: string | null }>(
    `SELECT length(content) AS bytes, handed_on_at IS NOT NULL AS "handedOn",
       encode(content, 'escape') AS text
     FROM kyc_documents WHERE kyc_check_id = $1 ORDER BY id`,
  );

describe('a file that an end-user uploads', () => {
  it('is kept sealed, and no worker sees it until it is submitted', async () => {
    expect(await keep(png(5_000, 'p'))).toBeNull();
    const [row] = await kept();
    expect(row).toMatchObject({ type: 'PASSPORT', contentType: 'image/png', bytes: 5_000 });
    expect(row?.sealed).toBeGreaterThan(5_000);
    expect(row?.text).not.toContain('ppppppppp');
    expect(await activities().applyKycReports(check)).not.toHaveProperty('hasDocuments');
    await activities().handOnKycDocuments(check);
    expect([await kept(), await stored()]).toMatchObject([[{ type: 'PASSPORT' }], []]);
  });

  it('takes the place of the one before it of its type, and of no other', async () => {
    await keep(png(200), 'ID_CARD_FRONT');
    await keep(png(300), 'ID_CARD_BACK');
    expect(await keep(jpeg(), 'ID_CARD_FRONT')).toBeNull();
    expect(await kept()).toMatchObject([
      { type: 'ID_CARD_BACK', contentType: 'image/png', bytes: 300 },
      { type: 'ID_CARD_FRONT', contentType: 'image/jpeg' },
    ]);
  });

  it('is known by its bytes alone, and what hides behind a picture is not kept', async () => {
    const archive = Buffer.from('PK\x03\x04 and a program');
    expect(await keep(Buffer.concat([jpeg(), archive]))).toBeNull();
    expect(await keep(Buffer.concat([png(400), archive]), 'SELFIE')).toBeNull();
    expect(await keep(pdf(), 'OTHER')).toBeNull();
    expect((await kept()).map(({ contentType, bytes }) => [contentType, bytes])).toEqual([
      ['application/pdf', pdf('', '').length],
      ['image/jpeg', jpeg().length],
      ['image/png', 400],
    ]);
  });

  it('is refused where it is empty, too large or of another kind, and what was there stays', async () => {
    await keep(png(10 * MIB));
    expect(await keep(Buffer.alloc(0))).toBe('EMPTY');
    expect(await keep(png(10 * MIB + 1))).toBe('TOO_LARGE');
    expect(await keep(Buffer.from('<svg onload=alert(1)>'))).toBe('WRONG_CONTENT');
    expect(await kept()).toMatchObject([{ type: 'PASSPORT', bytes: 10 * MIB }]);
  });

  it('is one of six, however many come at once', async () => {
    const types: KycDocumentType[] = [
      ...(['PASSPORT', 'ID_CARD_FRONT', 'ID_CARD_BACK', 'SELFIE', 'OTHER'] as const),
      ...(['DRIVING_LICENCE_FRONT', 'DRIVING_LICENCE_BACK', 'RESIDENCE_PERMIT'] as const),
    ];
    const answers = await Promise.all(types.map((type, n) => keep(png(200 + n), type)));
    expect(answers.filter((answer) => answer === null)).toHaveLength(6);
    expect(answers.filter((answer) => answer === 'TOO_MANY')).toHaveLength(2);
    expect(await kept()).toHaveLength(6);
  });

  it('opens nothing once its link has run out, and is erased with it', async () => {
    await keep(png(200));
    harness.clock.advance(DAY_MS);
    await expect(keep(png(201))).rejects.toThrow('opens nothing');
    await reconcile();
    expect(await kept()).toEqual([]);
  });

  it('goes with the check: a decision leaves none', async () => {
    await keep(png(200));
    await harness.report(check, { providerVersion: 99, status: 'REJECTED' });
    await activities().applyKycReports(check);
    expect(await keep(png(200))).toBe('NOT_ASKED');
    expect(await kept()).toEqual([]);
  });
});

describe('a submission', () => {
  it('is complete, or says what is missing and does nothing', async () => {
    await keep(png(200), 'ID_CARD_FRONT');
    expect(await submit()).toEqual({ kind: 'INCOMPLETE', missing: ['IDENTITY'] });
    expect(await kept()).toHaveLength(1);
    await keep(png(201), 'ID_CARD_BACK');
    expect(await submit()).toEqual({ kind: 'SUBMITTED' });
    expect([await kept(), await stored()]).toMatchObject([[], [{}, {}]]);
  });

  it('of many at once counts once: one set of documents, one move, one event', async () => {
    await keep(png(200));
    const answers = await Promise.all(Array.from({ length: 20 }, () => submit()));
    expect(answers.filter(({ kind }) => kind === 'SUBMITTED')).toHaveLength(1);
    expect(await stored()).toHaveLength(1);
    expect(await harness.standing(check)).toMatchObject({ status: 'IN_REVIEW', version: 2 });
    expect(await harness.events(check.kycCheckId)).toEqual(['1 kyc.pending', '2 kyc.in_review']);
    expect(await keep(png(201))).toBe('NOT_ASKED');
  });

  it('that fails in between leaves everything as it was', async () => {
    await keep(png(200));
    await harness.refuseChangesOf(check.kycCheckId);
    await expect(submit()).rejects.toThrow('refused by the test');
    await harness.refuseChangesOf(null);
    expect([await kept(), await stored()]).toMatchObject([[{ type: 'PASSPORT' }], []]);
    expect(await harness.standing(check)).toMatchObject({ status: 'PENDING', version: 1 });
    expect(await submit()).toEqual({ kind: 'SUBMITTED' });
  });

  it('whose connection is killed in between leaves everything as it was', async () => {
    await keep(png(200));
    await harness.killAtChangesOf(check.kycCheckId);
    await expect(submit()).rejects.toThrow();
    await harness.killAtChangesOf(null);
    expect([await kept(), await stored()]).toMatchObject([[{ type: 'PASSPORT' }], []]);
    expect(await submit()).toEqual({ kind: 'SUBMITTED' });
  });

  it('is handed on whole, and then forgotten', async () => {
    await keep(png(10 * MIB, 'planted'));
    await submit();
    const [row] = await stored();
    expect(row?.bytes).toBeGreaterThan(10 * MIB);
    expect(row?.text).not.toContain('plantedplanted');
    expect(await activities().applyKycReports(check)).toMatchObject({ hasDocuments: true });
    const step = await activities().handOnKycDocuments(check);
    expect(step).not.toHaveProperty('hasDocuments');
    await activities().handOnKycDocuments(check);
    expect(await stored()).toMatchObject([{ bytes: null, handedOn: true }]);
  });

  it('waits while the provider cannot be reached, and no report waits with it', async () => {
    await keep(png(200));
    await submit();
    providerUrl = 'http://127.0.0.1:9';
    const step = await activities().handOnKycDocuments(check);
    expect(step).toEqual({ kind: 'WAIT', waitMs: 1_000 });
    expect(await activities().applyKycReports(check)).toMatchObject({ hasDocuments: true });
    await harness.report(check, { providerVersion: 99, status: 'REJECTED' });
    expect(await activities().handOnKycDocuments(check)).toMatchObject({ kind: 'DONE' });
    expect(await stored()).toMatchObject([{ bytes: null, handedOn: false }]);
  });

  it('that no provider takes is erased when its time is over, and not before', async () => {
    await keep(png(200));
    await submit();
    harness.clock.advance(30 * DAY_MS - 1);
    await reconcile();
    expect(await stored()).toMatchObject([{ bytes: expect.any(Number) }]);
    harness.clock.advance(1);
    await reconcile();
    expect(await stored()).toMatchObject([{ bytes: null, handedOn: false }]);
  });

  it('may be asked for again: other documents, up to 24 of a check, and not the same ones', async () => {
    for (let round = 0; round < 4; round += 1) {
      const types = ['PASSPORT', 'SELFIE', 'OTHER', 'ID_CARD_FRONT', 'ID_CARD_BACK'] as const;
      for (const [n, type] of [...types, 'RESIDENCE_PERMIT' as const].entries()) {
        expect(await keep(png(200 + round * 10 + n), type)).toBeNull();
      }
      expect(await submit()).toEqual({ kind: 'SUBMITTED' });
      await activities().handOnKycDocuments(check);
      await askAgain(10 + round);
      expect(await keep(png(200 + round * 10))).toBe(round < 3 ? 'SAME_AS_BEFORE' : 'TOO_MANY');
      expect(await submit()).toEqual({ kind: 'INCOMPLETE', missing: [] });
    }
    expect(await stored()).toHaveLength(24);
  });
});

/** One run of the reconciler, which has nothing to start here. */
async function reconcile(): Promise<void> {
  const workflows = { restartKycCheck: async () => undefined } as unknown as WorkflowClient;
  const { restartUnfinished } = createReconcilerActivities({
    ...{ db: harness.db, clock: harness.clock, workflows, chains: [], lostAfterMs: 10_000 },
    raiseUnknownReference: () => undefined,
    payOnDeposit: async () => undefined,
    notifyOperators: () => Promise.resolve(),
    tellPaymentApprovers: () => Promise.resolve(),
    tellOfOverdue: () => Promise.resolve(),
    sealAuditLog: () => Promise.resolve(),
  });
  await restartUnfinished();
}

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
