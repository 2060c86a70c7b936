import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readEnvironment } from '../server/config/environment.ts';
import { runMain } from '../server/runtime/run-main.ts';
import { untilSignal } from '../server/runtime/until-signal.ts';
import { DemoFailure } from './demo/step.ts';
import { playStory } from './demo/story.ts';
import { openInbox } from './demo/webhook-inbox.ts';
import { startDevStack } from './dev/dev-stack.ts';
import { createProgressPrinter } from './shared/print-progress.ts';
import { PlainError } from '../server/runtime/plain-error.ts';

/** Ports of its own, so that a demonstration runs beside a local run. */
const FREE_PORTS = Object.fromEntries(
  [
    'PORT',
    'POSTGRES_PORT',
    'TEMPORAL_PORT',
    'DASHBOARD_PORT',
    'OPS_PORT',
    'TEMPORAL_UI_PORT',
    'TEST_SANDBOX_BANK_PORT',
    'LIVE_SANDBOX_BANK_PORT',
    'TEST_SANDBOX_KYC_PORT',
    'LIVE_SANDBOX_KYC_PORT',
    'TEST_SANDBOX_NAME_CHECK_PORT',
    'LIVE_SANDBOX_NAME_CHECK_PORT',
    'SANDBOX_MAILBOX_PORT',
    'SANDBOX_SMTP_PORT',
    'SANDBOX_CHAIN_PORT',
  ].map((name) => [name, '0']),
);

runMain(async () => {
  const env = readEnvironment(process.env, 'dev');
  const interrupted = untilSignal();
  const dataDir = mkdtempSync(join(tmpdir(), 'causeway-demo-'));
  const say = createProgressPrinter(process.stdout);
  const startedAt = performance.now();
  const inbox = await openInbox();
  const recent: string[] = [];
  const keep = (line: string) => {
    recent.push(line);
    if (recent.length > 40) recent.shift();
  };
  try {
    const stack = await startDevStack({
      env: { ...env, ...FREE_PORTS, DATA_DIR: dataDir },
      progress: say,
      onLine: keep,
    });
    try {
      const story = playStory({ state: stack.state, dataDir, env }, inbox, say);
      const signal = await Promise.race([story.then(() => null), interrupted]);
      if (signal !== null) throw new PlainError('Interrupted.');
      const seconds = ((performance.now() - startedAt) / 1000).toFixed(0);
      say(
        `\nAll checks passed in ${seconds} s, including the start. Everything has been stopped. "npm run dev" keeps it running.`,
      );
      return 0;
    } finally {
      await stack.stop();
    }
  } catch (error) {
    if (!(error instanceof DemoFailure)) throw error;
    console.error(`\nA check failed: ${error.message}\n\nLast output of the parts:`);
    console.error(recent.join('\n'));
    return 1;
  } finally {
    await inbox.close();
    rmSync(dataDir, { recursive: true, force: true });
  }
});
