import { isStablecoin } from './currencies.ts';

/** What an amount is in, as the API names it: one of the two. */
type Unit = { readonly currency: string } | { readonly asset: string };

/** A stored code as the API names it: `asset` for a stablecoin, `currency` for a code of ISO 4217. */
export const unitOf = (code: string): Unit =>
  isStablecoin(code) ? { asset: code } : { currency: code };
