import { readProcesses } from '../../../bench/processes/proc.ts';

/** Processor time so far, in ms: of the process that serves a site, and of the PostgreSQL that a connection of it is of. */
export function processorUse(sitePid: number, backendPid: number) {
  const all = readProcesses();
  const cpuOf = (pid: number): number => all.find((one) => one.pid === pid)?.cpuMs ?? 0;
  const server = all.find((one) => one.pid === backendPid)?.parent ?? 0;
  const backends = all.filter(({ parent }) => parent === server);
  return {
    siteMs: cpuOf(sitePid),
    // The server's own figure has those that have ended.
    postgresMs: backends.reduce((sum, { cpuMs }) => sum + cpuMs, cpuOf(server)),
  };
}
