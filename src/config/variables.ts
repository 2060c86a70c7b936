/** Settings that cannot be used. The message names every variable and what it should be. */
export class ConfigError extends Error {
  constructor(problems: readonly string[]) {
    super(['The settings cannot be used:', ...problems.map((line) => `- ${line}`)].join('\n'));
    this.name = 'ConfigError';
  }
}

/** Environment variables by name, as `process.env` is. */
export type Env = Readonly<Record<string, string | undefined>>;

/**
 * Reads environment variables and collects what is wrong with them, so that one start tells all of
 * it. Values are never repeated: some are secrets. An empty variable counts as one that is not set.
 */
export interface Variables {
  optional(name: string): string | undefined;
  text(name: string, fallback: string): string;
  required(name: string, whatFor: string): string;
  /** A whole number from `min` to `max`, both included. */
  integer(name: string, fallback: number, range: readonly [min: number, max: number]): number;
  boolean(name: string, isFallback: boolean): boolean;
  choice<Word extends string>(name: string, words: readonly Word[], fallback: Word): Word;
  /** Texts with commas between. */
  list(name: string): string[];
  /** An http or https URL without a slash at its end. */
  url(name: string): string | undefined;
  /** Base64 of at least so many bytes. */
  bytes(name: string, text: string, bytesMin: number): Buffer;
  problem(line: string): void;
  /** Throws ConfigError where there was any problem. */
  finish(): void;
}

export function createVariables(env: Env): Variables {
  const problems: string[] = [];
  const problem = (line: string): void => void problems.push(line);
  const optional = (name: string): string | undefined => {
    const value = env[name]?.trim();
    return value === '' ? undefined : value;
  };

  return {
    optional,
    text: (name, fallback) => optional(name) ?? fallback,
    required(name, whatFor) {
      const value = optional(name);
      if (value === undefined) problem(`${name} is not set: ${whatFor}`);
      return value ?? '';
    },
    integer(name, fallback, [min, max]) {
      const value = optional(name);
      if (value === undefined) return fallback;
      const number = /^[0-9]{1,15}$/.test(value) ? Number(value) : NaN;
      if (number >= min && number <= max) return number;
      problem(`${name} must be a whole number from ${String(min)} to ${String(max)}`);
      return fallback;
    },
    boolean(name, isFallback) {
      const value = optional(name);
      if (value === undefined) return isFallback;
      if (value === 'true' || value === '1') return true;
      if (value === 'false' || value === '0') return false;
      problem(`${name} must be true or false`);
      return isFallback;
    },
    choice(name, words, fallback) {
      const value = optional(name);
      const word = value === undefined ? fallback : words.find((known) => known === value);
      if (word !== undefined) return word;
      problem(`${name} must be one of ${words.join(', ')}`);
      return fallback;
    },
    list(name) {
      const parts = (optional(name) ?? '').split(',').map((part) => part.trim());
      return parts.filter((part) => part !== '');
    },
    url(name) {
      const value = optional(name);
      if (value === undefined) return undefined;
      if (URL.canParse(value) && /^https?:$/.test(new URL(value).protocol)) {
        return value.replace(/\/+$/, '');
      }
      problem(`${name} must be a URL that begins with http:// or https://`);
      return undefined;
    },
    bytes(name, text, bytesMin) {
      const bytes = Buffer.from(text, 'base64');
      const isBase64 = /^[A-Za-z0-9+/]+={0,2}$/.test(text) && text.length % 4 === 0;
      if (!isBase64 || bytes.length < bytesMin) {
        problem(
          `${name} must be base64 of ${String(bytesMin)} random bytes: openssl rand -base64 32`,
        );
      }
      return bytes;
    },
    problem,
    finish() {
      if (problems.length > 0) throw new ConfigError(problems);
    },
  };
}
