import { describe, expect, it } from 'vitest';
import { createProgressPrinter } from '../../../src/cli/shared/print-progress.ts';

function printer(isTTY: boolean) {
  let written = '';
  let now = 0;
  const output = { isTTY, write: (text: string) => (written += text) };
  const say = createProgressPrinter(output, () => now);
  return {
    say,
    written: () => written,
    move(share: number | null, atMs: number) {
      now = atMs;
      say(`building at ${atMs}`, { share });
    },
  };
}

describe('the progress of long work', () => {
  it('overwrites its line on a terminal, and leaves the line before any other', () => {
    const { say, move, written } = printer(true);
    say('first');
    move(0.1, 1000);
    move(0.11, 2000);
    say('last');
    const clear = '\r\u001b[2K';
    expect(written()).toBe(`first\n${clear}building at 1000${clear}building at 2000${clear}last\n`);
  });

  it('is written elsewhere only every 10 % or 30 s', () => {
    const { say, move, written } = printer(false);
    say('first');
    for (const second of [1, 2, 3]) move(0.01 * second, second * 1000);
    move(0.12, 4000);
    move(0.19, 5000);
    move(0.19, 34_000);
    move(null, 50_000);
    move(null, 64_000);
    say('last');
    expect(written().split('\n')).toEqual([
      'first',
      ...[4000, 34_000, 64_000].map((at) => `building at ${at}`),
      'last',
      '',
    ]);
  });
});
