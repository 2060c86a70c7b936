/** Exact arithmetic of the simulation's own: none of it is shared with what it judges. */
export interface Fraction {
  readonly over: bigint;
  readonly under: bigint;
}

/** Plain positive decimal text, exactly. */
export function fractionOf(text: string): Fraction {
  if (!/^\d+(\.\d+)?$/.test(text)) throw new Error(`${text} is no plain decimal`);
  const [whole = '', decimals = ''] = text.split('.');
  return { over: BigInt(whole + decimals), under: 10n ** BigInt(decimals.length) };
}

export const times = (a: Fraction, b: Fraction): Fraction => ({
  over: a.over * b.over,
  under: a.under * b.under,
});

export const dividedBy = (a: Fraction, b: Fraction): Fraction => ({
  over: a.over * b.under,
  under: a.under * b.over,
});

export const ratio = (over: bigint, under: bigint): Fraction => ({ over, under });

/** Of what is not negative. */
export const floorOf = ({ over, under }: Fraction): bigint => over / under;
export const ceilOf = ({ over, under }: Fraction): bigint => (over + under - 1n) / under;

/** Whether two are no further apart than one part in 10^15. */
export function isNear(a: Fraction, b: Fraction): boolean {
  const difference = a.over * b.under - b.over * a.under;
  const size = b.over * a.under;
  return (difference < 0n ? -difference : difference) * 10n ** 15n < size;
}

export const isAtMost = (a: Fraction, b: Fraction): boolean => a.over * b.under <= b.over * a.under;
