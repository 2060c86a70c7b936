import { Readable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { closedPort, http, connectorTo, startRawBank } from '../../support/adapters/raw-bank.ts';
import { fixture } from '../../support/adapters/iso20022/statement-reading.ts';

const summary = (sequence: number | string, more = {}) => ({
  id: `S-${sequence}`,
  sequence,
  account: 'A-1',
  from: '2026-11-03T00:00:00Z',
  to: '2026-11-03T00:00:05Z',
  ...more,
});

async function listFrom(answer: string, after = 0n) {
  const bank = await startRawBank((socket) => socket.end(answer));
  return connectorTo(bank.port).listStatements(after);
}

describe('the list of statements', () => {
  it('comes in order, without those already known, sequences as whole numbers', async () => {
    const bank = await startRawBank((socket) =>
      socket.end(http(200, { data: [summary(9), summary('10'), summary(3), summary(4)] })),
    );
    const list = await connectorTo(bank.port).listStatements(3n);
    expect(list.map(({ id, sequence }) => [id, sequence])).toEqual([
      ['S-4', 4n],
      ['S-9', 9n],
      ['S-10', 10n],
    ]);
    expect(bank.requests[0]).toMatch(/^GET \/statements\?after=3 /);
  });

  it.each([
    ['no list', {}],
    ['a broken sequence', { data: [summary(1.5)] }],
    ['an id that leads elsewhere', { data: [summary(1, { id: '../transfers' })] }],
    ['no period', { data: [summary(1, { from: null })] }],
    ['an account that is no text', { data: [summary(1, { account: 7 })] }],
  ])('%s is refused as a whole', async (_name, body) => {
    await expect(listFrom(http(200, body))).rejects.toMatchObject({ why: 'GARBAGE' });
  });

  it('a bank in trouble is named by a code', async () => {
    await expect(listFrom(http(500, ''))).rejects.toMatchObject({ why: 'HTTP_500' });
    const connector = connectorTo(await closedPort());
    await expect(connector.listStatements(0n)).rejects.toMatchObject({ why: 'CONNECT_FAILED' });
  });
});

describe('a statement', () => {
  it('streams into the parser', async () => {
    const xml = fixture('german-v02.xml').toString('utf8');
    const bank = await startRawBank((socket) =>
      socket.end(http(200, xml, { 'content-type': 'application/xml' })),
    );
    let lines = 0;
    for await (const part of connectorTo(bank.port).readStatement('S-1')) {
      if (part.kind === 'line') lines += 1;
    }
    expect(lines).toBe(7);
    expect(bank.requests[0]).toMatch(/^GET \/statements\/S-1 /);
  });

  async function drain(answer: string, limits = {}, isOpenLeft = false) {
    const bank = await startRawBank((socket) => {
      if (isOpenLeft) socket.write(answer);
      else socket.end(answer);
    });
    await Readable.from(connectorTo(bank.port, { limits }).readStatement('S-1')).toArray();
  }

  it('that is too large is broken off', async () => {
    const limits = { statementBytesMax: 1_000 };
    await expect(drain(http(200, ' '.repeat(2_000)), limits)).rejects.toMatchObject({
      name: 'StatementUnreadable',
      problem: 'TOO_LARGE',
    });
  });

  it('that is cut short is an error, not a shorter statement', async () => {
    const cut = http(200, ' '.repeat(2_000)).slice(0, -1);
    await expect(drain(cut)).rejects.toMatchObject({ name: 'SourceUnreadable' });
  });

  it('that stops coming is given up', async () => {
    const begun = http(200, ' '.repeat(2_000)).slice(0, -1);
    const limits = { statementIdleTimeoutMs: 200 };
    await expect(drain(begun, limits, true)).rejects.toMatchObject({ why: 'TIMEOUT' });
  });

  it('that is not there is an error', async () => {
    await expect(drain(http(404, 'no'))).rejects.toMatchObject({ why: 'HTTP_404' });
  });

  it('whose id would lead elsewhere is not asked for', () => {
    expect(() => connectorTo(1).readStatement('..')).toThrow(RangeError);
  });
});
