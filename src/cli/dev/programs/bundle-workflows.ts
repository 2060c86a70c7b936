/** Bundles the workflow code into the file named, in a process of its own: the bundler takes 150 MB. */
import { bundleWorkflows } from '../../../server/temporal/workflow-bundle.ts';
import { runMain } from '../../../server/runtime/run-main.ts';
import { writeAtomically } from '../../embedded/data-folder.ts';

runMain(async () => {
  writeAtomically(process.argv[2] ?? '', (await bundleWorkflows()).code);
  return 0;
});
