import { closedOn, neverCloses } from '../scheme.ts';
import type { Scheme } from '../scheme.ts';
import { sourced } from '../stated.ts';

const NEW_YORK = 'America/New_York';

export const AMERICAS: readonly Scheme[] = [
  {
    rail: 'ACH',
    serves: { USD: 'US' },
    terms: {
      max: sourced('99999999.99', 'NACHA'),
      cutOff: sourced({ time: '16:45', timeZone: NEW_YORK }, 'FEDACH'),
      holidays: closedOn('FEDERAL_RESERVE'),
      // The later of the days that an entry may be effective on, whichever our bank writes.
      settlementDays: sourced(2, 'NACHA_EFFECTIVE'),
      returnWindowDays: sourced(2, 'NACHA'),
      // A return entry is of the amount of the original entry.
      returnsMayBeDeducted: sourced(false, 'NACHA'),
    },
  },
  {
    rail: 'FEDWIRE',
    serves: { USD: 'US' },
    terms: {
      cutOff: sourced({ time: '18:45', timeZone: NEW_YORK }, 'FEDWIRE'),
      holidays: closedOn('FEDERAL_RESERVE'),
      settlementDays: sourced(0, 'FEDWIRE_FINAL'),
    },
  },
  { rail: 'EFT', serves: { CAD: 'CA' } },
  { rail: 'INTERAC', serves: { CAD: 'CA' } },
  { rail: 'PIX', serves: { BRL: 'BR' }, terms: neverCloses('PIX') },
  { rail: 'SPEI', serves: { MXN: 'MX' }, terms: neverCloses('SPEI') },
  { rail: 'CBU', serves: { ARS: 'AR' } },
  { rail: 'TEF', serves: { CLP: 'CL' } },
  { rail: 'CCE', serves: { PEN: 'PE' } },
  { rail: 'ACH_CO', serves: { COP: 'CO' } },
  { rail: 'SINPE', serves: { CRC: 'CR' } },
];
