import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { nowMs } from '../clock.ts';
import type { Payer } from './payer.ts';

/** Decimal text in EUR: what every payment of the bench is for. */
export const AMOUNT = '1.00';

/** One accepted payment; moments by `nowMs`. */
export interface Accepted {
  readonly id: string;
  /** When the POST that was answered 201 began. */
  readonly postedAtMs: number;
  readonly acceptedAtMs: number;
}

/** When to stop: after so many payments, or so many seconds after the first POST. */
export type LoadEnd = { readonly payments: number } | { readonly seconds: number };

const TRIES_MAX = 50;
const AGAIN_MS = 100;

/**
 * Every payer posts one payment after the other until the end. Answers what was accepted, in the
 * order of the answers. Throws for a refusal; a busy engine (5xx, 409) is asked again with the same key.
 */
export async function postPayments(
  payers: readonly Payer[],
  end: LoadEnd,
  signal: AbortSignal,
): Promise<Accepted[]> {
  const accepted: Accepted[] = [];
  const startedAtMs = nowMs();
  let begun = 0;
  const mayBegin = () => {
    if (signal.aborted) return false;
    if ('seconds' in end) return nowMs() - startedAtMs < end.seconds * 1_000;
    begun += 1;
    return begun <= end.payments;
  };
  await Promise.all(
    payers.map(async (payer) => {
      while (mayBegin()) accepted.push(await postPayment(payer));
    }),
  );
  return accepted;
}

/** Posts one payment until it is accepted. */
export async function postPayment({ api, to }: Payer): Promise<Accepted> {
  const order = { ...to, amount: AMOUNT, currency: 'EUR', reference: 'Bench payment' };
  const headers = { 'idempotency-key': randomUUID() };
  for (let tries = 1; ; tries += 1) {
    const postedAtMs = nowMs();
    const { status, text } = await api.send('POST', '/payments', order, headers);
    const acceptedAtMs = nowMs();
    if (status === 201) {
      const { id } = JSON.parse(text) as { id: string };
      return { id, postedAtMs, acceptedAtMs };
    }
    const isBusy = status >= 500 || status === 409;
    if (!isBusy || tries === TRIES_MAX) {
      throw new Error(`POST /payments answered ${String(status)}: ${text}`);
    }
    await pause(AGAIN_MS);
  }
}
