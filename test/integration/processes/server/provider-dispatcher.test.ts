import { Readable } from 'node:stream';
import { once } from 'node:events';
import type { IncomingMessage, RequestListener } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { inspect } from 'node:util';
import { afterAll, describe, expect, it, onTestFinished } from 'vitest';
import { createHttpBank } from '../../../../src/adapters/http-bank/http-bank.ts';
import { createHttpKycProvider } from '../../../../src/adapters/kyc/http-kyc-provider.ts';
import {
  openProviderDispatcher,
  type ProviderAccess,
} from '../../../../src/server/runtime/provider-dispatcher.ts';
import { createAuthority } from '../../../support/certificates.ts';

const REFERENCE = 'CWAAAAAAAAAAAAAAAAAAAAAAAAAA01';
const TRANSFER = { reference: REFERENCE, encodedTransfer: Buffer.from('{"amount":"10.00"}') };
const TOKEN = 'a-token.of_the~bank+1/2=';
const TIME = { timeoutMs: 5_000 };

const bankAuthority = await createAuthority('the authority of the bank');
const otherAuthority = await createAuthority('another authority');
afterAll(() => {
  bankAuthority.remove();
  otherAuthority.remove();
});
const server = await bankAuthority.issue('server');
const client = await bankAuthority.issue('client');
const stranger = await otherAuthority.issue('stranger');
const asClient = { clientCert: client.cert, clientKey: client.key, ca: bankAuthority.ca };

/** A bank over TLS that asks every caller for a certificate of its own authority. */
async function startTlsBank(answer: RequestListener, isCertificateNeeded = true) {
  const seen: IncomingMessage[] = [];
  const bank = createServer(
    {
      cert: server.cert,
      key: server.key,
      ca: bankAuthority.ca,
      requestCert: isCertificateNeeded,
      rejectUnauthorized: isCertificateNeeded,
    },
    (request, response) => {
      seen.push(request);
      answer(request, response);
    },
  );
  bank.on('tlsClientError', () => undefined);
  await once(bank.listen(0, '127.0.0.1'), 'listening');
  onTestFinished(() => {
    bank.closeAllConnections();
    bank.close();
  });
  return { url: `https://127.0.0.1:${String((bank.address() as AddressInfo).port)}`, seen };
}

function open(access: ProviderAccess) {
  const dispatcher = openProviderDispatcher(access, 2_000);
  onTestFinished(() => dispatcher.destroy());
  return dispatcher;
}

const bankAt = (url: string, access: ProviderAccess) =>
  createHttpBank({ baseUrl: url, name: 'test', dispatcher: open(access) });

const settles: RequestListener = (_request, response) => {
  response.setHeader('content-type', 'application/json');
  response.end(JSON.stringify({ reference: REFERENCE, status: 'SETTLED' }));
};

/** Serves callers with the token, as a gateway in front of a bank does. */
const withToken =
  (answer: RequestListener): RequestListener =>
  (request, response) => {
    if (request.headers.authorization === `Bearer ${TOKEN}`) {
      answer(request, response);
    } else {
      response.writeHead(401).end();
    }
  };

const SETTLED = { kind: 'REPORT', report: { status: 'SETTLED' } };

describe('a bank behind mutual TLS', () => {
  it('pays for the certificate that it issued', async () => {
    const { url, seen } = await startTlsBank(settles);
    const answer = await bankAt(url, asClient).submit(TRANSFER, TIME);
    expect(answer).toMatchObject(SETTLED);
    expect(seen).toHaveLength(1);
  });

  it.each([
    ['without a certificate', { ca: bankAuthority.ca }],
    [
      'with the certificate of another authority',
      { ca: bankAuthority.ca, clientCert: stranger.cert, clientKey: stranger.key },
    ],
  ])('hears nothing of a caller %s, and nothing is called paid', async (_who, access) => {
    const { url, seen } = await startTlsBank(settles);
    const answer = await bankAt(url, access).submit(TRANSFER, TIME);
    // TLS 1.3 refuses a client after its first bytes: "not sent" cannot be proven.
    expect(['NOT_SENT', 'SILENCE']).toContain(answer.kind);
    expect(seen).toHaveLength(0);
  });

  it.each([
    ['another authority', { ...asClient, ca: otherAuthority.ca }],
    ["Node's own authorities", { ...asClient, ca: undefined }],
  ])('gets nothing from a caller that trusts %s: not sent', async (_who, access) => {
    const { url, seen } = await startTlsBank(settles);
    const answer = await bankAt(url, access).submit(TRANSFER, TIME);
    expect(answer).toEqual({ kind: 'NOT_SENT', why: 'TLS_FAILED' });
    expect(seen).toHaveLength(0);
  });

  it('is not trusted because NODE_TLS_REJECT_UNAUTHORIZED is 0', async () => {
    const { url, seen } = await startTlsBank(settles);
    const before = process.env['NODE_TLS_REJECT_UNAUTHORIZED'];
    process.env['NODE_TLS_REJECT_UNAUTHORIZED'] = '0';
    onTestFinished(() => {
      if (before === undefined) delete process.env['NODE_TLS_REJECT_UNAUTHORIZED'];
      else process.env['NODE_TLS_REJECT_UNAUTHORIZED'] = before;
    });
    const answer = await bankAt(url, { ...asClient, ca: otherAuthority.ca }).submit(TRANSFER, TIME);
    expect(answer).toEqual({ kind: 'NOT_SENT', why: 'TLS_FAILED' });
    expect(seen).toHaveLength(0);
  });
});

describe('a bank that checks a token', () => {
  it('finds it on every request: payment, question, list and statement', async () => {
    const { url, seen } = await startTlsBank(
      withToken((request, response) => {
        if (request.url?.startsWith('/statements?')) response.end('{"data":[]}');
        else settles(request, response);
      }),
    );
    const bank = bankAt(url, { ...asClient, token: TOKEN });
    expect(await bank.submit(TRANSFER, TIME)).toMatchObject(SETTLED);
    expect(await bank.ask(REFERENCE, TIME)).toMatchObject(SETTLED);
    expect(await bank.listStatements(0n)).toEqual([]);
    // The bank lets the request in, and its answer is no statement.
    const pieces = Readable.from(bank.readStatement('one')).toArray();
    await expect(pieces).rejects.toMatchObject({ problem: 'MALFORMED' });
    expect(seen.map((request) => request.headers['content-type'] ?? null)).toEqual([
      'application/json',
      null,
      null,
      null,
    ]);
  });

  it('refuses a wrong one, and no answer or error repeats it', async () => {
    const { url } = await startTlsBank(withToken(settles), false);
    const wrong = 'wrong-token';
    const bank = bankAt(url, { ca: bankAuthority.ca, token: wrong });
    const answer = await bank.submit(TRANSFER, TIME);
    expect(answer).toEqual({ kind: 'REFUSED', why: 'HTTP_401' });
    const pieces = Readable.from(bank.readStatement('one')).toArray();
    const error: unknown = await pieces.catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(Error);
    expect(inspect([answer, error], { depth: null })).not.toContain(wrong);
  });

  it('never gets it before it has proven who it is', async () => {
    const { url, seen } = await startTlsBank(settles, false);
    const answer = await bankAt(url, { ca: otherAuthority.ca, token: TOKEN }).submit(
      TRANSFER,
      TIME,
    );
    expect(answer).toEqual({ kind: 'NOT_SENT', why: 'TLS_FAILED' });
    expect(seen).toHaveLength(0);
  });
});

describe('a KYC provider behind mutual TLS that checks a token', () => {
  const check = { reference: 'kyc_1', status: 'APPROVED', reasons: [], version: 1 };
  const answers = withToken((_request, response) => response.end(JSON.stringify(check)));

  it('answers a caller with both', async () => {
    const { url } = await startTlsBank(answers);
    const dispatcher = open({ ...asClient, token: TOKEN });
    const provider = createHttpKycProvider({ url, dispatcher });
    expect(await provider.getCheck('kyc_1')).toMatchObject({ status: 'APPROVED' });
  });

  it.each([
    ['a wrong token', { ...asClient, token: 'wrong-token' }, 'KYC_PROVIDER_REFUSED'],
    ['no certificate', { ca: bankAuthority.ca, token: TOKEN }, 'KYC_PROVIDER_UNREACHABLE'],
    [
      'trust in another authority',
      { ...asClient, ca: otherAuthority.ca, token: TOKEN },
      'KYC_PROVIDER_UNREACHABLE',
    ],
  ])('approves nothing for a caller with %s', async (_what, access, code) => {
    const { url } = await startTlsBank(answers);
    const provider = createHttpKycProvider({ url, dispatcher: open(access) });
    const error: unknown = await provider.getCheck('kyc_1').catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ code });
    expect(inspect(error)).not.toContain(access.token);
  });
});
