import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { expect } from 'vitest';
import { parseAmount } from '../../src/domain/money/amount.ts';
import type { Scope } from '../../src/domain/scope.ts';
import { fundBalance } from '../../src/modules/ledger/fund-balance.ts';
import { connectToVerify, type VerifyConnection } from '../../src/cli/verify/reader.ts';
import { verify } from '../../src/cli/verify/verify.ts';
import { approveEndUser } from './approve-end-user.ts';
import { createTestApp, type TestApp, type TestAppOverrides } from './test-app.ts';
import { addApiKey } from './test-customer.ts';

export const IBAN = 'DE89370400440532013000';
export const HOLDER = 'Ada Sample';

/** A customer that can pay: an approved end-user, an account and money. */
export interface Payer {
  readonly scope: Scope;
  readonly token: string;
  readonly endUserId: string;
  readonly kycCheckId: string;
  readonly bankAccountId: string;
}

type InjectResponse = Awaited<ReturnType<TestApp['app']['inject']>>;

export interface Ask {
  readonly method?: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  readonly url: string;
  readonly body?: object | string;
  readonly key?: string | null;
  readonly token?: string;
}

export interface PaymentHarness extends TestApp {
  readonly payer: Payer;
  /** Another customer's, or the same customer's live side. */
  addPayer(overrides: { customerId: string; environment: Scope['environment'] }): Promise<Payer>;
  /** A body of POST /payments, 10.00 EUR unless told otherwise. */
  order(overrides?: object): Record<string, unknown>;
  ask(request: Ask): Promise<InjectResponse>;
  /** POST /payments under a new key unless one is given; null sends none. */
  pay(body: object | string, key?: string | null, token?: string): Promise<InjectResponse>;
  /** An accepted payment's id. */
  accept(overrides?: object): Promise<string>;
  balance(currency?: string, scope?: Scope): Promise<{ available: string; reserved: string }>;
  /** Rows of a query that sees everything. */
  rows<Row extends object>(sql: string, values?: readonly unknown[]): Promise<Row[]>;
  /** I4 to I8 and the half of I10 that needs no Temporal, as `npm run verify` looks at them. */
  expectBooksToHold(): Promise<void>;
}

export interface PaymentHarnessOverrides extends TestAppOverrides {
  /** Major units of EUR; 1,000,000.00 unless told otherwise. */
  readonly funds?: string;
}

/** The HTTP surface on a database of its own, with a customer that can pay. */
export async function createPaymentHarness(
  overrides: PaymentHarnessOverrides = {},
): Promise<PaymentHarness> {
  const { funds = '1000000.00', ...deps } = overrides;
  const harness = await createTestApp(deps);
  const admin = new pg.Pool({ connectionString: harness.database.url, max: 2 });
  admin.on('error', () => undefined);
  const payer = await addPayer(harness, harness.scope, harness.token, funds);
  const books = keepConnected(harness.database.url);

  const ask: PaymentHarness['ask'] = async ({
    method = 'GET',
    url,
    body,
    key,
    token = payer.token,
  }) =>
    harness.app.inject({
      method,
      url: `/api/v1${url}`,
      headers: {
        authorization: `Bearer ${token}`,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...(key === undefined || key === null ? {} : { 'idempotency-key': key }),
      },
      ...(body === undefined
        ? {}
        : { payload: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
  const order: PaymentHarness['order'] = (more = {}) => ({
    endUserId: payer.endUserId,
    bankAccountId: payer.bankAccountId,
    amount: '10.00',
    currency: 'EUR',
    ...more,
  });
  const pay: PaymentHarness['pay'] = (body, key = randomUUID(), token) =>
    ask({ method: 'POST', url: '/payments', body, key, ...(token === undefined ? {} : { token }) });
  const rows: PaymentHarness['rows'] = async <Row extends object>(
    sql: string,
    values: readonly unknown[] = [],
  ) => (await admin.query<Row & pg.QueryResultRow>(sql, [...values])).rows as Row[];

  return {
    ...harness,
    payer,
    async addPayer(scope) {
      const key = await harness.database.db.system((tx) =>
        addApiKey(tx, harness.vault, { ...scope, approvedRanges: ['127.0.0.1/32'] }),
      );
      return addPayer(harness, scope, key.token, funds);
    },
    order,
    ask,
    pay,
    async accept(more) {
      const answer = await pay(order(more));
      expect(answer.statusCode, answer.body).toBe(201);
      return answer.json<{ id: string }>().id;
    },
    async balance(currency = 'EUR', { customerId, environment } = payer.scope) {
      const [row] = await rows<{ available: string; reserved: string }>(
        `SELECT available::text, reserved::text FROM balances
         WHERE customer_id = $1 AND environment = $2 AND currency = $3`,
        [customerId, environment, currency],
      );
      if (row === undefined) throw new Error(`there is no ${currency} balance`);
      return row;
    },
    rows,
    expectBooksToHold: async () => expectBooksToHold(await books.open()),
    async close() {
      await books.close();
      await admin.end();
      await harness.close();
    },
  };
}

async function addPayer(
  harness: TestApp,
  scope: Scope,
  token: string,
  funds: string,
): Promise<Payer> {
  const post = async (url: string, payload: object): Promise<string> => {
    const headers = { authorization: `Bearer ${token}` };
    const answer = await harness.app.inject({
      ...{ method: 'POST', url: `/api/v1${url}`, headers, payload },
    });
    expect(answer.statusCode, answer.body).toBe(201);
    return answer.json<{ id: string }>().id;
  };
  const individual = { firstName: 'Ada', lastName: 'Sample' };
  const endUserId = await post('/end-users', { type: 'INDIVIDUAL', individual });
  const now = harness.clock.now();
  const kycCheckId = await approveEndUser(harness.database.db, scope, endUserId, now);
  const holder = { holderName: HOLDER, holderType: 'INDIVIDUAL' };
  const account = { endUserId, country: 'DE', currency: 'EUR', details: { iban: IBAN } };
  const bankAccountId = await post('/bank-accounts', { ...account, ...holder });
  const parsed = parseAmount(funds, 'EUR');
  if (!parsed.ok) throw new Error(`funds of ${funds} EUR are unreadable`);
  const funding = { currency: 'EUR', amount: parsed.minor, rail: 'SEPA' };
  await harness.database.db.write(scope, (tx) => fundBalance(tx, scope, funding, now));
  return { scope, token, endUserId, kycCheckId, bankAccountId };
}

/** One connection for all looks at a database: planning the rules takes longer than running them. */
function keepConnected(url: string) {
  let connection: VerifyConnection | null = null;
  const close = async (): Promise<void> => {
    await connection?.close().catch(() => undefined);
    connection = null;
  };
  return {
    close,
    async open(): Promise<VerifyConnection> {
      // A test that restores its database ends every connection to it.
      await connection?.query('SELECT 1').catch(close);
      connection ??= await connectToVerify(url);
      return connection;
    },
  };
}

async function expectBooksToHold(connection: VerifyConnection): Promise<void> {
  const verdicts = await verify({
    connection,
    clientLog: null,
    isWorkflowOpen: async () => true,
    startGraceSeconds: 30,
    chains: null,
  });
  // By the test's clock a mail's time may not be over, by the computer's it is.
  const judged = verdicts.filter(({ id }) => id !== 'I17');
  expect(judged.filter((verdict) => verdict.status === 'violated')).toEqual([]);
  const held = verdicts.filter((verdict) => verdict.status === 'held').map(({ id }) => id);
  expect(held).toEqual(expect.arrayContaining(['I4', 'I5', 'I6', 'I7', 'I8']));
}
