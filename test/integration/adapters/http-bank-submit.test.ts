import { describe, expect, it } from 'vitest';
import {
  http,
  connectorTo,
  reference,
  transfer,
  startRawBank,
} from '../../support/adapters/raw-bank.ts';

const limit = { timeoutMs: 5_000 };
const BLANK = { bankReference: null, reason: null, returnedAmount: null, at: null };
const settled = { reference, status: 'SETTLED', bankReference: 'B-1' };

async function submitTo(answer: string) {
  const bank = await startRawBank((socket) => socket.end(answer));
  return connectorTo(bank.port).submit(transfer, limit);
}

describe('an answer that keeps the contract', () => {
  it.each([
    [200, settled, { status: 'SETTLED', bankReference: 'B-1' }],
    [
      201,
      { ...settled, status: 'ACCEPTED', more: {} },
      { status: 'ACCEPTED', bankReference: 'B-1' },
    ],
    [
      200,
      { ...settled, status: 'REJECTED', reason: 'bank-unavailable' },
      { status: 'REJECTED', bankReference: 'B-1', reason: 'BANK_UNAVAILABLE' },
    ],
    [200, { reference, status: 'REJECTED' }, { status: 'REJECTED', reason: 'UNSPECIFIED' }],
    [
      200,
      { reference, status: 'REJECTED', reason: 'Ada Sample, account 12 is closed' },
      { status: 'REJECTED', reason: 'UNSPECIFIED' },
    ],
    [200, { reference, status: 'SETTLED', bankReference: 'ü'.repeat(9) }, { status: 'SETTLED' }],
    [200, { reference, status: 'SETTLED', bankReference: 7 }, { status: 'SETTLED' }],
  ])('%i %j is taken', async (status, body, expected) => {
    expect(await submitTo(http(status, body))).toEqual({
      kind: 'REPORT',
      report: { ...BLANK, ...expected },
    });
  });

  it('was asked for with the committed bytes under the reference', async () => {
    const bank = await startRawBank((socket) => socket.end(http(200, settled)));
    await connectorTo(bank.port, { baseUrl: `http://127.0.0.1:${bank.port}/bank/` }).submit(
      transfer,
      limit,
    );
    expect(bank.requests).toHaveLength(1);
    expect(bank.requests[0]).toMatch(/^PUT \/bank\/transfers\/CWA+01 HTTP\/1.1\r\n/);
    expect(bank.requests[0]).toMatch(/content-type: application\/json\r\n/);
    expect(bank.requests[0]).toMatch(/\r\n\r\n\{"amount":"10.00"\}$/);
  });
});

describe('an answer that does not keep the contract leaves the outcome unknown', () => {
  it.each([
    ['no JSON', http(200, 'thank you')],
    ['JSON that is no object', http(200, '"SETTLED"')],
    ['an array', http(200, [settled])],
    ['another reference', http(200, { ...settled, reference: 'CWB01' })],
    ['no reference', http(200, { status: 'SETTLED' })],
    ['an unknown status', http(200, { ...settled, status: 'DONE' })],
    ['a status in lower case', http(200, { ...settled, status: 'settled' })],
    ['a status that no PUT may give', http(200, { ...settled, status: 'RETURNED' })],
    ['no status', http(200, { reference })],
    ['HTML', http(200, settled, { 'content-type': 'text/html' })],
    ['no body', http(204, '', { 'content-length': '0' })],
    ['another success', http(202, settled)],
    ['bytes that are no UTF-8', http(200, settled).replace('"B-1"', '"\xff"')],
    ['more than 64 KiB', http(200, { ...settled, more: 'x'.repeat(70_000) })],
    ['a body cut short', http(200, settled).slice(0, -5)],
    [
      'a chunked body cut short',
      'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n40\r\n{"ref',
    ],
    ['something that is no HTTP', 'SSH-2.0-OpenSSH_9.2\r\n'],
  ])('%s', async (_name, answer) => {
    const bank = await startRawBank((socket) => socket.end(Buffer.from(answer, 'latin1')));
    const answered = await connectorTo(bank.port).submit(transfer, limit);
    expect(answered).toEqual({ kind: 'SILENCE', why: 'GARBAGE' });
    expect(bank.requests).toHaveLength(1);
  });
});

describe('other statuses', () => {
  it.each([301, 302, 307, 308])(
    '%i is not followed and leaves the outcome unknown',
    async (status) => {
      const elsewhere = await startRawBank((socket) => socket.end(http(200, settled)));
      const location = `http://127.0.0.1:${elsewhere.port}/transfers/${reference}`;
      expect(await submitTo(http(status, '', { location }))).toEqual({
        kind: 'UNCLEAR',
        why: `HTTP_${status}`,
      });
      expect(elsewhere.connections).toBe(0);
    },
  );

  it.each([401, 403, 409] as const)('%i is a refusal', async (status) => {
    expect(await submitTo(http(status, settled))).toEqual({
      kind: 'REFUSED',
      why: `HTTP_${status}`,
    });
  });

  it.each([400, 404, 418, 422, 429, 500, 503, 599])(
    '%i is an answer of the bank that leaves the outcome unknown, whatever its body says',
    async (status) => {
      expect(await submitTo(http(status, settled))).toEqual({
        kind: 'UNCLEAR',
        why: `HTTP_${status}`,
      });
    },
  );

  it.each([408, 502, 504])(
    '%i is a proxy that says that the bank did not answer',
    async (status) => {
      expect(await submitTo(http(status, settled))).toEqual({
        kind: 'SILENCE',
        why: `HTTP_${status}`,
      });
    },
  );

  it('an informational answer is waited past', async () => {
    const answer = `HTTP/1.1 103 Early Hints\r\n\r\n${http(200, settled)}`;
    expect(await submitTo(answer)).toMatchObject({
      kind: 'REPORT',
      report: { status: 'SETTLED' },
    });
  });
});

describe('encoding an instruction', () => {
  it('gives the same bytes for the same instruction, in the order of the contract', () => {
    const connector = connectorTo(1);
    const creditor = {
      country: 'DE',
      name: 'Ada Sample',
      account: { iban: 'DE89370400440532013000' },
    };
    const bytes = connector.encode({
      remittance: 'Invoice 7',
      onBehalfOf: 'cus_01k6b7q0e8f1htx9n3r5p7v2ab',
      creditor,
      rail: 'SEPA',
      currency: 'EUR',
      amount: '10.00',
      reference,
    });
    expect(Buffer.from(bytes).toString()).toBe(
      '{"amount":"10.00","currency":"EUR","rail":"SEPA","creditor":{"name":"Ada Sample","account":{"iban":"DE89370400440532013000"},"country":"DE"},"remittance":"Invoice 7","onBehalfOf":"cus_01k6b7q0e8f1htx9n3r5p7v2ab"}',
    );
  });

  it.each(['../statements', 'CW 1', '', 'cw1', 'A'.repeat(36)])(
    'a reference that is not ours (%j) goes nowhere',
    async (bad) => {
      const connector = connectorTo(1);
      await expect(connector.submit({ ...transfer, reference: bad }, limit)).rejects.toThrow(
        RangeError,
      );
      await expect(connector.ask(bad, limit)).rejects.toThrow(RangeError);
    },
  );

  it.each([
    'ftp://bank.example',
    'http://user:pass@bank.example',
    'http://bank.example/?a=1',
    'bank',
  ])('a base address that is none (%s) is refused', (baseUrl) =>
    expect(() => connectorTo(1, { baseUrl })).toThrow(TypeError),
  );
});
