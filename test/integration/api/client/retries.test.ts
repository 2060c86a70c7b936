import { CausewayApiError, CausewayConnectionError, type Causeway } from 'causeway/client';
import { describe, expect, it } from 'vitest';
import type { Act } from '../../../support/api/client/scripted-api.ts';
import {
  answer,
  besideApi,
  fallSilent,
  hangUp,
  refuse,
} from '../../../support/api/client/scripted-api.ts';

const PAYMENT = { endUserId: 'eu_sample', bankAccountId: 'ba_sample', amount: '10.00' };
const DONE = answer(201, { id: 'pay_sample' });
const READ = answer(200, { id: 'pay_sample' });
const GONE = answer(204, '');

/** What the call threw. */
async function failureOf(
  call: Promise<unknown>,
): Promise<CausewayApiError | CausewayConnectionError> {
  const error: unknown = await call.then(
    () => null,
    (thrown: unknown) => thrown,
  );
  if (error instanceof CausewayApiError || error instanceof CausewayConnectionError) return error;
  throw new Error('it did not fail as a call does', { cause: error });
}

/** How often a call is sent whose first attempt ends so, and whose second would be done. */
async function attemptsAfter(act: Act, call: (causeway: Causeway) => Promise<unknown>) {
  return besideApi([act, READ], async ({ causeway, received }) => {
    await call(causeway).catch(() => undefined);
    return received.length;
  });
}

describe('a payment whose answer is lost', () => {
  const losses = {
    'the connection breaks': hangUp,
    'nothing is answered': fallSilent,
    'the answer is cut short': answer(201, '{"id": "pay_'),
    'the service fails': refuse(500, 'internal_error'),
    'a proxy finds no service': answer(502, '<html>Bad gateway</html>'),
    'the service is away': refuse(503, 'service_unavailable'),
    'a proxy waits in vain': answer(504, ''),
    'the first one is still under way': refuse(409, 'idempotency_key_in_progress'),
  };
  for (const [loss, act] of Object.entries(losses)) {
    it(`is sent again under the same key and with the same bytes where ${loss}`, async () => {
      await besideApi(
        [act, act, DONE],
        async ({ causeway, received }) => {
          const payment = await causeway.payments.create(PAYMENT);
          expect(payment.id).toBe('pay_sample');
          expect(received).toHaveLength(3);
          expect(new Set(received.map(({ body }) => body))).toEqual(
            new Set([JSON.stringify(PAYMENT)]),
          );
          const keys = new Set(received.map(({ headers }) => headers['idempotency-key']));
          expect([...keys]).toEqual([expect.stringMatching(/^[0-9a-f-]{36}$/)]);
        },
        { timeoutMs: 500 },
      );
    });
  }

  it('is given up after the retries that there are, and says with which key to go on', async () => {
    await besideApi([hangUp], async ({ causeway, received }) => {
      const error = await failureOf(
        causeway.payments.create(PAYMENT, { idempotencyKey: 'invoice-4711', maxRetries: 2 }),
      );
      expect(error).toMatchObject({
        ...{ name: 'CausewayConnectionError', fault: 'connection', attempts: 3 },
        ...{ idempotencyKey: 'invoice-4711', isOutcomeUnknown: true, operation: 'createPayment' },
      });
      expect(error.message).toContain('send the same again with the idempotencyKey of this error');
      expect(received.map(({ headers }) => headers['idempotency-key'])).toEqual(
        Array.from({ length: 3 }, () => 'invoice-4711'),
      );
    });
  });

  it('may be made although it is refused afterwards: the first one may be on its way still', async () => {
    for (const act of [refuse(422, 'insufficient_balance'), refuse(401, 'api_key_expired')]) {
      await besideApi([hangUp, act], async ({ causeway }) => {
        const error = await failureOf(causeway.payments.create(PAYMENT));
        expect(error).toMatchObject({ attempts: 2, isOutcomeUnknown: true });
      });
    }
  });

  it('and whose key is still at work after the last retry may be made all the same', async () => {
    await besideApi(
      [refuse(409, 'idempotency_key_in_progress')],
      async ({ causeway, received }) => {
        const error = await failureOf(causeway.payments.create(PAYMENT));
        expect(error).toMatchObject({ status: 409, attempts: 4, isOutcomeUnknown: true });
        expect(error.idempotencyKey).toBe(received[0]?.headers['idempotency-key']);
      },
    );
  });

  it('has another key in every call', async () => {
    await besideApi([DONE], async ({ causeway, received }) => {
      await causeway.payments.create(PAYMENT);
      await causeway.payments.create(PAYMENT);
      const [first, second] = received.map(({ headers }) => headers['idempotency-key']);
      expect(first).not.toBe(second);
    });
  });
});

describe('what is sent again', () => {
  const read = (causeway: Causeway) => causeway.payments.get('pay_sample');
  const validate = (causeway: Causeway) => causeway.payments.validate(PAYMENT);
  const patch = (ifVersion?: number) => (causeway: Causeway) =>
    causeway.endUsers.update('eu_sample', { email: null }, { ifVersion });
  const remove = (causeway: Causeway) => causeway.webhookEndpoints.delete('whe_sample');
  const ping = (causeway: Causeway) => causeway.webhookEndpoints.test('whe_sample');

  it('is what a second time does no harm to, once an answer is lost', async () => {
    expect(await attemptsAfter(hangUp, read)).toBe(2);
    expect(await attemptsAfter(hangUp, validate)).toBe(2);
    expect(await attemptsAfter(hangUp, patch(7))).toBe(2);
    expect(await attemptsAfter(hangUp, remove)).toBe(2);
    expect(await attemptsAfter(hangUp, patch())).toBe(1);
    expect(await attemptsAfter(hangUp, ping)).toBe(1);
    expect(await attemptsAfter(refuse(500, 'internal_error'), patch())).toBe(1);
  });

  it('is all that was surely not done', async () => {
    for (const act of [refuse(429, 'rate_limited'), answer(408, '')]) {
      for (const call of [read, validate, patch(), patch(7), remove, ping]) {
        expect(await attemptsAfter(act, call)).toBe(2);
      }
    }
  });

  it('is nothing that was refused, and nothing that a redirect leads elsewhere', async () => {
    const refusals = [
      ...[refuse(400, 'validation_failed'), refuse(401, 'invalid_api_key')],
      ...[refuse(404, 'not_found'), refuse(409, 'quote_already_used')],
      ...[refuse(412, 'precondition_failed'), refuse(422, 'insufficient_balance')],
      answer(307, '', { location: 'http://127.0.0.1:9/' }),
    ];
    for (const act of refusals) {
      expect(await attemptsAfter(act, read)).toBe(1);
      expect(await attemptsAfter(act, (causeway) => causeway.payments.create(PAYMENT))).toBe(1);
    }
  });

  it('counts a deletion as done that a lost attempt has done, and no other', async () => {
    const missing = refuse(404, 'not_found');
    await besideApi([hangUp, missing], async ({ causeway }) => {
      await expect(remove(causeway)).resolves.toBeUndefined();
    });
    const elsewhere = answer(404, '<html>Not found</html>');
    await besideApi([hangUp, elsewhere], async ({ causeway }) => {
      expect(await failureOf(remove(causeway))).toMatchObject({ isOutcomeUnknown: true });
    });
    await besideApi([missing], async ({ causeway }) => {
      expect(await failureOf(remove(causeway))).toMatchObject({ status: 404, error: 'not_found' });
    });
    await besideApi([GONE], async ({ causeway }) => {
      await expect(remove(causeway)).resolves.toBeUndefined();
    });
  });
});

describe('the wait before the next attempt', () => {
  const waitsOf = (acts: readonly Act[], maxRetries?: number) =>
    besideApi(acts, async ({ causeway, waits }) => {
      await causeway.payments.get('pay_sample', { maxRetries }).catch(() => undefined);
      return waits;
    });

  it('is random, doubles at each attempt, and ends at eight seconds', async () => {
    expect(await waitsOf([hangUp], 7)).toEqual([250, 500, 1_000, 2_000, 4_000, 4_000, 4_000]);
  });

  it('is what Retry-After says, in seconds or as a date, and a little more', async () => {
    const seconds = refuse(429, 'rate_limited', { 'retry-after': '7' });
    const date = refuse(503, 'service_unavailable', {
      'retry-after': 'Mon, 23 Nov 2026 12:00:09 GMT',
    });
    const past = refuse(503, 'service_unavailable', {
      'retry-after': 'Mon, 23 Nov 2026 11:00:00 GMT',
    });
    const nonsense = refuse(503, 'service_unavailable', { 'retry-after': 'soon' });
    expect(await waitsOf([seconds, date, past, nonsense, READ], 4)).toEqual([
      7_250, 9_250, 250, 2_000,
    ]);
  });

  it('is the caller’s to plan where Retry-After asks for more than a minute', async () => {
    const act = refuse(429, 'rate_limited', { 'retry-after': '61' });
    await besideApi([act, READ], async ({ causeway, received, waits }) => {
      const error = await failureOf(causeway.payments.get('pay_sample'));
      expect(error).toMatchObject({ error: 'rate_limited', retryAfterSeconds: 61, attempts: 1 });
      expect([received.length, waits]).toEqual([1, []]);
    });
  });
});

describe('a signal', () => {
  it('ends a call that waits for its answer, and says that the outcome is not known', async () => {
    const ending = new AbortController();
    const leave: Act = () => ending.abort(new Error('the program ends'));
    await besideApi([leave], async ({ causeway, received }) => {
      const error = await failureOf(causeway.payments.create(PAYMENT, { signal: ending.signal }));
      expect(error).toMatchObject({ fault: 'aborted', attempts: 1, isOutcomeUnknown: true });
      expect(error.cause).toBe(ending.signal.reason);
      expect(error.idempotencyKey).toBe(received[0]?.headers['idempotency-key']);
    });
  });

  it('that was given before sends nothing', async () => {
    await besideApi([DONE], async ({ causeway, received }) => {
      const signal = AbortSignal.abort();
      const error = await failureOf(causeway.payments.create(PAYMENT, { signal }));
      expect(error).toMatchObject({ fault: 'aborted', attempts: 0, isOutcomeUnknown: false });
      expect(error.message).toContain('Nothing was sent');
      expect(received).toEqual([]);
    });
  });

  it('ends the wait between two attempts', async () => {
    const ending = new AbortController();
    const clock = {
      now: () => 0,
      wait: async (_ms: number, signal: AbortSignal | undefined) => {
        ending.abort();
        signal?.throwIfAborted();
      },
    };
    await besideApi(
      [hangUp, DONE],
      async ({ causeway, received }) => {
        const error = await failureOf(causeway.payments.create(PAYMENT, { signal: ending.signal }));
        expect(error).toMatchObject({ fault: 'aborted', attempts: 1, isOutcomeUnknown: true });
        expect(received).toHaveLength(1);
      },
      { clock },
    );
  });
});
