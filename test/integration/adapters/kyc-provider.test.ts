import { createServer } from 'node:http';
import type { RequestListener, Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { createHttpKycProvider } from '../../../src/adapters/kyc/http-kyc-provider.ts';
import { KycProviderError } from '../../../src/domain/parties/kyc/kyc-provider.ts';
import type { KycProvider } from '../../../src/domain/parties/kyc/kyc-provider.ts';

const REFERENCE = 'kyc_01k6b7q0e8f1htx9n3r5p7v2ab';
const OPENING = {
  reference: REFERENCE,
  type: 'INDIVIDUAL',
  firstName: 'Ada',
  lastName: 'Sample',
} as const;
const APPROVED = { id: 'chk_1', reference: REFERENCE, status: 'APPROVED', reasons: [], version: 3 };

let server: Server | undefined;

afterEach(() => {
  server?.closeAllConnections();
  server?.close();
});

async function providerThat(handler: RequestListener, timeoutMs = 5_000): Promise<KycProvider> {
  const started = createServer(handler);
  server = started;
  await new Promise<void>((resolve) => started.listen(0, '127.0.0.1', resolve));
  const { port } = started.address() as AddressInfo;
  return createHttpKycProvider({ url: `http://127.0.0.1:${String(port)}`, timeoutMs });
}

const answering = (status: number, body: unknown) =>
  providerThat((_, response) => {
    response.writeHead(status, { 'content-type': 'application/json' });
    response.end(typeof body === 'string' ? body : JSON.stringify(body));
  });

async function failureOf(work: Promise<unknown>): Promise<unknown> {
  const error = await work.then(
    () => null,
    (thrown: unknown) => thrown,
  );
  expect(error).toBeInstanceOf(KycProviderError);
  return (error as KycProviderError).code;
}

describe('a KYC provider over HTTP', () => {
  it('is told whom to verify, under our reference', async () => {
    let seen: unknown;
    const provider = await providerThat((request, response) => {
      let text = '';
      request.on('data', (chunk) => (text += String(chunk)));
      request.on('end', () => {
        seen = { method: request.method, url: request.url, body: JSON.parse(text) as unknown };
        response.writeHead(201);
        response.end(JSON.stringify({ reference: REFERENCE, url: 'https://kyc.example/p' }));
      });
    });
    expect(await provider.openCheck(OPENING)).toEqual({
      url: 'https://kyc.example/p',
      documents: [],
    });
    expect(seen).toEqual({
      method: 'PUT',
      url: `/checks/${REFERENCE}`,
      body: { type: 'INDIVIDUAL', firstName: 'Ada', lastName: 'Sample' },
    });
  });

  it('says where a check stands', async () => {
    const reasons = [{ code: 'DOCUMENT_UNREADABLE', message: 'of Ada Sample', retryable: true }];
    const provider = await answering(200, { ...APPROVED, status: 'REJECTED', reasons });
    expect(await provider.getCheck(REFERENCE)).toEqual({
      status: 'REJECTED',
      reasonCodes: ['DOCUMENT_UNREADABLE'],
      version: 3,
      expiresAt: null,
    });
  });

  it('says until when its approval holds', async () => {
    const provider = await answering(200, { ...APPROVED, expiresAt: '2027-01-31T10:00:00+02:00' });
    const { expiresAt } = (await provider.getCheck(REFERENCE)) ?? {};
    expect(expiresAt).toEqual(new Date('2027-01-31T08:00:00.000Z'));
  });

  it('has never seen a check: null, not an error', async () => {
    const provider = await answering(404, {});
    expect(await provider.getCheck(REFERENCE)).toBeNull();
  });

  it.each([
    ['not JSON', 'Ada Sample was here'],
    ['another check', { ...APPROVED, reference: 'kyc_other' }],
    ['an unknown status', { ...APPROVED, status: 'FINE' }],
    ['a status that no provider has', { ...APPROVED, status: 'NOT_STARTED' }],
    ['a version of zero', { ...APPROVED, version: 0 }],
    ['a version as text', { ...APPROVED, version: '3' }],
    ['an end of the approval that is no moment', { ...APPROVED, expiresAt: '2027-13-31' }],
    ['an end without its zone', { ...APPROVED, expiresAt: '2027-01-31T10:00:00' }],
    ['an end beyond the year 9999', { ...APPROVED, expiresAt: '9999-12-31T23:59:59-12:00' }],
    ['an end in the year 0', { ...APPROVED, expiresAt: '0000-01-01T00:00:00Z' }],
    ['an end on a day that there is not', { ...APPROVED, expiresAt: '2027-02-30T10:00:00Z' }],
    ['an end as a number', { ...APPROVED, expiresAt: 1_800_000_000 }],
    ['reasons without codes', { ...APPROVED, reasons: [{ message: 'no' }] }],
    ['more than 64 KiB', { ...APPROVED, filler: 'x'.repeat(70_000) }],
  ])('an answer that is %s is garbled and approves no end-user', async (_, body) => {
    const provider = await answering(200, body);
    expect(await failureOf(provider.getCheck(REFERENCE))).toBe('KYC_PROVIDER_GARBLED');
  });

  it('says what to ask the end-user for', async () => {
    const documents = ['IDENTITY', 'SELFIE'];
    const provider = await answering(201, {
      reference: REFERENCE,
      url: 'https://k.example',
      documents,
    });
    expect(await provider.openCheck(OPENING)).toMatchObject({ documents });
  });

  it.each([
    ['no list', 'IDENTITY'],
    ['something that no end-user is asked for', ['IDENTITY', 'BLOOD']],
    ['the same twice', ['IDENTITY', 'IDENTITY']],
    ['a name of every object', ['constructor']],
  ])('what it asks for is garbled where it is %s', async (_name, documents) => {
    const provider = await answering(201, {
      reference: REFERENCE,
      url: 'https://k.example',
      documents,
    });
    expect(await failureOf(provider.openCheck(OPENING))).toBe('KYC_PROVIDER_GARBLED');
  });

  it.each(['javascript:alert(1)', 'no url', `https://kyc.example/${'x'.repeat(3000)}`])(
    'never sends an end-user to %.30s',
    async (url) => {
      const provider = await answering(201, { reference: REFERENCE, url });
      expect(await failureOf(provider.openCheck(OPENING))).toBe('KYC_PROVIDER_GARBLED');
    },
  );

  it.each([
    [500, 'KYC_PROVIDER_FAILED'],
    [503, 'KYC_PROVIDER_FAILED'],
    [400, 'KYC_PROVIDER_REFUSED'],
    [302, 'KYC_PROVIDER_REFUSED'],
  ])('HTTP %d is %s, and nothing of its body', async (status, code) => {
    const provider = await answering(status, 'Ada Sample was here');
    expect(await failureOf(provider.getCheck(REFERENCE))).toBe(code);
  });

  it('gives up on a provider that does not answer in time', async () => {
    const provider = await providerThat(() => {}, 50);
    expect(await failureOf(provider.getCheck(REFERENCE))).toBe('KYC_PROVIDER_UNREACHABLE');
  });
});
