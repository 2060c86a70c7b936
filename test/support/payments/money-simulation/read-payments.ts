import { expect } from 'vitest';
import type { PaymentHarness } from '../../payment-harness.ts';
import { DESTINATIONS, toMinor } from './currencies.ts';
import type { SimulatedPayer } from './payers.ts';

/** What a customer is told of a payment, as far as the judgement needs it. */
export interface PaymentView {
  readonly id: string;
  readonly status: string;
  readonly statusDetail: string;
  readonly amount: string;
  readonly currency: string;
  readonly source: { readonly currency: string; readonly amount: string };
  readonly return: {
    readonly amount: string;
    /** In the balance that paid. */
    readonly credited: { readonly currency: string; readonly amount: string };
  } | null;
  readonly reconciliation: { readonly status: string };
  readonly finality: { readonly state: string; readonly finalAt: string | null };
}

/** All payments of all customers, page by page, by id. */
export async function readPayments(
  { ask }: Pick<PaymentHarness, 'ask'>,
  payers: readonly SimulatedPayer[],
): Promise<ReadonlyMap<string, PaymentView>> {
  const views = new Map<string, PaymentView>();
  for (const { token } of payers) {
    let query = '/payments?limit=100';
    for (let cursor: string | null = ''; cursor !== null;) {
      const answer = await ask({ url: query, token });
      expect(answer.statusCode, answer.body).toBe(200);
      const page = answer.json<{ data: PaymentView[]; nextCursor: string | null }>();
      for (const view of page.data) views.set(view.id, view);
      cursor = page.nextCursor;
      query = `/payments?limit=100&cursor=${encodeURIComponent(cursor ?? '')}`;
    }
  }
  return views;
}

/** What a corridor says of itself. */
export interface CorridorTerms {
  /** What it takes at the most, in minor units; null without a limit. */
  readonly most: bigint | null;
  /** Banks may take charges off what comes back: a return without an amount waits for the statement. */
  readonly areReturnsDeducted: boolean;
}

/** The corridors of the simulation, by currency. */
export async function readCorridors({
  ask,
}: Pick<PaymentHarness, 'ask'>): Promise<ReadonlyMap<string, CorridorTerms>> {
  const corridors = new Map<string, CorridorTerms>();
  for (const { country, currency, rail } of DESTINATIONS) {
    const query = `country=${country}&currency=${currency}&rail=${rail}`;
    const answer = await ask({ url: `/corridors?${query}` });
    const { data } = answer.json<{
      data: { max: string | null; returnsMayBeDeducted: boolean }[];
    }>();
    expect(data).toHaveLength(1);
    const { max, returnsMayBeDeducted: areReturnsDeducted } = data[0]!;
    const most = max === null ? null : toMinor(max, currency);
    corridors.set(currency, { most, areReturnsDeducted });
  }
  return corridors;
}
