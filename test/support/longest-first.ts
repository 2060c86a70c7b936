import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Projects in the order in which their files begin; those that share processes come last, together. */
const PROJECTS = ['killed-stack', 'temporal', 'shared-stack', 'untidy', 'tidy'];

/** Files that mostly wait for processes to start and end, so that others use the processors. */
const WAITING = ['test/local/local-run.test.ts'];

/** Begins with what takes longest, so that no single file is waited for at the end. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    return sorted.sort((one, other) => rank(one) - rank(other));
  }
}

function rank({ project, moduleId }: TestSpecification): number {
  if (WAITING.some((file) => moduleId.endsWith(file))) return 0;
  return PROJECTS.indexOf(project.name);
}
