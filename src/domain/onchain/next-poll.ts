/** What the workflow that polls a chain does next: end until it is woken, or poll again after a while. */
export type NextPoll =
  { readonly kind: 'IDLE' } | { readonly kind: 'WAIT'; readonly waitMs: number };
