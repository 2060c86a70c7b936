import { readFileSync } from 'node:fs';
import { afterAll } from 'vitest';

declare module 'vitest' {
  interface TaskMeta {
    /** What a file took of the processors, in milliseconds: its process, and the children that it waited for. */
    processorMs?: number;
  }
}

/** Of a clock tick in /proc: 100 a second on every Linux. */
const TICK_MS = 10;

function processorMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000 + childrenMs();
}

/** Fields 16 and 17 of proc_pid_stat(5); 0 where there is no /proc. */
function childrenMs(): number {
  try {
    const fields = readFileSync('/proc/self/stat', 'utf8').split(') ')[1]?.split(' ') ?? [];
    return (Number(fields[13]) + Number(fields[14])) * TICK_MS;
  } catch {
    return 0;
  }
}

const before = processorMs();
// vitest takes the first argument for fixtures, and wants a pattern there.
afterAll(({}, file) => {
  file.meta.processorMs = Math.round(processorMs() - before);
});
