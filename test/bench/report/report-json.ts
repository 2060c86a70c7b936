import { rowsOf, type Report } from './report.ts';

/** The report as JSON: the medians, and every run's own numbers. */
export function renderJson(report: Report): string {
  const { sides, ...rest } = report;
  const figures = rowsOf(report).map(({ figure, medians, ratio }) => ({
    ...figure,
    medians: Object.fromEntries(sides.map(({ side }, nth) => [side.name, medians[nth]])),
    ...(ratio === null ? {} : { ratio }),
  }));
  const runs = sides.map(({ side, runs: own }) => ({
    ...side,
    runs: own.map((run) => Object.fromEntries(run.map(({ key, value }) => [key, value]))),
  }));
  return `${JSON.stringify({ ...rest, figures, sides: runs }, null, 2)}\n`;
}
