export const QUOTE_STATUSES = ['ACTIVE', 'CONSUMED', 'EXPIRED'] as const;

export type QuoteStatus = (typeof QUOTE_STATUSES)[number];

/** What a quote is at a time. Nothing is written when one expires: the clock alone says so. */
export function quoteStatusAt(
  now: Date,
  { consumedAt, expiresAt }: { readonly consumedAt: Date | null; readonly expiresAt: Date },
): QuoteStatus {
  if (consumedAt !== null) return 'CONSUMED';
  return now >= expiresAt ? 'EXPIRED' : 'ACTIVE';
}
