import { readdirSync, readFileSync } from 'node:fs';

/** What Linux tells of a process (proc(5)). */
export interface ProcessStat {
  readonly pid: number;
  readonly parent: number;
  /** A zombie has ended: only its parent has not looked yet. */
  readonly isZombie: boolean;
  /** Processor time of itself and of those children that have ended, in ms. */
  readonly cpuMs: number;
}

/** USER_HZ: 100 on every Linux that Node runs on, so a tick is 10 ms. */
const MS_PER_TICK = 10;

/** Reads one line of /proc/<pid>/stat. The name in it may hold spaces and parentheses. */
export function parseStat(line: string): ProcessStat {
  const fields = line.slice(line.lastIndexOf(')') + 2).split(' ');
  // Fields 14 to 17 of proc(5): utime, stime, cutime, cstime; `fields` begins with field 3.
  const ticks = fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0);
  return {
    pid: Number(line.slice(0, line.indexOf(' '))),
    parent: Number(fields[1]),
    isZombie: fields[0] === 'Z',
    cpuMs: ticks * MS_PER_TICK,
  };
}

/** Every process of the machine; none where there is no /proc. */
export function readProcesses(): ProcessStat[] {
  return processIds().flatMap((pid) => {
    const line = read(`/proc/${pid}/stat`);
    return line === null ? [] : [parseStat(line)];
  });
}

/** Whether a process runs. */
export function isAlive(pid: number): boolean {
  const line = read(`/proc/${String(pid)}/stat`);
  return line !== null && !parseStat(line).isZombie;
}

/**
 * Memory that a process holds, in bytes: what it shares with n others counts one n-th (Pss), so that
 * PostgreSQL's shared buffers are not counted once for each connection.
 */
export function readMemory(pid: number): number {
  const text = read(`/proc/${String(pid)}/smaps_rollup`) ?? '';
  return Number(/^Pss:\s+(\d+) kB/m.exec(text)?.[1] ?? 0) * 1024;
}

function processIds(): string[] {
  try {
    return readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  } catch {
    return [];
  }
}

/** Null where the process is gone, or is not ours to look into. */
function read(file: string): string | null {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return null;
  }
}
