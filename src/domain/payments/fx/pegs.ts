/** A currency that its central bank holds to another one. */
export interface Peg {
  readonly currency: string;
  /** The currency that it is held to. */
  readonly anchor: string;
  /** Units of the currency for one of the anchor: the least and the most that is believed. */
  readonly min: string;
  readonly max: string;
}

/**
 * Held currencies by anchor, with the rate that the central banks publish. What markets and rounded
 * quotes add to it stays within 1 percent; HKD has its band of 7.75 to 7.85 (HKMA, since 2005) and
 * DKK that of ERM II, 7.46038 +- 2.25 percent, to which half a percent is added. BGN is gone: Bulgaria
 * pays in EUR since 2026. Currencies that are held to a basket or by decree alone are not here.
 */
const PARITIES: Readonly<Record<string, string>> = {
  USD: `AED 3.6725, SAR 3.75, BHD 0.376, OMR 0.3845, QAR 3.64, JOD 0.709, BSD 1, BBD 2, BZD 2, BMD 1,
    PAB 1, KYD 0.833333, XCD 2.7, AWG 1.79, XCG 1.79, DJF 177.721, ERN 15`,
  EUR: 'XAF 655.957, XOF 655.957, XPF 119.331742, KMF 491.96775, CVE 110.265, BAM 1.95583',
  GBP: 'FKP 1, GIP 1, SHP 1',
  ZAR: 'NAD 1, LSL 1, SZL 1',
  INR: 'BTN 1, NPR 1.6',
  SGD: 'BND 1',
  HKD: 'MOP 1.03',
};

const BANDS: readonly Peg[] = [
  { currency: 'HKD', anchor: 'USD', min: '7.71', max: '7.89' },
  { currency: 'DKK', anchor: 'EUR', min: '7.25', max: '7.67' },
];

/** 1 percent to either side, in text: the parities have six decimals at the most. */
function band(parity: string): Pick<Peg, 'min' | 'max'> {
  const [whole = '', fraction = ''] = parity.split('.');
  const digits = BigInt(whole + fraction.padEnd(6, '0'));
  const text = (percent: bigint): string => {
    const scaled = (digits * percent).toString().padStart(9, '0');
    return `${scaled.slice(0, -8)}.${scaled.slice(-8)}`;
  };
  return { min: text(99n), max: text(101n) };
}

export const PEGS: readonly Peg[] = [
  ...BANDS,
  ...Object.entries(PARITIES).flatMap(([anchor, list]) =>
    list.split(',').map((entry): Peg => {
      const [currency = '', parity = ''] = entry.trim().split(' ');
      return { currency, anchor, ...band(parity) };
    }),
  ),
];
