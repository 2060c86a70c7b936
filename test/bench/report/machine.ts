import { cpus, release, totalmem, type } from 'node:os';

/** Where and when something was measured. */
export interface Machine {
  readonly cpu: string;
  readonly cores: number;
  /** GiB. */
  readonly memoryGib: number;
  readonly os: string;
  readonly node: string;
  readonly date: string;
}

/** Describes this machine; `date` is taken as it is given. */
export function describeMachine(date: string): Machine {
  const [first, ...others] = cpus();
  return {
    cpu: first?.model.trim() || process.arch,
    cores: others.length + 1,
    memoryGib: Math.round(totalmem() / 1024 ** 3),
    os: `${type()} ${release()}`,
    node: process.version,
    date,
  };
}

/** The machine in one line. */
export function machineLine({ cpu, cores, memoryGib, os, node, date }: Machine): string {
  const hardware = `${cpu}, ${String(cores)} cores, ${String(memoryGib)} GiB`;
  return [hardware, os, `Node ${node}`, date].join(' · ');
}
