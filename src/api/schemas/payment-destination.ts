import { Type } from 'typebox';

/** A currency in a body. */
export const currencyInput = (description: string) =>
  Type.String({
    pattern: '^[A-Z]{3}$',
    'x-error': { pattern: 'unsupported_currency' },
    description,
    examples: ['EUR'],
  });

/** An asset in a body. */
export const assetInput = (description: string) =>
  Type.String({
    pattern: '^[A-Z]{4}$',
    'x-error': { pattern: 'unsupported_asset' },
    description,
    examples: ['USDC'],
  });

/** A field that cannot be there. */
const NONE = { not: {} };
/** A field that is described elsewhere: what a condition requires is named in it, too. */
const SOME = {};

const needs = (...names: readonly string[]) => ({
  required: [...names],
  properties: Object.fromEntries(names.map((name) => [name, SOME])),
});

/**
 * Where a payment goes: a bank account and its currency, or a wallet and an asset. A body that names a wallet or an
 * asset is meant for a wallet. Conditions of its own, so that what is missing is named beside every other problem.
 */
export const oneDestination = {
  allOf: [
    {
      if: { anyOf: [needs('walletId'), needs('asset')] },
      then: {
        required: ['walletId', 'asset'],
        properties: { walletId: SOME, asset: SOME, bankAccountId: NONE, currency: NONE },
      },
      else: needs('currency', 'bankAccountId'),
    },
    { if: needs('sourceAsset'), then: { properties: { sourceCurrency: NONE } } },
  ],
};
