/** What tsc leaves out of dist/: the files that code reads, and the workflows' bundle. */
import { cp, writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { bundleWorkflowCode } from '@temporalio/worker';

const root = resolve(import.meta.dirname, '../..');
const dist = resolve(root, 'dist');

await cp(resolve(root, 'src'), resolve(dist, 'src'), {
  recursive: true,
  filter: (path) => !/\.tsx?$/.test(path),
});
// Bundled once here: every worker that boots would spend seconds on the same work.
const { code } = await bundleWorkflowCode({
  workflowsPath: resolve(dist, 'workflows/index.js'),
  workflowInterceptorModules: [resolve(dist, 'workflows/interceptors.js')],
});
await writeFile(resolve(dist, 'workflow-bundle.js'), code);
