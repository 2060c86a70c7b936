import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createFrontendReader, type FrontendMessage } from '../../bench/proxy/frontend-reader.ts';
import { createTransactionReader, type Transaction } from '../../bench/proxy/transaction-reader.ts';
import { workOf } from '../../bench/proxy/work-of.ts';

const withLength = (body: Buffer): Buffer => {
  const length = Buffer.alloc(4);
  length.writeUInt32BE(body.length + 4);
  return Buffer.concat([length, body]);
};
const message = (type: string, body: Buffer): Buffer =>
  Buffer.concat([Buffer.from(type), withLength(body)]);
const zero = (text: string): Buffer => Buffer.from(`${text}\0`);
const code = (value: number): Buffer => {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
};

const SSL_REQUEST = withLength(code(80_877_103));
const STARTUP = withLength(Buffer.concat([code(196_608), zero('user'), zero('ada'), zero('')]));
const query = (text: string) => message('Q', zero(text));
const parse = (name: string, text: string) =>
  message('P', Buffer.concat([zero(name), zero(text), Buffer.alloc(2)]));
const bind = (name: string) =>
  message('B', Buffer.concat([zero(''), zero(name), Buffer.from('QES')]));
const execute = message('E', Buffer.concat([zero(''), Buffer.alloc(4)]));
const sync = message('S', Buffer.alloc(0));
const password = message('p', zero('Q is no query'));

const CONVERSATION = Buffer.concat([
  ...[SSL_REQUEST, STARTUP, password, query('BEGIN')],
  ...[parse('one', 'SELECT $1 -- ü'), bind('one'), execute, sync],
  ...[bind('one'), execute, sync, query('COMMIT')],
]);

function readAll(chunks: readonly Buffer[]): FrontendMessage[] {
  const messages: FrontendMessage[] = [];
  const read = createFrontendReader((one) => messages.push(one));
  for (const chunk of chunks) read(chunk);
  return messages;
}

function transactionsOf(...chunks: Buffer[]): Transaction[] {
  const transactions: Transaction[] = [];
  const read = createFrontendReader(
    createTransactionReader((transaction) => transactions.push(transaction)),
  );
  for (const chunk of [STARTUP, ...chunks]) read(chunk);
  return transactions;
}

describe("the proxy's reading of PostgreSQL's protocol", () => {
  it('finds what the client says, past the encryption request and the password', () => {
    expect(readAll([CONVERSATION])).toEqual([
      { kind: 'QUERY', text: 'BEGIN' },
      { kind: 'PARSE', statement: 'one', text: 'SELECT $1 -- ü' },
      { kind: 'BIND', portal: '', statement: 'one' },
      { kind: 'EXECUTE', portal: '' },
      { kind: 'SYNC' },
      { kind: 'BIND', portal: '', statement: 'one' },
      { kind: 'EXECUTE', portal: '' },
      { kind: 'SYNC' },
      { kind: 'QUERY', text: 'COMMIT' },
    ]);
  });

  it('finds the same wherever the network cuts the bytes', () => {
    const whole = readAll([CONVERSATION]);
    const cuts = fc.array(fc.nat(CONVERSATION.length), { maxLength: 20 });
    fc.assert(
      fc.property(cuts, (places) => {
        const ends = [...places, CONVERSATION.length].sort((a, b) => a - b);
        const chunks = ends.map((end, nth) => CONVERSATION.subarray(ends[nth - 1] ?? 0, end));
        expect(readAll(chunks)).toEqual(whole);
      }),
    );
  });
});

describe('what a payout costs', () => {
  it('counts a prepared statement each time that it runs, BEGIN and COMMIT as well', () => {
    const [transaction, ...others] = transactionsOf(
      CONVERSATION.subarray(SSL_REQUEST.length + STARTUP.length),
    );
    expect(others).toEqual([]);
    expect(transaction).toEqual({
      statements: ['BEGIN', 'SELECT $1 -- ü', 'SELECT $1 -- ü', 'COMMIT'],
      roundTrips: 4,
      end: 'COMMIT',
      isWrite: true,
    });
  });

  it('tells the commit of a write from the end of a look', () => {
    const ends = transactionsOf(
      ...['BEGIN READ ONLY', 'SELECT 1', 'COMMIT', 'BEGIN', 'SELECT 1', 'ROLLBACK'].map(query),
      query('SELECT 1 FOR UPDATE'),
      query("UPDATE balances SET available = '1'"),
      query('BEGIN; SELECT 1; COMMIT'),
      query('SELECT id FROM record_batch_in_webhook_drain($1)'),
      query('SELECT id FROM look_in_webhook_drain($1)'),
    ).map(({ end, isWrite }) => [end, isWrite]);
    expect(ends).toEqual([
      ['COMMIT', false],
      ['ROLLBACK', true],
      ['COMMIT', false],
      ['COMMIT', true],
      ['COMMIT', true],
      ['COMMIT', true],
      ['COMMIT', false],
    ]);
  });

  const SCOPE = "SELECT set_config('causeway.customer', $1, true)";
  it.each([
    ['accept', ['SELECT id FROM find_api_key($1)']],
    ['accept', ['BEGIN', SCOPE, 'INSERT INTO payments (id) VALUES ($1)', 'COMMIT']],
    ['settle', ['BEGIN', SCOPE, 'SELECT id FROM payments FOR UPDATE', 'COMMIT']],
    ['settle', ['BEGIN', 'UPDATE payments SET version = 2', 'COMMIT']],
    ['deliveries', ['BEGIN READ ONLY', SCOPE, 'SELECT 1 FROM webhook_deliveries', 'COMMIT']],
    ['deliveries', ['SELECT id FROM look_in_webhook_drain($1, $2, $3, $4, $5) AS found']],
    ['other', ['BEGIN', 'SELECT id FROM payments WHERE created_at < $1', 'COMMIT']],
  ])('counts for %s: %j', (work, statements) => {
    expect(workOf({ statements })).toBe(work);
  });
});
