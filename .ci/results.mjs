// What vitest's own results say of a run: which files are asked once more, and the counts at its end.
//   node .ci/results.mjs again FOLDER SUITE      the files, a line each; nothing where none is
//   node .ci/results.mjs count FOLDER SUITE...   exit code 0 only where each suite ran, and nothing failed
import { existsSync, readFileSync } from 'node:fs';
import { relative } from 'node:path';

/** Pages in a browser, and programs that a reader of the docs starts: what waits for a machine that may be busy. */
const ASKED_AGAIN = [
  /^test\/(examples|local)\//,
  /browser\.test\.ts$/,
  /^test\/e2e\/(access-journey|client-examples|listen|quickstart|sandbox-page|web)\.test\.ts$/,
];
/** More than these is no busy machine. */
const FILES_MAX = 2;

const [command, folder, ...suites] = process.argv.slice(2);
const read = (name) => readFileSync(`${folder}/${name}`, 'utf8');
const pathOf = (file) => relative(process.cwd(), file.name);
const firstLines = (text) => `${text}`.split('\n').slice(0, 20).join('\n').slice(0, 2_000);

function readResults(suite) {
  try {
    return JSON.parse(read(`${suite}.json`));
  } catch {
    return null;
  }
}

const failedFiles = (results) => results.testResults.filter((file) => file.status === 'failed');

function filesToAskAgain(suite) {
  const failed = failedFiles(readResults(suite) ?? { testResults: [] }).map(pathOf);
  const mayBe = failed.every((path) => ASKED_AGAIN.some((pattern) => pattern.test(path)));
  return mayBe && failed.length <= FILES_MAX ? failed : [];
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

/** Counts a suite. One that failed without naming a test, ran none, or left no results behind has failed once. */
function count(suite) {
  const results = readResults(suite);
  if (results === null) {
    console.log(`npm run ${suite} left no results behind`);
    return { passed: 0, failed: 1, skipped: 0, again: 0 };
  }
  const failures = failedFiles(results).flatMap(failuresOf);
  const passed = results.numPassedTests;
  const skipped = results.numPendingTests + results.numTodoTests;
  if (passed + failures.length === 0) console.log(`npm run ${suite} ran no test`);

  // Written only where everything in it passed, and it holds whole files.
  const passedAgain = failures.length > 0 && existsSync(`${folder}/${suite}.again.json`);
  const word = passedAgain ? 'PASSED ONLY WHEN ASKED AGAIN' : 'FAILED';
  for (const { name, why } of failures) console.log(`${word} (${suite}) ${name}\n${why}`);
  if (passedAgain) return { passed, failed: 0, skipped, again: failures.length };

  const isBroken = passed === 0 || read(`${suite}.status`).trim() !== '0';
  const failed = failures.length === 0 && isBroken ? 1 : failures.length;
  return { passed, failed, skipped, again: 0 };
}

if (command === 'again') {
  for (const suite of suites) for (const path of filesToAskAgain(suite)) console.log(path);
} else {
  const counts = suites.map(count);
  const sum = (kind) => counts.reduce((total, one) => total + one[kind], 0);
  if (sum('again') > 0) console.log(`${sum('again')} failed at first, and passed alone`);
  console.log(
    `${sum('passed') + sum('again')} passed, ${sum('failed')} failed, ${sum('skipped')} skipped`,
  );
  process.exitCode = sum('failed') > 0 ? 1 : 0;
}
