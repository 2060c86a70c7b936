import { writeFileSync } from 'node:fs';
import { relative } from 'node:path';
import type { Reporter, TestModule } from 'vitest/node';

const SLOW_MS = 20_000;

/**
 * Prints every file that takes over 20 seconds and, as the last line, how many tests were skipped. FILE_COSTS names
 * a file for the costs of all files, as JSON: `[{"path", "wallMs", "processorMs"}]`.
 */
export default class CostReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const costs = modules
      .map((module) => ({
        path: relative(process.cwd(), module.moduleId),
        wallMs: Math.round(module.diagnostic().duration + module.diagnostic().collectDuration),
        processorMs: module.meta().processorMs ?? 0,
      }))
      .sort((one, other) => other.wallMs - one.wallMs);
    const target = process.env['FILE_COSTS'];
    if (target !== undefined) writeFileSync(target, JSON.stringify(costs, null, 1));
    for (const { path, wallMs, processorMs } of costs) {
      if (wallMs < SLOW_MS) break;
      const seconds = (ms: number) => (ms / 1_000).toFixed(1);
      console.log(`over 20 s: ${path} ${seconds(wallMs)} s (processor ${seconds(processorMs)} s)`);
    }
    const skipped = modules.flatMap((module) => [...module.children.allTests('skipped')]);
    for (const test of skipped) {
      const result = test.result();
      const note = result.state === 'skipped' ? (result.note ?? '') : '';
      console.log(`SKIPPED ${test.module.relativeModuleId} > ${test.fullName}: ${note}`);
    }
    console.log(`${String(skipped.length)} skipped`);
  }
}
