/** The currency that each stablecoin's issuer redeems it in, one for one. */
const ANCHORS: ReadonlyMap<string, string> = new Map([
  ['EURC', 'EUR'],
  ['USDC', 'USD'],
  ['USDT', 'USD'],
]);

/** What a stablecoin is held to; null for what is none. */
export const anchorOf = (code: string): string | null => ANCHORS.get(code) ?? null;
