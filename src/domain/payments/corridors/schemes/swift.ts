import type { Scheme } from '../scheme.ts';
import { SEPA_COUNTRIES } from './europe.ts';

/**
 * Countries with banks that correspondent banks reach. Not here: territories without banks of their own,
 * and those where sanctions, war or the want of correspondents make it a matter of each payment (AF BY
 * CU ER IR KP LY MM RU SD SO SS SY VE YE and others): an operator whose bank does pay there adds them.
 */
const REACHED = `
  ${SEPA_COUNTRIES} BA FO GE AM AZ TR UA XK GL
  US CA MX BR AR CL CO PE UY PY BO EC CR GT HN NI PA SV DO JM TT BB BS BZ GY SR AG DM GD KN LC VC AI BM KY TC VG
  AW CW SX PR
  AU NZ FJ PG WS TO VU SB NC PF CK KI PW FM MH TL
  JP KR CN HK MO TW SG MY TH ID PH VN KH LA BN IN BD LK NP BT MV PK MN KZ KG TJ TM UZ
  AE SA QA KW BH OM JO IL IQ LB EG MA TN DZ MR
  ZA NA BW LS SZ MZ ZM MW AO CD CG GA CM GQ TD CF NG GH CI SN ML BF BJ TG NE GN GW SL LR GM CV ST
  KE UG TZ RW BI ET DJ MG MU SC KM`;

/**
 * Currencies that correspondent banks outside the country deliver. A currency with controls that keep it
 * at home (ARS, BRL, INR, KRW, NGN, TWD, ...) is here only where a local rail serves it, or not at all.
 */
const OWN_CURRENCY = {
  AUD: 'AU KI',
  CAD: 'CA',
  CHF: 'CH LI',
  CZK: 'CZ',
  DKK: 'DK FO GL',
  GBP: 'GB',
  HKD: 'HK',
  HUF: 'HU',
  ILS: 'IL',
  JPY: 'JP',
  MXN: 'MX',
  NOK: 'NO',
  NZD: 'NZ CK',
  PLN: 'PL',
  RON: 'RO',
  SEK: 'SE',
  SGD: 'SG',
  THB: 'TH',
  TRY: 'TR',
  ZAR: 'ZA',
  CNY: 'CN',
  AED: 'AE',
  SAR: 'SA',
  QAR: 'QA',
  KWD: 'KW',
  BHD: 'BH',
  OMR: 'OM',
  JOD: 'JO',
  MAD: 'MA',
  TND: 'TN',
  KES: 'KE',
  UGX: 'UG',
  TZS: 'TZ',
  BWP: 'BW',
  MUR: 'MU',
  XAF: 'CM CF CG GA GQ TD',
  XOF: 'BF BJ CI GW ML NE SN TG',
  XPF: 'NC PF',
  FJD: 'FJ',
  ISK: 'IS',
} as const;

/** Behind every local rail: the last one of its country and currency. */
export const SWIFT: readonly Scheme[] = [
  { rail: 'SWIFT', serves: OWN_CURRENCY },
  { rail: 'SWIFT', serves: { USD: REACHED, EUR: REACHED } },
];
