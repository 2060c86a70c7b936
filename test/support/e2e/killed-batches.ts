import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import { until } from '../until.ts';
import { startReceiver } from '../webhooks/receiver.ts';
import type { Answer, Beneficiary, Part, Stack } from './stack.ts';

interface Batch {
  readonly id: string;
  readonly status: string;
  readonly counts: { readonly total: number; readonly pending: number };
}

interface Item {
  readonly index: number;
  readonly state: string;
  readonly paymentId: string | null;
  readonly error: { readonly error: string; readonly details: { readonly path: string }[] } | null;
}

interface Page {
  readonly data: Item[];
  readonly nextCursor: string | null;
}

/** What is wrong with a bad item, the error that it gets, and where that points. */
const WRONGS: readonly (readonly [object, string, string])[] = [
  [{ amount: '10.000' }, 'amount_precision_exceeded', '/amount'],
  [{ amount: 'ten' }, 'validation_failed', '/amount'],
  [{ currency: 'XYZ' }, 'unsupported_currency', '/currency'],
  [{ colour: 'red' }, 'validation_failed', '/colour'],
  [{ endUserId: 'eu_01k6b7q0e8f1htx9n3r5p7v2ab' }, 'resource_not_found', '/endUserId'],
  [{ currency: 'USD' }, 'currency_mismatch', '/currency'],
  [{ amount: '900000000.00' }, 'insufficient_balance', '/amount'],
];

const VICTIMS: readonly Part[] = ['worker', 'api', 'worker', 'worker', 'api'];

/** API and worker killed again and again while they work on a batch some of whose items are bad. */
export function testKilledBatch(
  stack: Stack,
  to: () => Beneficiary,
  { count, bad, kills }: { count: number; bad: number; kills: number },
): void {
  const wanted = `${String(count - bad)} of ${String(count)} items are paid, once each`;
  it(`${wanted}, whenever the parts are killed; sent again whole: the same`, async () => {
    const name = randomUUID();
    const every = Math.floor(count / bad);
    const wrongOf = (n: number) =>
      n % every === 0 && n / every < bad ? WRONGS[(n / every) % WRONGS.length] : undefined;
    const items = Array.from({ length: count }, (_none, n) => {
      const item = { idempotencyKey: `${name}-${String(n)}`, ...stack.order(to(), '1.00') };
      return { ...item, ...wrongOf(n)?.[0] };
    });
    const receiver = await startReceiver();
    const { body: endpoint } = await stack.insist<{ id: string }>('POST', '/webhook-endpoints', {
      url: receiver.url,
      types: ['payment_batch.*'],
    });
    const headers = { 'idempotency-key': name };
    const send = () => stack.insist<Batch>('POST', '/payment-batches', { items }, headers);
    const first = await send();
    expect(first.status, first.text).toBe(201);
    const { id } = first.body;
    const read = async () => (await stack.insist<Batch>('GET', `/payment-batches/${id}`)).body;

    for (let kill = 0; kill < kills; kill += 1) {
      const left = first.body.counts.pending * (1 - kill / kills);
      await until(
        'progress',
        async () => ((await read()).counts.pending <= left ? true : null),
        300_000,
      );
      await stack.kill(VICTIMS[kill % VICTIMS.length] ?? 'worker');
    }
    const done = await until(
      'the end of the batch',
      async () => {
        const batch = await read();
        return batch.status === 'COMPLETED' ? batch : null;
      },
      600_000,
    );
    expect(done.counts).toEqual({ total: count, pending: 0, accepted: count - bad, refused: bad });

    const judged = await itemsOf(stack, id);
    for (const { index, state, error } of judged) {
      const wrong = wrongOf(index);
      expect(state, String(index)).toBe(wrong === undefined ? 'ACCEPTED' : 'REFUSED');
      expect(error?.error).toBe(wrong?.[1]);
      expect(error?.details.map(({ path }) => path)).toEqual(wrong && [wrong[2]]);
    }
    const paymentIds = judged.flatMap(({ paymentId }) => paymentId ?? []);
    expect(new Set(paymentIds).size).toBe(count - bad);
    const expectPaidOnce = async (paymentId: string) => {
      await stack.untilPayment(paymentId, 'COMPLETED');
      const { executed } = await stack.journal(await stack.referenceOf(paymentId));
      expect(executed.count, paymentId).toBe(1);
    };
    const rest = [...paymentIds];
    while (rest.length > 0) await Promise.all(rest.splice(0, 20).map(expectPaidOnce));
    const [payments] = await stack.sql(
      'SELECT count(*)::integer AS n FROM payments WHERE starts_with(idempotency_key, $1)',
      [name],
    );
    expect(payments?.['n']).toBe(count - bad);
    const told = () => receiver.received.map(({ body }) => JSON.parse(body) as { type: string });
    await until('the event of its end', () =>
      told().some(({ type }) => type === 'payment_batch.completed') ? true : null,
    );
    // The same event may come twice, but there is only one.
    const events = await stack.sql(
      'SELECT type FROM events WHERE resource_id = $1 ORDER BY resource_version',
      [id],
    );
    expect(events.map((event) => event['type'])).toEqual([
      'payment_batch.created',
      'payment_batch.completed',
    ]);

    expect((await send()).text).toBe(first.text);
    const again = await stack.insist<Batch>('POST', '/payment-batches', { items });
    await until(
      'the end of the same batch',
      async () => {
        const { body } = await stack.insist<Batch>('GET', `/payment-batches/${again.body.id}`);
        return body.status === 'COMPLETED' ? true : null;
      },
      600_000,
    );
    const same = await itemsOf(stack, again.body.id);
    expect(same.map(({ state, paymentId }) => [state, paymentId])).toEqual(
      judged.map(({ state, paymentId }) => [state, paymentId]),
    );
    await stack.insist('DELETE', `/webhook-endpoints/${endpoint.id}`);
    await receiver.close();
  }, 1_500_000);
}

async function itemsOf(stack: Stack, batchId: string): Promise<Item[]> {
  const all: Item[] = [];
  let cursor: string | null = '';
  while (cursor !== null) {
    const more: string = cursor === '' ? '' : `&cursor=${cursor}`;
    const answer: Answer<Page> = await stack.insist<Page>(
      'GET',
      `/payment-batches/${batchId}/items?limit=100${more}`,
    );
    all.push(...answer.body.data);
    cursor = answer.body.nextCursor;
  }
  return all;
}
