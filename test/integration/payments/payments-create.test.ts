import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createPaymentHarness, type PaymentHarness } from '../../support/payment-harness.ts';

let harness: PaymentHarness;
beforeAll(async () => {
  harness = await createPaymentHarness();
});
afterAll(async () => {
  await harness.expectBooksToHold();
  await harness.close();
});

const tellOf = (answer: {
  json: () => { error: string; details?: { path: string; code: string }[] };
}) => {
  const { error, details = [] } = answer.json();
  return [error, ...details.map(({ path, code }) => `${path} ${code}`)];
};

describe('POST /payments answers 201', () => {
  it('a new payment is PROCESSING, with everything that was ordered and nothing that was not', async () => {
    const answer = await harness.pay(
      harness.order({
        externalId: 'invoice-4711',
        reference: 'Invoice 4711',
        purpose: 'SALA',
        metadata: { invoice: '4711' },
      }),
      'key-1',
    );
    expect(answer.statusCode).toBe(201);
    const now = harness.clock.now().toISOString();
    expect(answer.json()).toEqual({
      id: expect.stringMatching(/^pay_[0-9a-z]{26}$/),
      kind: 'PAYOUT',
      status: 'PROCESSING',
      statusDetail: 'QUEUED',
      fundsStatus: 'HELD',
      finality: { state: 'NONE', finalAt: null, dueAt: null },
      cancelable: true,
      scheduledFor: null,
      releaseAt: null,
      endUserId: harness.payer.endUserId,
      bankAccountId: harness.payer.bankAccountId,
      walletId: null,
      network: null,
      preliminary: false,
      rail: 'SEPA',
      amount: '10.00',
      currency: 'EUR',
      quoteId: null,
      source: { currency: 'EUR', amount: '10.00' },
      rate: null,
      rateHeldUntil: null,
      // The end of Wednesday in Frankfurt.
      expectedArrival: { at: '2026-09-30T22:00:00.000Z', reason: null },
      onQuoteExpiry: null,
      maxSourceAmount: null,
      requoteUntil: null,
      fees: [],
      funding: {
        ...{ type: 'BALANCE', asset: null, network: null, address: null },
        ...{ amountDue: null, amountReceived: null, expiresAt: null, refundWalletId: null },
      },
      externalId: 'invoice-4711',
      purpose: 'SALA',
      failure: null,
      return: null,
      references: [{ type: 'END_TO_END_ID', value: expect.stringMatching(/^CW[0-9A-Z]{26}01$/) }],
      reconciliation: { status: 'PENDING', evidence: null },
      version: 1,
      createdAt: now,
      updatedAt: now,
      idempotencyKey: 'key-1',
      reference: 'Invoice 4711',
      metadata: { invoice: '4711' },
      statusHistory: [{ status: 'PROCESSING', statusDetail: 'QUEUED', at: now, version: 1 }],
    });
    expect(answer.headers['idempotent-replayed']).toBeUndefined();
    expect(answer.headers['x-request-id']).toMatch(/^req_/);
  });

  it('the history of a payment says which API key made it', async () => {
    const { id } = (await harness.pay(harness.order())).json<{ id: string }>();
    const actors = await harness.rows(
      `SELECT h.actor FROM payment_history h JOIN api_keys k
         ON k.customer_id = h.customer_id AND h.actor = 'api-key:' || k.id
       WHERE h.payment_id = $1 AND h.version = 1`,
      [id],
    );
    expect(actors).toHaveLength(1);
  });

  it('GET reads a new payment as POST answered it', async () => {
    const made = await harness.pay(harness.order());
    const read = await harness.ask({ url: `/payments/${made.json<{ id: string }>().id}` });
    expect(read.statusCode).toBe(200);
    expect(read.json()).toEqual(made.json());
  });

  it.each([
    ['10', '10.00'],
    ['"10"', '10.00'],
    ['10.5', '10.50'],
    ['0.01', '0.01'],
    ['"10.00"', '10.00'],
    // A double would make it 0.29999999999999998.
    ['0.30', '0.30'],
  ])('to the amount %s, shown as %s', async (written, shown) => {
    const body = JSON.stringify(harness.order({ amount: 'AMOUNT' })).replace('"AMOUNT"', written);
    const answer = await harness.pay(body);
    expect(answer.statusCode).toBe(201);
    expect(answer.json()).toMatchObject({ amount: shown });
  });

  it.each(['x', '!', '~', 'a b', 'k'.repeat(255)])('to the key %j', async (key) => {
    expect((await harness.pay(harness.order(), key)).statusCode).toBe(201);
  });
});

describe('POST /payments answers 400', () => {
  it.each([
    ['10.000', 'amount_precision_exceeded', '/amount amount_precision_exceeded'],
    ['"10.000"', 'amount_precision_exceeded', '/amount amount_precision_exceeded'],
    ['0.001', 'amount_precision_exceeded', '/amount amount_precision_exceeded'],
    ['1e2', 'validation_failed', '/amount format'],
    ['1E2', 'validation_failed', '/amount format'],
    ['-1', 'validation_failed', '/amount format'],
    ['0', 'validation_failed', '/amount not_positive'],
    ['"0.00"', 'validation_failed', '/amount not_positive'],
    ['1000000000000', 'validation_failed', '/amount too_large'],
    ['"1000000000000.00"', 'validation_failed', '/amount too_large'],
    [`1${'0'.repeat(60)}`, 'validation_failed', '/amount too_large'],
    // Beyond what a double holds it is no number to the schema any more.
    [`1${'0'.repeat(400)}`, 'validation_failed', '/amount validation_failed'],
  ])('to the amount %s', async (written, error, detail) => {
    const body = JSON.stringify(harness.order({ amount: 'AMOUNT' })).replace('"AMOUNT"', written);
    const answer = await harness.pay(body);
    expect(answer.statusCode).toBe(400);
    expect(tellOf(answer)).toEqual([error, detail]);
  });

  it.each([
    '"-1"',
    '"+1"',
    '"1e2"',
    '" 10"',
    '"10,00"',
    '".5"',
    '"5."',
    '"01"',
    '""',
    'null',
    'true',
    '[]',
  ])('to the amount %s, which no schema fits', async (written) => {
    const body = JSON.stringify(harness.order({ amount: 'AMOUNT' })).replace('"AMOUNT"', written);
    const answer = await harness.pay(body);
    expect(answer.statusCode).toBe(400);
    const [error, ...details] = tellOf(answer);
    expect(error).toBe('validation_failed');
    expect(details.every((detail) => detail.startsWith('/amount '))).toBe(true);
    // In words that say what would be taken, not how a schema is built.
    expect(answer.json().message).toContain('a number or decimal text');
  });

  it.each([
    ['JPY', '1000.5'],
    ['JPY', '"1000.0"'],
    ['KWD', '1.0001'],
    ['KWD', '"1.0000"'],
  ])('to more decimals than %s has: %s', async (currency, written) => {
    const order = harness.order({ amount: 'AMOUNT', currency });
    const answer = await harness.pay(JSON.stringify(order).replace('"AMOUNT"', written));
    expect(tellOf(answer)).toEqual([
      'amount_precision_exceeded',
      '/amount amount_precision_exceeded',
    ]);
  });

  it.each(['XYZ', 'eur', 'EURO', ''])('to the currency %j', async (currency) => {
    const answer = await harness.pay(harness.order({ currency }));
    expect(answer.statusCode).toBe(400);
    expect(tellOf(answer)).toEqual(['unsupported_currency', '/currency unsupported_currency']);
  });

  it('to several problems, naming each', async () => {
    const { currency: _currency, ...order } = harness.order({ amount: '1e2', colour: 'red' });
    const answer = await harness.pay({ ...order, purpose: 'salary!' });
    expect(answer.statusCode).toBe(400);
    const [error, ...details] = tellOf(answer);
    expect(error).toBe('validation_failed');
    const paths = details.map((detail) => detail.split(' ')[0]);
    expect(new Set(paths)).toEqual(new Set(['/amount', '/colour', '/currency', '/purpose']));
  });

  it.each([
    ['a repeated key', '{"amount":"10.00","amount":"99.00"}'],
    ['no JSON', '{"amount":'],
    ['two values', '{} {}'],
  ])('invalid_json to %s', async (_what, body) => {
    const answer = await harness.pay(body);
    expect(answer.statusCode).toBe(400);
    expect(answer.json()).toMatchObject({ error: 'invalid_json' });
  });

  it('no metadata that keeps to its bounds: any script, separators of lines, 40 characters beyond the BMP', async () => {
    const metadata = {
      ['\u{1f600}'.repeat(40)]: 'x'.repeat(500),
      'a\u2028b': '',
      'a\tb': '',
      ключ: 'значение',
    };
    const answer = await harness.pay(harness.order({ metadata }));
    expect(answer.statusCode, answer.body).toBe(201);
    expect(answer.json()).toMatchObject({ metadata });
  });

  it('to a reference of more than 140 characters and metadata beyond its bounds', async () => {
    const wrong: [object, string][] = [
      [{ reference: 'x'.repeat(141) }, '/reference'],
      [{ externalId: 'x'.repeat(256) }, '/externalId'],
      [{ metadata: { k: 'x'.repeat(501) } }, '/metadata/k'],
      [{ metadata: { ['k'.repeat(41)]: 'v' } }, `/metadata/${'k'.repeat(41)}`],
      [{ metadata: { '': 'v' } }, '/metadata/'],
      [{ metadata: { 'a\nb': 'v' } }, '/metadata/a\ufffdb'],
      [
        { metadata: Object.fromEntries(Array.from({ length: 51 }, (_n, i) => [`k${i}`, 'v'])) },
        '/metadata',
      ],
      [
        {
          metadata: Object.fromEntries(
            Array.from({ length: 20 }, (_n, i) => [`k${i}`, 'v'.repeat(450)]),
          ),
        },
        '/metadata',
      ],
      [{ metadata: { k: 1 } }, '/metadata/k'],
    ];
    for (const [overrides, path] of wrong) {
      const answer = await harness.pay(harness.order(overrides));
      expect(answer.statusCode).toBe(400);
      const { details } = answer.json<{ details: { path: string }[] }>();
      expect(details[0]?.path.startsWith(path), JSON.stringify(details)).toBe(true);
    }
  });

  it('idempotency_key_required without a key', async () => {
    const answer = await harness.pay(harness.order(), null);
    expect(answer.statusCode).toBe(400);
    expect(answer.json()).toMatchObject({ error: 'idempotency_key_required' });
  });

  it.each(['', 'k'.repeat(256), 'schl\u00fcssel', 'a\tb'])(
    'invalid_idempotency_key to %j',
    async (key) => {
      const answer = await harness.pay(harness.order(), key);
      expect(answer.statusCode).toBe(400);
      expect(answer.json()).toMatchObject({ error: 'invalid_idempotency_key' });
    },
  );
});

describe('POST /payments answers 401, 403, 413 and 415', () => {
  it('without a key, with too narrow a key, to too much and to what is no JSON', async () => {
    const url = '/api/v1/payments';
    const { headers } = harness;
    const post = (more: object) => harness.app.inject({ method: 'POST', url, ...more });
    expect((await post({ payload: {} })).json()).toMatchObject({ error: 'missing_api_key' });
    const large = JSON.stringify({ reference: 'x'.repeat(65 * 1024) });
    const json = { ...headers, 'content-type': 'application/json', 'idempotency-key': 'k' };
    const tooLarge = await post({ headers: json, payload: large });
    expect([tooLarge.statusCode, tooLarge.json().error]).toEqual([413, 'payload_too_large']);
    const text = { ...headers, 'content-type': 'text/plain', 'idempotency-key': 'k' };
    const unsupported = await post({ headers: text, payload: 'amount=10' });
    expect(unsupported.statusCode).toBe(415);
  });
});
