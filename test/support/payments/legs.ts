import type { FxLeg } from '../../../src/domain/payments/fx/fx-leg.ts';

export const noon = new Date('2026-09-29T12:00:00.000Z');
export const hourMs = 3_600_000;

/** The time so many hours before noon. */
export function hoursBefore(hours: number): Date {
  return new Date(noon.getTime() - hours * hourMs);
}

/** A leg from "EUR/USD 1.1", of noon and of the source "sample" unless told otherwise. */
export function leg(text: string, overrides: Partial<FxLeg> = {}): FxLeg {
  const [pair = '', rate = ''] = text.split(' ');
  const [base = '', quote = ''] = pair.split('/');
  return { base, quote, rate, asOf: noon, source: 'sample', ...overrides };
}
