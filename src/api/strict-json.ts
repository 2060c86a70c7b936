/** Deeper than anything the API takes; a limit, so that no later walk over a body needs a deep stack. */
const DEPTH_MAX = 32;

/** Why a body is not taken. The message never repeats what was sent. */
export class JsonProblem extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'JsonProblem';
  }
}

/**
 * Decodes and checks a JSON text (RFC 8259): UTF-8 without a byte order mark, one value, nested 32
 * deep at most, and no member name twice in an object, which readers would take differently (RFC
 * 8259 section 4). Throws JsonProblem and nothing else.
 */
export function parseStrictJson(bytes: Uint8Array): {
  readonly text: string;
  readonly value: unknown;
} {
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw new JsonProblem('The body is not valid UTF-8.');
  }
  let value: unknown;
  try {
    // V8's parser keeps no stack per level, makes __proto__ an ordinary member and 1e400 Infinity.
    value = JSON.parse(text);
  } catch {
    throw new JsonProblem('The body is not well-formed JSON.');
  }
  checkNesting(text);
  return { text, value };
}

const TOKEN = /"(?:[^"\\]|\\.)*"|[{}[\],:]/g;

interface Level {
  /** Names seen so far; null in an array. */
  readonly names: Set<string> | null;
  /** Whether the next string of an object is a name. */
  expectsName: boolean;
}

// The text is known to be well-formed, so that the structural characters tell all there is to know.
function checkNesting(text: string): void {
  const levels: Level[] = [];
  for (const [token] of text.matchAll(TOKEN)) {
    const level = levels.at(-1);
    if (token === '{' || token === '[') {
      if (levels.length >= DEPTH_MAX)
        throw new JsonProblem('The body has too many levels of nesting.');
      const isObject = token === '{';
      levels.push({ names: isObject ? new Set() : null, expectsName: isObject });
    } else if (token === '}' || token === ']') levels.pop();
    else if (level === undefined || level.names === null) continue;
    else if (token === ',') level.expectsName = true;
    else if (token !== ':' && level.expectsName) {
      const name = JSON.parse(token) as string;
      if (level.names.has(name)) throw new JsonProblem('A key occurs twice in the same object.');
      level.names.add(name);
      level.expectsName = false;
    }
  }
}
