import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { needsProgram } from '../../support/needs-program.ts';
import { OBSERVABILITY } from '../../support/server/observability.ts';

const run = promisify(execFile);

it('Prometheus reads the alerts, and each fires on bad series and is silent on good ones', async (context) => {
  needsProgram(context, 'promtool');
  const promtool = (...args: readonly string[]) =>
    run('promtool', args, { cwd: OBSERVABILITY }).catch((error: unknown) => {
      const { stdout, stderr } = error as { readonly stdout: string; readonly stderr: string };
      throw new Error(`promtool ${args.join(' ')}:\n${stdout}${stderr}`);
    });
  expect((await promtool('check', 'rules', 'rules.yml')).stdout).toContain('SUCCESS');
  expect((await promtool('test', 'rules', 'rules.test.yml')).stdout).toContain('SUCCESS');
});
