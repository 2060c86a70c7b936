import { SaxesParser } from 'saxes';
import {
  StatementUnreadable,
  type StatementProblem,
} from '../../domain/reconciliation/statement-unreadable.ts';

type Attributes = Readonly<Record<string, string>>;

/** What to do at an element. Elements without a node, and all below them, are passed over. */
export interface ElementNode {
  readonly children?: Readonly<Record<string, ElementNode>>;
  readonly open?: () => void;
  /** The element's own text, trimmed, never empty; not called where there is none. */
  readonly text?: (value: string, attributes: Attributes) => void;
  readonly close?: () => void;
}

interface XmlLimits {
  readonly depthMax: number;
  readonly textCharsMax: number;
}

interface WalkerOptions {
  /** Nodes below the document element. */
  readonly document: ElementNode;
  /** Judges the namespace of an element named Document; '' where it has none. */
  readonly isDocumentNamespace: (namespace: string) => boolean;
  readonly limits: XmlLimits;
}

/** Feeds the parser in pieces, so that an endless token is noticed before it fills the memory. */
const SLICE_CHARS = 16_384;

/**
 * Walks XML as it arrives and calls the nodes of a tree. The Document may be inside a bank's
 * envelope and carry any namespace prefix. Throws StatementUnreadable.
 */
export function createXmlWalker({ document, isDocumentNamespace, limits }: WalkerOptions) {
  const parser = new SaxesParser({ xmlns: false, position: true });
  const outside: ElementNode = {};
  const nodes: (ElementNode | undefined)[] = [outside];
  const namespaces: Attributes[] = [];
  let prefix = '';
  let hasRoot = false;
  let hasDocument = false;
  let text = '';
  let attributes: Attributes = {};
  let tokenStart = 0;

  const position = () => ({ line: parser.line, column: parser.column + 1 });
  const refuse = (problem: StatementProblem): never => {
    throw new StatementUnreadable(problem, position());
  };

  function openOutside(name: string): ElementNode {
    const colon = name.indexOf(':');
    if (name.slice(colon + 1) !== 'Document') return outside;
    const declaration = colon < 0 ? 'xmlns' : `xmlns:${name.slice(0, colon)}`;
    const namespace = namespaces.findLast((scope) => scope[declaration] !== undefined);
    if (!isDocumentNamespace(namespace?.[declaration] ?? '')) refuse('NOT_CAMT053');
    prefix = name.slice(0, colon + 1);
    hasDocument = true;
    return document;
  }

  function childOf(parent: ElementNode | undefined, name: string): ElementNode | undefined {
    if (parent === outside) return openOutside(name);
    if (parent?.children === undefined || !name.startsWith(prefix)) return undefined;
    const local = name.slice(prefix.length);
    return Object.hasOwn(parent.children, local) ? parent.children[local] : undefined;
  }

  function appendText(piece: string): void {
    tokenStart = parser.position;
    if (nodes.at(-1)?.text === undefined) return;
    text += piece;
    if (text.length > limits.textCharsMax) refuse('TEXT_TOO_LONG');
  }

  parser.on('opentag', (tag) => {
    tokenStart = parser.position;
    if (nodes.length > limits.depthMax) refuse('TOO_DEEP');
    hasRoot = true;
    const parent = nodes.at(-1);
    if (parent === outside) namespaces.push(tag.attributes);
    const node = childOf(parent, tag.name);
    nodes.push(node);
    text = '';
    attributes = tag.attributes;
    node?.open?.();
  });
  parser.on('closetag', () => {
    tokenStart = parser.position;
    const node = nodes.pop();
    const value = text.trim();
    text = '';
    if (value !== '') node?.text?.(value, attributes);
    node?.close?.();
    if (nodes.at(-1) === outside) namespaces.pop();
  });
  parser.on('text', appendText);
  parser.on('cdata', appendText);
  const passOver = () => {
    tokenStart = parser.position;
  };
  parser.on('comment', passOver);
  parser.on('processinginstruction', passOver);
  // Comes before any entity could be used: those that a DTD would declare are never expanded.
  parser.on('doctype', () => refuse('DTD_REFUSED'));
  parser.on('error', () => refuse('MALFORMED'));

  return {
    position,

    /** One piece after the other: parts found in one can be handed on before the next is read. */
    *write(chunk: string): Generator<void> {
      for (let start = 0; start < chunk.length; start += SLICE_CHARS) {
        parser.write(chunk.slice(start, start + SLICE_CHARS));
        if (parser.position - tokenStart > limits.textCharsMax) refuse('TEXT_TOO_LONG');
        yield;
      }
    },

    end(): void {
      if (nodes.length > 1 || !hasRoot) refuse('TRUNCATED');
      // The parser takes its own end only once: what it says is about text after the last element.
      parser.close();
      if (!hasDocument) refuse('NOT_CAMT053');
    },
  };
}
