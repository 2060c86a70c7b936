// Supervises one child and waits to be killed.
import { join } from 'node:path';
import { superviseChild } from '../../../../src/cli/embedded/child.ts';
import { programArguments } from '../../../../src/cli/embedded/program-arguments.ts';

superviseChild({
  name: 'orphan',
  command: process.execPath,
  args: programArguments(join(import.meta.dirname, 'orphan-child.ts')),
  env: {},
  logFile: process.argv[2] ?? '',
  onLine: (line) => console.log(line),
  restart: { withinMs: 2000 },
});
setInterval(() => undefined, 1000);
