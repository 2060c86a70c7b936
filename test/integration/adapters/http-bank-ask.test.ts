import { describe, expect, it } from 'vitest';
import {
  closedPort,
  http,
  connectorTo,
  reference,
  startRawBank,
} from '../../support/adapters/raw-bank.ts';

const BLANK = { bankReference: null, reason: null, returnedAmount: null, at: null };
const limit = { timeoutMs: 5_000 };

async function askTo(answer: string) {
  const bank = await startRawBank((socket) => socket.end(answer));
  return connectorTo(bank.port).ask(reference, limit);
}

describe('asking for a transfer', () => {
  it.each([
    [
      { status: 'ACCEPTED', bankReference: 'B-1' },
      { status: 'ACCEPTED', bankReference: 'B-1' },
    ],
    [
      {
        reference,
        status: 'SETTLED',
        bankReference: 'B-1',
        settledAt: '2026-11-03T10:00:00+01:00',
      },
      { status: 'SETTLED', bankReference: 'B-1', at: new Date('2026-11-03T09:00:00Z') },
    ],
    [{ status: 'SETTLED', settledAt: 'yesterday' }, { status: 'SETTLED' }],
    [
      { status: 'RETURNED', reason: 'AC04' },
      { status: 'RETURNED', reason: 'AC04' },
    ],
    [{ status: 'REJECTED' }, { status: 'REJECTED', reason: 'UNSPECIFIED' }],
  ])('%j is found', async (body, expected) => {
    expect(await askTo(http(200, body))).toEqual({
      kind: 'REPORT',
      report: { ...BLANK, ...expected },
    });
  });

  it.each([
    ['', 'an empty body'],
    ['<html>', 'HTML'],
    ['{"status":"SETTLED"}', 'a body that says otherwise'],
  ])('404 alone means that the bank never saw it (%j, %s)', async (body) => {
    expect(await askTo(http(404, body))).toEqual({ kind: 'NEVER_SEEN' });
  });

  it.each(['text/html', 'text/html; charset=utf-8', 'Text/HTML'])(
    "404 with a page for people (%s) is a gateway's, and says nothing of the transfer",
    async (type) => {
      const page = http(404, '<h1>404 Not Found</h1>', { 'content-type': type });
      expect(await askTo(page)).toEqual({ kind: 'SILENCE', why: 'GARBAGE' });
    },
  );

  it('404 cut short says nothing of the transfer', async () => {
    const half = http(404, '{"error":"not_found"}', { 'content-length': '900' });
    expect(await askTo(half)).toEqual({ kind: 'SILENCE', why: 'GARBAGE' });
  });

  it.each([
    ['no JSON', 'nothing'],
    ['another reference', { reference: 'CWB01', status: 'SETTLED' }],
    ['an unknown status', { status: 'LOST' }],
    ['null', 'null'],
  ])('%s leaves it unknown', async (_name, body) => {
    expect(await askTo(http(200, body))).toEqual({ kind: 'SILENCE', why: 'GARBAGE' });
  });

  it.each([302, 400, 401, 403, 409, 410, 500, 503])('%i leaves it unknown', async (status) => {
    expect(await askTo(http(status, { status: 'SETTLED' }))).toEqual({
      kind: 'SILENCE',
      why: `HTTP_${status}`,
    });
  });

  it('a success other than 200 leaves it unknown', async () => {
    const answer = http(201, { status: 'SETTLED' });
    expect(await askTo(answer)).toEqual({ kind: 'SILENCE', why: 'GARBAGE' });
  });

  it('a bank that cannot be reached leaves it unknown, never missing', async () => {
    const connector = connectorTo(await closedPort());
    expect(await connector.ask(reference, limit)).toEqual({
      kind: 'SILENCE',
      why: 'CONNECT_FAILED',
    });
  });

  it('a bank that hangs leaves it unknown at the deadline', async () => {
    const bank = await startRawBank(() => undefined);
    const answer = await connectorTo(bank.port).ask(reference, { timeoutMs: 200 });
    expect(answer).toEqual({ kind: 'SILENCE', why: 'TIMEOUT' });
  });
});
