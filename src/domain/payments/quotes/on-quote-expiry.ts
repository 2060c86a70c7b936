/** What becomes of a payment of which nothing was sent while its rate was held. */
export const ON_QUOTE_EXPIRY = ['FAIL', 'REQUOTE'] as const;
