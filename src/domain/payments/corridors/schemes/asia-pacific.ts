import { neverCloses } from '../scheme.ts';
import type { Scheme } from '../scheme.ts';
import { sourced } from '../stated.ts';

export const ASIA_PACIFIC: readonly Scheme[] = [
  {
    rail: 'IMPS',
    serves: { INR: 'IN' },
    terms: { max: sourced('500000.00', 'RBI_IMPS'), ...neverCloses('RBI_IMPS') },
  },
  { rail: 'UPI', serves: { INR: 'IN' }, terms: { max: sourced('100000.00', 'UPI') } },
  { rail: 'BECS', serves: { AUD: 'AU' } },
  { rail: 'NPP', serves: { AUD: 'AU' }, terms: neverCloses('NPP') },
  { rail: 'BECS_NZ', serves: { NZD: 'NZ' } },
  {
    rail: 'FAST',
    serves: { SGD: 'SG' },
    terms: { max: sourced('200000.00', 'FAST_SG_LIMIT'), ...neverCloses('FAST_SG') },
  },
  { rail: 'PROMPTPAY', serves: { THB: 'TH' } },
  {
    rail: 'INSTAPAY',
    serves: { PHP: 'PH' },
    terms: { max: sourced('50000.00', 'INSTAPAY'), ...neverCloses('INSTAPAY') },
  },
  { rail: 'DUITNOW', serves: { MYR: 'MY' } },
  {
    rail: 'BI_FAST',
    serves: { IDR: 'ID' },
    terms: { max: sourced('250000000.00', 'BI_FAST'), ...neverCloses('BI_FAST') },
  },
  {
    rail: 'NAPAS',
    serves: { VND: 'VN' },
    terms: { max: sourced('499999999', 'NAPAS'), ...neverCloses('NAPAS') },
  },
  { rail: 'FPS_HK', serves: { HKD: 'HK' }, terms: neverCloses('FPS_HK') },
  { rail: 'ZENGIN', serves: { JPY: 'JP' }, terms: neverCloses('ZENGIN') },
  { rail: 'KFTC', serves: { KRW: 'KR' } },
  { rail: 'CNAPS', serves: { CNY: 'CN' } },
  { rail: 'ACH_TW', serves: { TWD: 'TW' } },
  { rail: 'RAAST', serves: { PKR: 'PK' }, terms: { max: sourced(null, 'RAAST') } },
  { rail: 'BEFTN', serves: { BDT: 'BD' } },
  { rail: 'CEFTS', serves: { LKR: 'LK' }, terms: { max: sourced('5000000.00', 'CEFTS') } },
];
