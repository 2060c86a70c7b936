import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createKycActivities } from '../../../activities/parties/kyc.ts';
import { KYC_POLL_TIMING } from '../../../src/modules/parties/kyc/advance-kyc-check.ts';
import { findKycCheck } from '../../../src/db/parties/kyc-check-store.ts';
import { kycCheckRow } from '../../../src/modules/parties/kyc/kyc-link.ts';
import { KycProviderError } from '../../../src/domain/parties/kyc/kyc-provider.ts';
import type {
  KycOpening,
  KycProvider,
  ProviderCheck,
} from '../../../src/domain/parties/kyc/kyc-provider.ts';
import { createKycHarness, type KycHarness } from '../../support/parties/kyc-store-harness.ts';

let harness: KycHarness;
let opened: KycOpening[];
let answer: ProviderCheck | null;
let failure: KycProviderError | null;
let moved: string[];
let failures: string[];
let put: string[];
let contradicted: number[];

beforeAll(async () => {
  harness = await createKycHarness();
});
afterAll(() => harness.close());
beforeEach(() => {
  opened = [];
  moved = [];
  failures = [];
  put = [];
  contradicted = [];
  answer = { status: 'PENDING', reasonCodes: [], version: 1, expiresAt: null };
  failure = null;
});

const provider: KycProvider = {
  async openCheck(opening) {
    if (failure !== null) throw failure;
    opened.push(opening);
    return { url: `https://kyc.example/${opening.reference}`, documents: [] };
  },
  async putDocument(_reference, { id, type, content }) {
    if (failure !== null) throw failure;
    put.push(`${id} ${type} ${String(content.byteLength)}`);
  },
  async getCheck() {
    if (failure !== null) throw failure;
    return answer;
  },
};

const activities = () =>
  createKycActivities({
    ...harness,
    providers: { test: provider },
    timing: KYC_POLL_TIMING,
    approvalDays: { test: 0, live: 0 },
    onContradiction: (_kycCheckId, version) => void contradicted.push(version),
    onKycMoved: async (_scope, endUserId, status) => void moved.push(`${endUserId} ${status}`),
    onProviderFailure: (code) => void failures.push(code),
  });

async function providerUrl(kycCheckId: string): Promise<string | null> {
  const row = await harness.db.read(harness.scope, (tx) =>
    findKycCheck(tx, harness.scope, kycCheckId),
  );
  if (!row?.providerUrl) return null;
  return harness.vault.of(row).open(row.providerUrl, kycCheckRow(kycCheckId)).toString();
}

describe('opening a check', () => {
  it('tells the provider who it is, under our id, and keeps its page', async () => {
    const check = await harness.startCheck('Review');
    expect(await activities().openKycCheck(check)).toEqual({ kind: 'WAIT', waitMs: 1_000 });
    expect(opened).toMatchObject([
      { reference: check.kycCheckId, type: 'INDIVIDUAL', firstName: 'Ada', lastName: 'Review' },
    ]);
    expect(await providerUrl(check.kycCheckId)).toBe(`https://kyc.example/${check.kycCheckId}`);
  });

  it('tells of a business every person, and of no person how to reach them', async () => {
    const contacts = { email: 'planted@example.com', phone: '+4930000000' };
    const address = { line1: '1 Sample Street', city: 'Berlin', country: 'DE' };
    const ada = { firstName: 'Ada', lastName: 'Sample', dateOfBirth: '1990-01-01' };
    const taxIds = [{ country: 'DE', number: '00000000000' }];
    const grace = { firstName: 'Grace', lastName: 'Example', nationality: 'FR', taxIds };
    const check = await harness.startCheckOf({
      type: 'BUSINESS',
      ...{ ...contacts, address, externalId: 'planted-id', metadata: { planted: 'metadata' } },
      business: { legalName: 'Sample Ltd', registrationNumber: 'HRB 1', persons: [ada, grace] },
    });
    await activities().openKycCheck(check);
    expect(JSON.parse(JSON.stringify(opened))).toEqual([
      {
        ...{ reference: check.kycCheckId, type: 'BUSINESS', ...ada, address },
        ...{ legalName: 'Sample Ltd', registrationNumber: 'HRB 1', persons: [ada, grace] },
      },
    ]);
  });

  it('run twice has the effect of once', async () => {
    const check = await harness.startCheck();
    await activities().openKycCheck(check);
    const before = await harness.standing(check);
    await activities().openKycCheck(check);
    expect(await harness.standing(check)).toEqual(before);
    expect(await harness.events(check.kycCheckId)).toHaveLength(1);
  });

  it('is not asked for where a report has decided already', async () => {
    const check = await harness.startCheck();
    await harness.report(check, { providerVersion: 3, status: 'APPROVED' });
    expect(await activities().openKycCheck(check)).toEqual({ kind: 'DONE', status: 'APPROVED' });
    expect(opened).toEqual([]);
  });

  it('fails with a closed code where the provider does, for Temporal to repeat', async () => {
    const check = await harness.startCheck();
    failure = new KycProviderError('KYC_PROVIDER_UNREACHABLE');
    await expect(activities().openKycCheck(check)).rejects.toMatchObject({
      code: 'PROVIDER_UNREACHABLE',
    });
    expect(failures).toEqual(['KYC_PROVIDER_UNREACHABLE']);
  });

  it('of a check that does not exist is NOT_FOUND for good', async () => {
    const check = await harness.startCheck();
    const ghost = { ...check, kycCheckId: 'kyc_01k6b7q0e8f1htx9n3r5p7v2ab' };
    await expect(activities().openKycCheck(ghost)).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });
});

describe('asking the provider', () => {
  it('applies the answer and tells the payments that wait for the end-user', async () => {
    const check = await harness.startCheck();
    answer = { status: 'APPROVED', reasonCodes: [], version: 3, expiresAt: null };
    expect(await activities().pollKycCheck(check)).toEqual({ kind: 'DONE', status: 'APPROVED' });
    expect(moved).toEqual([`${check.endUserId} APPROVED`]);
  });

  it('run twice has the effect of once', async () => {
    const check = await harness.startCheck();
    answer = {
      status: 'RESUBMISSION_REQUIRED',
      reasonCodes: ['DOCUMENT_EXPIRED'],
      version: 3,
      expiresAt: null,
    };
    const first = await activities().pollKycCheck(check);
    const before = await harness.standing(check);
    expect(await activities().pollKycCheck(check)).toEqual(first);
    expect(await harness.standing(check)).toEqual(before);
    expect(await harness.effects(check)).toEqual(['APPLIED']);
  });

  it('hears of a provider that says something else of the same version', async () => {
    const check = await harness.startCheck();
    answer = { status: 'RESUBMISSION_REQUIRED', reasonCodes: [], version: 3, expiresAt: null };
    await activities().pollKycCheck(check);
    answer = { status: 'REJECTED', reasonCodes: [], version: 3, expiresAt: null };
    expect(await activities().pollKycCheck(check)).toEqual({ kind: 'DONE', status: 'REJECTED' });
    expect(contradicted).toEqual([3]);
  });

  it('waits 1 s, then twice as long each time, 10 s at the most', async () => {
    const check = await harness.startCheck();
    const pauses: number[] = [];
    for (let time = 0; time < 6; time += 1) {
      const step = await activities().pollKycCheck(check);
      const waitMs = step.kind === 'WAIT' ? step.waitMs : 0;
      pauses.push(waitMs);
      harness.clock.advance(waitMs);
    }
    expect(pauses).toEqual([1_000, 1_000, 2_000, 4_000, 8_000, 10_000]);
  });

  it('opens the check again where the provider has never seen it', async () => {
    const check = await harness.startCheck();
    answer = null;
    expect((await activities().pollKycCheck(check)).kind).toBe('WAIT');
    expect(opened).toHaveLength(1);
  });

  it('does not keep a report waiting while the provider cannot be reached', async () => {
    const check = await harness.startCheck();
    await harness.report(check, { providerVersion: 3, status: 'REJECTED' });
    failure = new KycProviderError('KYC_PROVIDER_FAILED');
    expect(await activities().pollKycCheck(check)).toEqual({ kind: 'DONE', status: 'REJECTED' });
  });
});

describe('applying reports', () => {
  it('tells of a revocation after the approval', async () => {
    const check = await harness.startCheck();
    await harness.report(check, { providerVersion: 3, status: 'APPROVED' });
    await activities().applyKycReports(check);
    await harness.report(check, { providerVersion: 4, status: 'REVOKED' });
    expect(await activities().applyKycReports(check)).toEqual({ kind: 'DONE', status: 'REVOKED' });
    expect(moved).toEqual([`${check.endUserId} APPROVED`, `${check.endUserId} REVOKED`]);
  });

  it('run twice has the effect of once, and tells again in case the first telling was lost', async () => {
    const check = await harness.startCheck();
    await harness.report(check, { providerVersion: 3, status: 'APPROVED' });
    await activities().applyKycReports(check);
    const before = await harness.standing(check);
    await activities().applyKycReports(check);
    expect(await harness.standing(check)).toEqual(before);
    expect(moved).toEqual([`${check.endUserId} APPROVED`, `${check.endUserId} APPROVED`]);
  });

  it('reads on past the first fifty', async () => {
    const check = await harness.startCheck();
    for (let version = 2; version < 62; version += 1) {
      await harness.report(check, { providerVersion: version, status: 'IN_REVIEW' });
    }
    await harness.report(check, { providerVersion: 62, status: 'APPROVED' });
    expect(await activities().applyKycReports(check)).toEqual({ kind: 'DONE', status: 'APPROVED' });
  });
});
