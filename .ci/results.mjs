// What the reports of the suites say: the failures by name, and the counts at the end.
//   node .ci/results.mjs FOLDER SUITE...   exit code 0 only where each suite ran and nothing failed
import { readFileSync } from 'node:fs';
import { relative } from 'node:path';

/** Of a file's process and its children. A file above it is printed: a slow machine must not fail a test. */
const PROCESSOR_MS_MAX = 45_000;

const [folder, ...suites] = process.argv.slice(2);
const read = (name) => readFileSync(`${folder}/${name}`, 'utf8');
const pathOf = (file) => relative(process.cwd(), file.name);
const firstLines = (text) => `${text}`.split('\n').slice(0, 20).join('\n').slice(0, 2_000);

function readJson(name) {
  try {
    return JSON.parse(read(name));
  } catch {
    return null;
  }
}

/** The failed tests of a file, or the file itself where it broke before its first test. */
function failuresOf(file) {
  const tests = file.assertionResults.filter((test) => test.status === 'failed');
  if (tests.length === 0) return [{ name: pathOf(file), why: firstLines(file.message) }];
  return tests.map((test) => ({
    name: `${pathOf(file)} > ${test.fullName}`,
    why: firstLines(test.failureMessages.join('\n')),
  }));
}

/** Prints the files over the budget. */
function printCostly(suite) {
  for (const { path, processorMs } of readJson(`${suite}.costs.json`) ?? []) {
    if (processorMs <= PROCESSOR_MS_MAX) continue;
    console.log(
      `over ${PROCESSOR_MS_MAX} ms of processor time (${suite}): ${path} took ${processorMs}`,
    );
  }
}

/** Counts a suite. One that failed without naming a test, ran none, or left no results behind has failed once. */
function count(suite) {
  const results = readJson(`${suite}.json`);
  if (results === null) {
    console.log(`npm run ${suite} left no results behind`);
    return { passed: 0, failed: 1, skipped: 0 };
  }
  const failedFiles = results.testResults.filter((file) => file.status === 'failed');
  printCostly(suite);
  const failures = failedFiles.flatMap(failuresOf);
  const passed = results.numPassedTests;
  const skipped = results.numPendingTests + results.numTodoTests;
  if (passed + failures.length === 0) console.log(`npm run ${suite} ran no test`);
  for (const { name, why } of failures) console.log(`FAILED (${suite}) ${name}\n${why}`);
  const isBroken = passed === 0 || read(`${suite}.status`).trim() !== '0';
  const failed = failures.length === 0 && isBroken ? 1 : failures.length;
  console.log(`${suite}: ${passed} passed, ${failed} failed, ${skipped} skipped`);
  return { passed, failed, skipped };
}

const counts = suites.map(count);
const sum = (kind) => counts.reduce((total, one) => total + one[kind], 0);
console.log(`${sum('passed')} passed, ${sum('failed')} failed, ${sum('skipped')} skipped`);
process.exitCode = sum('failed') > 0 ? 1 : 0;
