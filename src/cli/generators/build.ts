/** What tsc leaves out of dist/: the files that code reads, and the workflows' bundle. */
import { cp, writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { bundleWorkflowCode } from '@temporalio/worker';
import { GUIDE_GROUPS } from '../../web/docs/guides/guide-list.ts';
import { PICTURE_FILES } from '../../web/docs/guides/picture-list.ts';

const root = resolve(import.meta.dirname, '../../..');
const dist = resolve(root, 'dist');

await cp(resolve(root, 'src'), resolve(dist, 'src'), {
  recursive: true,
  filter: (path) => !/\.tsx?$/.test(path),
});
// The guides that the API shows at /docs with their pictures, and no other page of the repository.
const guideFiles = GUIDE_GROUPS.flatMap(({ guides }) => guides).map(({ file }) => file);
for (const file of [...guideFiles, ...PICTURE_FILES]) {
  await cp(resolve(root, 'docs', file), resolve(dist, 'docs', file));
}
// What `chain deploy` sends and `chain check` compares with.
for (const name of ['Forwarder.json', 'ForwarderFactory.json']) {
  await cp(resolve(root, 'contracts/artefacts', name), resolve(dist, 'contracts/artefacts', name));
}
// Bundled once here: every worker that boots would spend seconds on the same work.
const { code } = await bundleWorkflowCode({
  workflowsPath: resolve(dist, 'workflows/index.js'),
  workflowInterceptorModules: [resolve(dist, 'workflows/interceptors.js')],
});
await writeFile(resolve(dist, 'workflow-bundle.js'), code);
