import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { bundleWorkflowCode, DefaultLogger, type WorkflowBundle } from '@temporalio/worker';

const BUILT_BUNDLE = fileURLToPath(new URL('../../../workflow-bundle.js', import.meta.url));
const WORKFLOWS = fileURLToPath(new URL('../../../workflows/index.ts', import.meta.url));
const INTERCEPTORS = fileURLToPath(new URL('../../../workflows/interceptors.ts', import.meta.url));

/**
 * The SDK captures a stack for each promise of a workflow and looks every line of it up in the source
 * map. Only Temporal UI's call stack shows them, and workflow code runs a tenth faster without. It stands
 * before the bundle's code, in its first line: the SDK freezes the isolate's Error once the bundle has run.
 */
const WITHOUT_STACKS = 'Error.stackTraceLimit = 0;';

/** The workflow code: from the file named, from what the build made, else bundled from the sources. */
export async function loadWorkflowBundle(options: {
  readonly file: string | undefined;
  /** Whether promises and errors of workflow code have stacks. */
  readonly withStacks: boolean;
}): Promise<WorkflowBundle> {
  const file = options.file ?? (existsSync(BUILT_BUNDLE) ? BUILT_BUNDLE : null);
  const code = file === null ? (await bundleWorkflows()).code : await readFile(file, 'utf8');
  return { code: options.withStacks ? code : WITHOUT_STACKS + code };
}

/** Bundles the workflow code from the sources: seconds of work, so it is done once and kept. */
export function bundleWorkflows(): Promise<WorkflowBundle> {
  const logger = new DefaultLogger('ERROR');
  return bundleWorkflowCode({
    workflowsPath: WORKFLOWS,
    workflowInterceptorModules: [INTERCEPTORS],
    logger,
  });
}
