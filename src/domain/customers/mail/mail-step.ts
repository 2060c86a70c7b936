/** What follows a try of a mail: nothing, or another one after a while. */
export type MailStep =
  { readonly kind: 'DONE' } | { readonly kind: 'WAIT'; readonly waitMs: number };
