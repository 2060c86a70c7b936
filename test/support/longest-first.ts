import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Projects in the order in which their files begin; those that share processes come last, together. */
const PROJECTS = [
  ...['workflow', 'e2e', 'processes', 'tidy'],
  ...['volume-broken', 'volume-processes', 'volume', 'volume-alone'],
];

/** Begins with what takes longest, so that no single file is waited for at the end. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    return sorted.sort((one, other) => rank(one) - rank(other));
  }
}

function rank({ project }: TestSpecification): number {
  return PROJECTS.indexOf(project.name);
}
