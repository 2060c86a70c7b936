import { expect } from 'vitest';

/** Where a currency's payments of the simulation go. */
export interface Destination {
  readonly currency: string;
  readonly country: string;
  readonly rail: string;
  readonly decimals: number;
  /** Held to this currency: both move together, or the guard refuses the rate. */
  readonly heldTo: string;
  /** So little of it is there that payments are refused for want of money. */
  readonly isScarce: boolean;
}

/** Currency, country and rail; decimals where they are not two; what it is held to. */
const ROWS = `
  EUR DE SEPA            | USD US ACH             | GBP GB FPS            | AED AE UAEFTS 2 USD
  ARS AR CBU             | AUD AU BECS            | BDT BD BEFTN          | BHD BH FAWRI_PLUS 3 USD
  BRL BR PIX             | BWP BW SWIFT           | CAD CA EFT            | CHF CH SIC
  CLP CL TEF 0           | CNY CN CNAPS           | COP CO ACH_CO         | CZK CZ CERTIS
  DKK DK STRAKS 2 EUR    | EGP EG IPN             | GHS GH GIP            | GNF GN MOBILE_MONEY 0
  HKD HK FPS_HK 2 USD    | HUF HU GIRO_HU         | IDR ID BI_FAST        | ILS IL MASAV
  INR IN IMPS            | ISK IS SWIFT 0         | JOD JO CLIQ 3 USD     | JPY JP ZENGIN 0
  KES KE PESALINK        | KRW KR KFTC 0          | KWD KW SWIFT 3        | LSL LS MOBILE_MONEY 2 ZAR
  MXN MX SPEI            | MYR MY DUITNOW         | NGN NG NIP            | NOK NO NICS
  OMR OM SWIFT 3 USD     | PHP PH INSTAPAY        | PLN PL ELIXIR         | SEK SE BANKGIROT
  SGD SG FAST            | THB TH PROMPTPAY       | TND TN SWIFT 3        | UGX UG MOBILE_MONEY 0
  XOF SN MOBILE_MONEY 0 EUR | ZAR ZA RTC`;

const SCARCE = ['CZK', 'KWD', 'JPY', 'THB'];

/** 46 currencies, with none, two and three decimals. */
export const DESTINATIONS: readonly Destination[] = ROWS.split(/[|\n]/)
  .map((row) => row.trim())
  .filter((row) => row !== '')
  .map((row) => {
    const [currency = '', country = '', rail = '', decimals = '2', heldTo = currency] =
      row.split(/\s+/);
    const isScarce = SCARCE.includes(currency);
    return { currency, country, rail, decimals: Number(decimals), heldTo, isScarce };
  });

const byCurrency = new Map(DESTINATIONS.map((one) => [one.currency, one]));

export function destinationOf(currency: string): Destination {
  const found = byCurrency.get(currency);
  if (found === undefined) throw new Error(`${currency} is not in the simulation`);
  return found;
}

/** Decimal text as the API and the bank write it: exactly the currency's decimals. */
export function toText(minor: bigint, currency: string): string {
  const { decimals } = destinationOf(currency);
  const digits = minor.toString().padStart(decimals + 1, '0');
  if (decimals === 0) return digits;
  return `${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`;
}

/** Minor units of such a text, negative ones too. Fails where it has other decimals. */
export function toMinor(text: string, currency: string): bigint {
  const { decimals } = destinationOf(currency);
  const pattern = decimals === 0 ? /^-?\d+$/ : new RegExp(`^-?\\d+\\.\\d{${String(decimals)}}$`);
  expect(text).toMatch(pattern);
  return BigInt(text.replace('.', ''));
}
