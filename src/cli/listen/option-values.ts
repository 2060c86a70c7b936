import { InvalidArgumentError } from '@commander-js/extra-typings';

const PORT_MAX = 65_535;
const MINUTE_MS = 60_000;
const UNITS_MS: Readonly<Record<string, number>> = {
  m: MINUTE_MS,
  h: 60 * MINUTE_MS,
  d: 24 * 60 * MINUTE_MS,
};
/** As long as events are kept. */
const SPAN_MS_MAX = 90 * 24 * 60 * MINUTE_MS;

/** A port; 0 picks a free one. */
export function readPort(text: string): number {
  const port = /^[0-9]{1,5}$/.test(text) ? Number(text) : PORT_MAX + 1;
  if (port <= PORT_MAX) return port;
  throw new InvalidArgumentError('It must be a number from 0 to 65535.');
}

/** An absolute http or https URL without a user, a query or a fragment; without the slash at its end. */
export function readUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : null;
  const isPlain = url !== null && /^https?:$/.test(url.protocol) && !/[@#?\s]/.test(text);
  if (isPlain) return text.replace(/\/+$/, '');
  throw new InvalidArgumentError('It must be a plain URL such as http://localhost:3000/hooks.');
}

/** `payment.*,kyc.approved`. Whether there are such types is for the API to say. */
export function readTypes(text: string): readonly string[] {
  const types = text.split(',').map((type) => type.trim());
  if (types.every((type) => /^[a-z_.*]{1,80}$/.test(type))) return types;
  throw new InvalidArgumentError('It must be types with commas between: payment.*,kyc.approved');
}

/** `30m`, `1h`, `2d`, in milliseconds: 90 days at the most. */
export function readSpan(text: string): number {
  const [, count = '', unit = ''] = /^([0-9]{1,6})([mhd])$/.exec(text) ?? [];
  const ms = Number(count) * (UNITS_MS[unit] ?? 0);
  if (ms > 0 && ms <= SPAN_MS_MAX) return ms;
  throw new InvalidArgumentError('It must be a time such as 30m, 1h or 2d, 90 days at the most.');
}
