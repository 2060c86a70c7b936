/** Values by the name under which the statement's text mentions them: `:name`. */
export type NamedValues = Readonly<Record<string, unknown>>;

/** A statement whose `:name`s have become `$1`, `$2`, ...: `names` are their values' names in order. */
interface NumberedText {
  readonly text: string;
  readonly names: readonly string[];
}

/**
 * What a colon may be in without being a parameter's (text, quoted names, comments, casts), then
 * `$1`, then `:name`. Dollar quoting and array slices do not occur in the stores' statements.
 */
const TOKEN =
  /\b[eE]'(?:\\.|''|[^'\\])*'|'(?:''|[^'])*'|"[^"]*"|--[^\n]*|\/\*[\s\S]*?\*\/|::|(\$\d+)|:([A-Za-z_]\w*)/g;

const numberedTexts = new Map<string, NumberedText>();

/** Numbers the parameters of a statement; a name that occurs again keeps its number. */
export function numberParameters(namedText: string): NumberedText {
  const known = numberedTexts.get(namedText);
  if (known !== undefined) return known;
  const names: string[] = [];
  const text = namedText.replace(TOKEN, (token, position?: string, name?: string) => {
    if (position !== undefined) throw new Error(`${position} among named parameters`);
    if (name === undefined) return token;
    if (!names.includes(name)) names.push(name);
    return `$${String(names.indexOf(name) + 1)}`;
  });
  const numbered = { text, names };
  // Texts are constants of the stores, so they stay few.
  numberedTexts.set(namedText, numbered);
  return numbered;
}

/** The values in the order of `names`. Throws where one is missing or one is not asked for. */
export function valuesInOrder(names: readonly string[], values: NamedValues): unknown[] {
  const missing = names.filter((name) => values[name] === undefined);
  if (missing.length > 0) throw new Error(`no value for :${missing.join(', :')}`);
  const unused = Object.keys(values).filter((name) => !names.includes(name));
  if (unused.length > 0) throw new Error(`the statement does not use :${unused.join(', :')}`);
  return names.map((name) => values[name]);
}
