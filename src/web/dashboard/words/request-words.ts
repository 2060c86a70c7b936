import type { Tone } from '../../kit/parts/chip.tsx';

/** How the status of an answer looks. */
export function toneOfStatus(status: number): Tone {
  if (status >= 500) return 'bad';
  return status >= 400 ? 'wait' : 'ok';
}
