import { createProgressLine } from '../ops/progress-line.ts';
import type { SayProgress } from '../embedded/say-progress.ts';

const QUIET_MAX_MS = 30_000;
const STEPS = 10;

/** On a terminal moving lines overwrite each other; elsewhere one is written every 10 % or 30 s. */
export function createProgressPrinter(
  output: Parameters<typeof createProgressLine>[0],
  now: () => number = () => performance.now(),
): SayProgress {
  const overwrite = createProgressLine(output);
  let last: { readonly at: number; readonly step: number } | null = null;
  return (line, moving) => {
    if (moving === undefined) {
      // Otherwise the line may hold what a person typed.
      if (last !== null) overwrite('');
      output.write(`${line}\n`);
      last = null;
      return;
    }
    overwrite(line);
    const step = Math.floor((moving.share ?? 0) * STEPS);
    last ??= { at: now(), step: 0 };
    if (output.isTTY === true) return;
    if (step <= last.step && now() - last.at < QUIET_MAX_MS) return;
    last = { at: now(), step };
    output.write(`${line}\n`);
  };
}
