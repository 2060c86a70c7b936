/**
 * ISO 4217:2015, List One (current currency and funds codes), as maintained by SIX for ISO, state
 * of 2026-01-01: XCG has replaced ANG (2025), XAD is in, BGN is out (Bulgaria pays in EUR).
 * Codes whose minor unit is "N.A." (XAU, XDR, XTS, ...) are not here: no amount can be written in
 * them. Intl must not be asked instead: CLDR gives HUF, IDR, IQD, PKR and a dozen others no decimals.
 */
const CODES_BY_MINOR_DIGITS: ReadonlyArray<readonly [digits: number, codes: string]> = [
  [0, 'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF'],
  [
    2,
    `AED AFN ALL AMD AOA ARS AUD AWG AZN BAM BBD BDT BMD BND BOB BOV BRL BSD BTN BWP BYN BZD CAD CDF
     CHE CHF CHW CNY COP COU CRC CUP CVE CZK DKK DOP DZD EGP ERN ETB EUR FJD FKP GBP GEL GHS GIP GMD
     GTQ GYD HKD HNL HTG HUF IDR ILS INR IRR JMD KES KGS KHR KPW KYD KZT LAK LBP LKR LRD LSL MAD MDL
     MGA MKD MMK MNT MOP MRU MUR MVR MWK MXN MXV MYR MZN NAD NGN NIO NOK NPR NZD PAB PEN PGK PHP PKR
     PLN QAR RON RSD RUB SAR SBD SCR SDG SEK SGD SHP SLE SOS SRD SSP STN SVC SYP SZL THB TJS TMT TOP
     TRY TTD TWD TZS UAH USD USN UYU UZS VED VES WST XAD XCD XCG YER ZAR ZMW ZWG`,
  ],
  [3, 'BHD IQD JOD KWD LYD OMR TND'],
  [4, 'CLF UYW'],
];

const ISO_MINOR_DIGITS: ReadonlyMap<string, number> = new Map(
  CODES_BY_MINOR_DIGITS.flatMap(([digits, codes]) =>
    codes.split(/\s+/).map((code) => [code, digits] as const),
  ).sort(([a], [b]) => (a < b ? -1 : 1)),
);

/** Tokens, not ISO currencies. Six decimals: `decimals()` of the issuers' own ERC-20 contracts. */
const STABLECOIN_MINOR_DIGITS: ReadonlyMap<string, number> = new Map([
  ['EURC', 6],
  ['USDC', 6],
  ['USDT', 6],
]);

/** Is this an active ISO 4217 code (upper case) in which amounts can be written? No stablecoins. */
export function isCurrency(code: string): boolean {
  return ISO_MINOR_DIGITS.has(code);
}

/** For amounts in whatever stablecoin: all have as many decimals. */
export const ANY_STABLECOIN = 'USDC';

/** Is this one of the stablecoins that amounts may be written in? */
export function isStablecoin(code: string): boolean {
  return STABLECOIN_MINOR_DIGITS.has(code);
}

/** May amounts be in it: an active currency or a stablecoin? */
export function isMoneyCode(code: string): boolean {
  return isCurrency(code) || isStablecoin(code);
}

/** The number of decimals of an ISO currency or a stablecoin. Throws RangeError for any other code. */
export function minorDigits(code: string): number {
  const digits = ISO_MINOR_DIGITS.get(code) ?? STABLECOIN_MINOR_DIGITS.get(code);
  if (digits === undefined) throw new RangeError('unknown currency code');
  return digits;
}

/** All ISO 4217 codes of the table, in alphabetical order. No stablecoins. */
export function currencyCodes(): string[] {
  return [...ISO_MINOR_DIGITS.keys()];
}

/** All stablecoin codes, in alphabetical order. */
export function stablecoinCodes(): string[] {
  return [...STABLECOIN_MINOR_DIGITS.keys()];
}
