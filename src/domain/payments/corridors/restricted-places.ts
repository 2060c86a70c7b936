import { CRIMEA, DONETSK, LUHANSK, SEVASTOPOL } from './occupied-regions.ts';
import type { RegionWithin } from './region-within.ts';
import type { Source } from './sources.ts';

/** A country that no money goes to, and why. */
interface RestrictedCountry {
  /** ISO 3166-1 alpha-2. */
  readonly country: string;
  readonly sources: readonly Source[];
}

/** A part of a country that no money goes to. */
export interface RestrictedRegion {
  /** ISO 3166-2. */
  readonly code: string;
  /** By country of the address: an occupied region is written under two. */
  readonly within: readonly RegionWithin[];
  readonly sources?: readonly Source[];
}

const FATF: Source = {
  title: 'FATF, High-Risk Jurisdictions subject to a Call for Action: countermeasures',
  date: '2025-10-24',
};

export const RESTRICTED_COUNTRIES: readonly RestrictedCountry[] = [
  {
    country: 'CU',
    sources: [
      {
        title: 'United States, Cuban Assets Control Regulations, 31 CFR Part 515',
        date: '1963-07-08',
      },
    ],
  },
  {
    country: 'IR',
    sources: [
      FATF,
      {
        title: 'United States, Iranian Transactions and Sanctions Regulations, 31 CFR Part 560',
        date: '2012-10-22',
      },
    ],
  },
  {
    country: 'KP',
    sources: [
      FATF,
      { title: 'Council Regulation (EU) 2017/1509, North Korea', date: '2017-08-30' },
    ],
  },
];

const EU_CRIMEA: Source = {
  title: 'Council Regulation (EU) No 692/2014, Crimea and Sevastopol',
  date: '2014-06-23',
};
const US_CRIMEA: Source = {
  title: 'United States, Executive Order 13685, Crimea',
  date: '2014-12-19',
};
const EU_EAST: Source = {
  title: 'Council Regulation (EU) 2022/263, Donetsk and Luhansk',
  date: '2022-02-23',
};
const US_EAST: Source = {
  title: 'United States, Executive Order 14065, Donetsk and Luhansk',
  date: '2022-02-21',
};

/**
 * The regulations of 2022 name the parts of two oblasts that their government does not control. The
 * whole oblasts are restricted here, by our own choice: an address does not tell which part it is in.
 */
export const RESTRICTED_REGIONS: readonly RestrictedRegion[] = [
  { code: 'UA-43', within: CRIMEA, sources: [EU_CRIMEA, US_CRIMEA] },
  { code: 'UA-40', within: SEVASTOPOL, sources: [EU_CRIMEA, US_CRIMEA] },
  { code: 'UA-14', within: DONETSK, sources: [EU_EAST, US_EAST] },
  { code: 'UA-09', within: LUHANSK, sources: [EU_EAST, US_EAST] },
];
