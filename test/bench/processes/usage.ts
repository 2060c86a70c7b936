import { readMemory, readProcesses } from './proc.ts';
import { treeOf } from './process-tree.ts';

/** A part of a run: a process, with all that it started unless it is said to count alone. */
export interface Part {
  readonly name: string;
  readonly pid: number;
  readonly isAlone?: boolean;
}

/** What a part has used up to a moment. */
export interface PartUsage {
  readonly name: string;
  /** Processor time, in ms, descendants that have ended included. */
  readonly cpuMs: number;
  /** Memory held, in bytes (see `readMemory`). */
  readonly memoryBytes: number;
}

/** Looks at every part now. Zeros where the machine has no /proc. */
export function readUsage(parts: readonly Part[]): PartUsage[] {
  const processes = readProcesses();
  return parts.map(({ name, pid, isAlone = false }) => {
    const tree = treeOf(isAlone ? processes.filter((one) => one.pid === pid) : processes, pid);
    return {
      name,
      cpuMs: tree.reduce((sum, one) => sum + one.cpuMs, 0),
      memoryBytes: tree.reduce((sum, one) => sum + readMemory(one.pid), 0),
    };
  });
}
