import type { Destination } from './currencies.ts';
import type { Draw } from './draw.ts';

/** One minor unit now and then, small and round ones, and some that fill most digits. */
export function drawMinor(draw: Draw, { decimals }: Destination): bigint {
  const whole = 10n ** BigInt(decimals);
  const size = draw.weighted({ LEAST: 6, SMALL: 25, USUAL: 55, GREAT: 14 });
  switch (size) {
    case 'LEAST':
      return BigInt(draw.int(1, 3));
    case 'SMALL':
      return BigInt(draw.int(4, 5_000));
    case 'USUAL':
      return BigInt(draw.int(50, 20_000)) * whole + BigInt(draw.int(0, 999));
    case 'GREAT':
      return BigInt(draw.int(10_000, 45_000)) * whole + BigInt(draw.int(0, 999));
  }
}
