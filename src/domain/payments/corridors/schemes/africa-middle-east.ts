import { neverCloses } from '../scheme.ts';
import type { Scheme } from '../scheme.ts';
import { sourced } from '../stated.ts';

export const AFRICA_MIDDLE_EAST: readonly Scheme[] = [
  {
    rail: 'NIP',
    serves: { NGN: 'NG' },
    terms: { max: sourced('250000000.00', 'NIP_LIMIT'), ...neverCloses('NIP_ALWAYS') },
  },
  {
    rail: 'PESALINK',
    serves: { KES: 'KE' },
    terms: { max: sourced('999999.00', 'PESALINK'), ...neverCloses('PESALINK') },
  },
  { rail: 'GIP', serves: { GHS: 'GH' } },
  {
    rail: 'RTC',
    serves: { ZAR: 'ZA' },
    terms: { max: sourced('5000000.00', 'RTC'), ...neverCloses('RTC') },
  },
  {
    rail: 'IPN',
    serves: { EGP: 'EG' },
    terms: { max: sourced('70000.00', 'IPN'), ...neverCloses('IPN') },
  },
  { rail: 'UAEFTS', serves: { AED: 'AE' } },
  { rail: 'SARIE', serves: { SAR: 'SA' } },
  { rail: 'CLIQ', serves: { JOD: 'JO' } },
  { rail: 'FAWRI_PLUS', serves: { BHD: 'BH' } },
  { rail: 'MASAV', serves: { ILS: 'IL' } },
  {
    rail: 'MOBILE_MONEY',
    serves: {
      ...{ KES: 'KE', TZS: 'TZ', UGX: 'UG', RWF: 'RW', ETB: 'ET', MGA: 'MG' },
      ...{ ZMW: 'ZM', MWK: 'MW', MZN: 'MZ', LSL: 'LS', CDF: 'CD' },
      ...{ GHS: 'GH', GNF: 'GN', SLE: 'SL' },
      XAF: 'CG CM GA TD',
      XOF: 'BF BJ CI ML NE SN TG',
    },
  },
];
