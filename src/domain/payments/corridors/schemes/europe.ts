import { closedOn, neverCloses } from '../scheme.ts';
import type { Scheme } from '../scheme.ts';
import { sourced } from '../stated.ts';

/**
 * Countries of the SEPA schemes' geographical scope (European Payments Council, EPC409-09, as of 2025,
 * with Albania, Moldova, Montenegro, North Macedonia and Serbia), and Gibraltar, which is in it
 * through the United Kingdom and has IBANs of its own. Territories whose banks use another country's
 * IBANs (GP, RE, JE, AX, ...) are left out: accounts there are given under FR, GB, FI.
 */
export const SEPA_COUNTRIES = `AD AL AT BE BG CH CY CZ DE DK EE ES FI FR GB GI GR HR HU IE IS IT LI LT LU LV MC
  MD ME MK MT NL NO PL PT RO RS SE SI SK SM VA`;

/**
 * The euro area, where every payment service provider has to be reachable for instant credit transfers
 * (Regulation (EU) 2024/886: since 2025-01-09; from 2027-01-09 on in the other Member States).
 */
const EURO_AREA = 'AT BE BG CY DE EE ES FI FR GR HR IE IT LT LU LV MT NL PT SI SK';

export const EUROPE: readonly Scheme[] = [
  {
    rail: 'SEPA',
    serves: { EUR: SEPA_COUNTRIES },
    terms: {
      max: sourced('999999999.99', 'EPC_SCT'),
      holidays: closedOn('TARGET'),
      // One banking day to the beneficiary's bank, which credits at once.
      settlementDays: sourced(1, 'EPC_SCT'),
      returnWindowDays: sourced(3, 'EPC_SCT'),
      // A Return transfers the original amount without deduction of charges.
      returnsMayBeDeducted: sourced(false, 'EPC_SCT'),
    },
  },
  { rail: 'SEPA_INSTANT', serves: { EUR: EURO_AREA }, terms: neverCloses('EU_INSTANT') },
  {
    rail: 'FPS',
    serves: { GBP: 'GB' },
    terms: { max: sourced('1000000.00', 'FPS_LIMIT'), ...neverCloses('FPS_ALWAYS') },
  },
  { rail: 'SIC', serves: { CHF: 'CH LI' } },
  { rail: 'CERTIS', serves: { CZK: 'CZ' } },
  {
    rail: 'ELIXIR',
    serves: { PLN: 'PL' },
    terms: { cutOff: sourced({ time: '16:00', timeZone: 'Europe/Warsaw' }, 'ELIXIR') },
  },
  { rail: 'GIRO_HU', serves: { HUF: 'HU' } },
  { rail: 'STRAKS', serves: { DKK: 'DK' } },
  { rail: 'BANKGIROT', serves: { SEK: 'SE' } },
  { rail: 'NICS', serves: { NOK: 'NO' } },
  { rail: 'SENT', serves: { RON: 'RO' } },
  { rail: 'SEP_UA', serves: { UAH: 'UA' } },
  {
    rail: 'FAST_TR',
    serves: { TRY: 'TR' },
    terms: { max: sourced('100000.00', 'FAST_TR'), ...neverCloses('FAST_TR') },
  },
];
