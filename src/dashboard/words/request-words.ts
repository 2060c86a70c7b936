import type { Tone } from '../../web/parts/chip.tsx';

/** How the status of an answer looks. */
export function toneOfStatus(status: number): Tone {
  if (status >= 500) return 'bad';
  return status >= 400 ? 'wait' : 'ok';
}
