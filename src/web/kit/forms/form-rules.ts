/** What is wrong with one field of a form, in a sentence for who filled it in. */
export interface FieldProblem {
  readonly field: string;
  readonly message: string;
  /** What else is to be said of it, as the tries that are left. */
  readonly more?: string;
}

/** What a form takes under one name. */
export interface FieldRule {
  /** As sentences name it: "an email address". */
  readonly what: string;
  /** In characters. */
  readonly lengthMax: number;
  readonly isOptional?: boolean;
  /** May come more than once, as boxes that are ticked. */
  readonly isList?: boolean;
  /** Says in a sentence what is wrong with a text; null where nothing is. */
  readonly check?: (text: string) => string | null;
}

/** The fields of a form by name. What it does not name is refused. */
export type FormRules = Readonly<Record<string, FieldRule>>;
