import type { ReportKind } from '../../domain/reconciliation/statement-types.ts';
import type { EndPart, HeaderPart, ProblemPart, StatementPart } from './statement-parts.ts';

/** A header that is still being read. */
type Header = {
  -readonly [Field in Exclude<keyof HeaderPart, 'kind' | 'statementId'>]: HeaderPart[Field];
} & {
  statementId: string | null;
};

interface CollectorLimits {
  readonly linesMax: number;
}

/** Thrown into the parser, which knows where it is. */
type RefuseStatement = (problem: 'TOO_MANY_LINES' | 'NO_STATEMENT_ID') => never;

const EMPTY_HEADER: Header = {
  statementId: null,
  report: 'DAY',
  electronicSequence: null,
  account: null,
  currency: null,
  from: null,
  to: null,
  page: null,
};

/** Counts, and keeps the parts that were found until they are taken. */
export function createStatementCollector(limits: CollectorLimits, refuse: RefuseStatement) {
  let parts: StatementPart[] = [];
  let header: Header = { ...EMPTY_HEADER };
  let isHeaderOut = false;
  let statements = 0;
  let entryNumber = 0;
  let lineNumber = 0;
  let counts = { entries: 0, lines: 0, problems: 0 };

  const statementId = () => header.statementId ?? refuse('NO_STATEMENT_ID');

  return {
    emit(part: StatementPart): void {
      if (part.kind === 'line') counts.lines += 1;
      if (part.kind === 'problem') counts.problems += 1;
      parts.push(part);
    },

    emitProblem(problem: Omit<ProblemPart, 'kind'>): void {
      this.emit({ kind: 'problem', ...problem });
    },

    takeParts(): StatementPart[] {
      const taken = parts;
      if (taken.length > 0) parts = [];
      return taken;
    },

    header(): Header {
      return header;
    },

    openStatement(report: ReportKind): void {
      header = { ...EMPTY_HEADER, report };
      isHeaderOut = false;
      counts = { entries: 0, lines: 0, problems: 0 };
      statements += 1;
    },

    /** Before the first balance or entry: all of the header's elements come before those. */
    completeHeader(): void {
      if (isHeaderOut) return;
      isHeaderOut = true;
      parts.push({ kind: 'header', ...header, statementId: statementId() });
    },

    closeStatement(): void {
      this.completeHeader();
      const end: EndPart = { kind: 'end', statementId: statementId(), ...counts };
      parts.push(end);
    },

    nextEntryNumber(): number {
      counts.entries += 1;
      return (entryNumber += 1);
    },

    nextLineNumber(): number {
      if (lineNumber >= limits.linesMax) refuse('TOO_MANY_LINES');
      return (lineNumber += 1);
    },

    statements: (): number => statements,
  };
}

export type StatementCollector = ReturnType<typeof createStatementCollector>;
