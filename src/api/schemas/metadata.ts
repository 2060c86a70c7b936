import { Type } from 'typebox';
import { METADATA_KEY_MAX, METADATA_PAIRS_MAX, METADATA_VALUE_MAX } from '../../domain/metadata.ts';

/** Where a body has metadata, `propertyNames` alone judges a name; TypeBox's own pattern of a record has no U+2028. */
const ANY_NAME = '^[\\s\\S]*$';

interface MetadataWords {
  /** A pattern that every name matches. */
  readonly names: string;
  readonly description: string;
  readonly example: Readonly<Record<string, string>>;
}

/** Metadata as a body gives it; that all of it stays within 8 kB is for the code behind the schema to judge. */
export const metadataInput = ({ names, description, example }: MetadataWords) =>
  Type.Record(Type.String({ pattern: ANY_NAME }), Type.String({ maxLength: METADATA_VALUE_MAX }), {
    additionalProperties: false,
    maxProperties: METADATA_PAIRS_MAX,
    propertyNames: { minLength: 1, maxLength: METADATA_KEY_MAX, pattern: names },
    description,
    examples: [example],
  });

/** Metadata as an answer gives it: every pair that was taken. What the pattern does not match, an answer leaves out. */
export const MetadataOutput = Type.Record(Type.String({ pattern: ANY_NAME }), Type.String());
