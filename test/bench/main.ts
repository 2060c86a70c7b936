import { setTimeout as pause } from 'node:timers/promises';
import { runMain } from '../../src/server/runtime/run-main.ts';
import { untilSignal } from '../../src/server/runtime/until-signal.ts';
import { runBench } from './bench.ts';
import { runCommandLine } from './command-line.ts';
import { openScope } from './scope.ts';

const LAST_STEP_MS_MAX = 5_000;

runMain(async () => {
  let exitCode = 0;
  await runCommandLine(process.argv.slice(2), async (order) => {
    const stop = new AbortController();
    const asked = untilSignal(['SIGINT', 'SIGTERM', 'SIGHUP']).then((signal) => {
      console.error(`\n${signal}: stopping everything`);
      exitCode = 130;
      stop.abort();
    });
    const scope = openScope(stop.signal, (error) => {
      exitCode ||= 1;
      console.error('not everything could be undone:', error);
    });
    const say = (line: string) => {
      console.error(`- ${line}`);
    };
    const bench = runBench(scope, order, { say, print: console.log }).then((isWorse) => {
      if (isWorse) exitCode ||= 1;
    });
    // After a stop it fails somewhere; why does not matter then.
    const ended = bench.catch((error: unknown) => {
      if (!stop.signal.aborted) throw error;
    });
    try {
      await Promise.race([ended, asked]);
    } finally {
      await scope.close();
      // A step that was under way may have opened something meanwhile.
      await Promise.race([ended, pause(LAST_STEP_MS_MAX)]);
      await scope.close();
    }
  });
  return exitCode;
});
