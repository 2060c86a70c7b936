import { readEnvironment } from '../server/config/environment.ts';
import { runMain } from '../server/runtime/run-main.ts';
import { untilSignal } from '../server/runtime/until-signal.ts';
import { describeStack } from './dev/describe-stack.ts';
import { startDevStack } from './dev/dev-stack.ts';
import { createProgressPrinter } from './shared/print-progress.ts';

runMain(async () => {
  const asked = untilSignal(['SIGINT', 'SIGTERM', 'SIGHUP']);
  const say = createProgressPrinter(process.stdout);
  const started = startDevStack({
    env: readEnvironment(process.env, 'dev'),
    progress: say,
    onLine: (line) => {
      say(line);
    },
  });
  const stack = await started;
  console.log(describeStack(stack.state));
  await asked;
  console.log('\nStopping everything');
  await stack.stop();
  return 0;
});
