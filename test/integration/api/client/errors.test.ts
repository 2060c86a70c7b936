import { inspect } from 'node:util';
import { Causeway, CausewayError, type Attempt } from 'causeway/client';
import { describe, expect, it } from 'vitest';
import {
  answer,
  besideApi,
  hangUp,
  LIVE_KEY,
  refuse,
  TEST_KEY,
} from '../../../support/api/client/scripted-api.ts';

const BASE = { apiKey: TEST_KEY, baseUrl: 'https://pay.example.com' };
const SECRET = 'PlantedSecretOfAKey';

describe('an error of the API', () => {
  it('is thrown with its code, details, request and key', async () => {
    const details = [{ path: '/amount', code: 'validation_failed', message: 'Of a test.' }];
    const body = { error: 'validation_failed', message: 'Of a test.', details, requestId: 'req_a' };
    await besideApi([answer(400, body)], async ({ causeway }) => {
      const call = causeway.quotes.create({ lockFor: '1m' }, { idempotencyKey: 'of-a-test' });
      await expect(call).rejects.toMatchObject({
        ...{ name: 'CausewayApiError', status: 400, error: 'validation_failed', details },
        ...{ requestId: 'req_a', retryAfterSeconds: null, idempotencyKey: 'of-a-test' },
        ...{ operation: 'createQuote', attempts: 1, isOutcomeUnknown: false },
        message: 'Of a test. (validation_failed, status 400, request req_a)',
      });
      await expect(call).rejects.toBeInstanceOf(CausewayError);
    });
  });

  it('may have a code that this version does not know', async () => {
    await besideApi([refuse(422, 'of_a_later_version')], async ({ causeway }) => {
      await expect(causeway.quotes.get('quo_sample')).rejects.toMatchObject({
        error: 'of_a_later_version',
      });
    });
  });

  it('that is a page of something in between is an error all the same', async () => {
    const act = answer(403, '<html>Blocked</html>', { 'x-request-id': 'req_b' });
    await besideApi([act], async ({ causeway }) => {
      await expect(causeway.quotes.get('quo_sample')).rejects.toMatchObject({
        ...{ status: 403, error: 'unexpected_answer', requestId: 'req_b', details: [] },
      });
    });
  });
});

describe('the API key', () => {
  it('is in no text of the client, of its errors and of its attempts', async () => {
    const texts: unknown[] = [];
    const onAttempt = (attempt: Attempt) => texts.push(attempt);
    await besideApi(
      [refuse(422, 'insufficient_balance'), hangUp],
      async ({ causeway }) => {
        texts.push(causeway, causeway.payments);
        for (const maxRetries of [0, 1]) {
          await causeway.balances
            .list({}, { maxRetries })
            .page()
            .catch((error: unknown) => texts.push(error));
        }
      },
      { onAttempt },
    );
    expect(texts).toHaveLength(7);
    for (const one of texts) {
      expect(inspect(one, { showHidden: true, depth: 10 })).not.toContain(SECRET);
      expect(JSON.stringify(one)).not.toContain(SECRET);
      expect(one instanceof Error ? (one.stack ?? '') : '').not.toContain(SECRET);
    }
  });

  it('is refused where it cannot be one, without being told', () => {
    for (const apiKey of ['', SECRET, `cw_test_${SECRET}\n`, `Bearer ${TEST_KEY}`]) {
      const make = () => new Causeway({ ...BASE, apiKey });
      expect(make).toThrow(TypeError);
      expect(make).toThrow(/^apiKey must be the text of an API key/);
    }
  });

  it('of live is not taken into a page, nor sent in the clear to another machine', () => {
    const live = { ...BASE, apiKey: LIVE_KEY };
    const platform = globalThis as Record<string, unknown>;
    expect(new Causeway(live)).toBeInstanceOf(Causeway);
    for (const page of [{ window: {}, document: {} }, { importScripts: () => undefined }]) {
      Object.assign(platform, page);
      try {
        expect(() => new Causeway(live)).toThrow('a live key must stay on your servers');
        expect(new Causeway(BASE)).toBeInstanceOf(Causeway);
      } finally {
        for (const name of Object.keys(page)) Reflect.deleteProperty(platform, name);
      }
    }
    const clear = { ...live, baseUrl: 'http://pay.example.com' };
    expect(() => new Causeway(clear)).toThrow('a live key is sent over https alone');
    expect(new Causeway({ ...clear, allowHttp: true })).toBeInstanceOf(Causeway);
    expect(new Causeway({ ...live, baseUrl: 'http://127.0.0.1:8080' })).toBeInstanceOf(Causeway);
    expect(new Causeway({ ...clear, apiKey: TEST_KEY })).toBeInstanceOf(Causeway);
  });
});

describe('what cannot be sent', () => {
  it('is refused before it is sent', async () => {
    await besideApi([answer(200)], async ({ causeway, received }) => {
      for (const id of ['', '.', '..']) {
        await expect(causeway.payments.get(id)).rejects.toThrow('paymentId must be an id');
      }
      for (const idempotencyKey of ['', 'ä', 'a\nb', 'a'.repeat(256)]) {
        await expect(causeway.payments.cancel('pay_a', { idempotencyKey })).rejects.toThrow(
          'idempotencyKey must be 1 to 255',
        );
      }
      for (const ifVersion of [0, 1.5, Number.NaN]) {
        await expect(causeway.endUsers.close('eu_a', { ifVersion })).rejects.toThrow('ifVersion');
      }
      await expect(causeway.payments.get('pay_a', { timeoutMs: 0 })).rejects.toThrow('timeoutMs');
      expect(received).toEqual([]);
    });
  });

  it('is an address that is none of an installation', () => {
    const bad = [
      ...['', 'pay.example.com', 'ftp://pay.example.com', 'https://a:b@pay.example.com'],
      ...['https://pay.example.com/api/v1', 'https://pay.example.com/api/v1/'],
      ...['https://pay.example.com/?a=b', 'https://pay.example.com/#a'],
    ];
    for (const baseUrl of bad) expect(() => new Causeway({ ...BASE, baseUrl })).toThrow(/baseUrl/);
  });
});

it('an attempt is told to the program, whose own faults hide no answer', async () => {
  const told: Attempt[] = [];
  const onAttempt = (attempt: Attempt) => {
    told.push(attempt);
    throw new Error('the log is full');
  };
  const replayed = { 'x-request-id': 'req_c', 'idempotent-replayed': 'true' };
  await besideApi(
    [hangUp, answer(200, { id: 'pay_a' }, replayed)],
    async ({ causeway }) => {
      expect(await causeway.payments.cancel('pay_a')).toEqual({ id: 'pay_a' });
    },
    { onAttempt },
  );
  const operation = 'cancelPayment';
  expect(told).toEqual([
    { operation, number: 1, status: null, requestId: null, isReplayed: false, durationMs: 0 },
    { operation, number: 2, status: 200, requestId: 'req_c', isReplayed: true, durationMs: 0 },
  ]);
});

it('a path in front of the API is kept', async () => {
  await besideApi([answer(200)], async ({ baseUrl, received }) => {
    const causeway = new Causeway({ ...BASE, baseUrl: `${baseUrl}/causeway/` });
    await causeway.payments.get('pay_a');
    expect(received[0]?.url).toBe('/causeway/api/v1/payments/pay_a');
    expect(received[0]?.headers.authorization).toBe(`Bearer ${TEST_KEY}`);
  });
});

it('an answer that is a file is text', async () => {
  const csv = answer(200, 'date,amount\r\n', { 'content-type': 'text/csv; charset=utf-8' });
  await besideApi([csv], async ({ causeway }) => {
    const text = await causeway.balanceStatements.get('EUR', '2026-11-22', { format: 'csv' });
    expect(text).toBe('date,amount\r\n');
  });
});
