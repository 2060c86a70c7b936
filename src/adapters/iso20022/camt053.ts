import { statementElements } from './camt053-elements.ts';
import { createStatementCollector } from './statement-collector.ts';
import type { StatementPart } from './statement-parts.ts';
import { StatementUnreadable } from '../../domain/reconciliation/statement-unreadable.ts';
import { decodeXml } from './xml-text.ts';
import { createXmlWalker } from './xml-walker.ts';

export interface StatementLimits {
  readonly linesMax: number;
  readonly depthMax: number;
  /** Of any text, tag, comment or attribute list, in characters. */
  readonly textCharsMax: number;
}

const DEFAULT_LIMITS: StatementLimits = {
  linesMax: 10_000_000,
  depthMax: 64,
  textCharsMax: 65_536,
};

/** Some countries' banks name their own rule book behind the version: "ISO:camt.053.001.02:...". */
const NAMESPACE_PATTERN = /(?:^|[:/.])camt\.05[234]\.001\.[0-9]{2}(?![0-9])/;

/**
 * Reads a report of a bank about an account (ISO 20022 camt.053.001, camt.052.001 or camt.054.001, versions 02 to 08
 * and whatever keeps to their shape) as it arrives, in flat memory and no faster than the parts are taken. Amounts stay text.
 * An element that makes no sense gives a `problem` part and reading goes on; where the file itself
 * cannot be read on, throws StatementUnreadable after the parts that were complete by then.
 */
export async function* parseCamt053(
  stream: AsyncIterable<Uint8Array | string>,
  limits: Partial<StatementLimits> = {},
): AsyncGenerator<StatementPart, void, undefined> {
  const { linesMax, depthMax, textCharsMax } = { ...DEFAULT_LIMITS, ...limits };
  const collector = createStatementCollector({ linesMax }, (problem) => {
    throw new StatementUnreadable(problem, walker.position());
  });
  const walker = createXmlWalker({
    document: statementElements(collector),
    // No namespace at all is a common slip; the elements below tell what it is.
    isDocumentNamespace: (namespace) => namespace === '' || NAMESPACE_PATTERN.test(namespace),
    limits: { depthMax, textCharsMax },
  });
  try {
    for await (const text of decodeXml(stream)) {
      for (const _piece of walker.write(text)) yield* collector.takeParts();
    }
    walker.end();
    if (collector.statements() === 0) {
      throw new StatementUnreadable('NO_STATEMENT', walker.position());
    }
  } catch (error) {
    yield* collector.takeParts();
    // The decoder does not know where in the document it is.
    if (error instanceof StatementUnreadable && error.line === 0) {
      throw new StatementUnreadable(error.problem, walker.position());
    }
    throw error;
  }
}
