interface Root {
  paths?: unknown;
  webhooks?: unknown;
  components?: { schemas?: object };
}

/**
 * Writes every titled schema once, as components.schemas.<title>, and refers to it wherever it stood:
 * a smaller document, and generated clients get types with names. Two different schemas of one title
 * are a mistake and throw.
 */
export function shareTitledSchemas<Doc extends object>(document: Doc): Doc {
  const shared = new Map<string, { readonly text: string; readonly schema: unknown }>();
  const root = document as Root;

  function hoist(value: unknown): unknown {
    if (Array.isArray(value)) return value.map(hoist);
    if (typeof value !== 'object' || value === null) return value;
    const members = Object.entries(value).map(([name, item]) => [name, hoist(item)] as const);
    const schema = Object.fromEntries(members);
    const { title, type } = schema;
    if (typeof title !== 'string' || type !== 'object') return schema;
    const text = JSON.stringify(schema);
    const known = shared.get(title);
    if (known !== undefined && known.text !== text) {
      throw new Error(`two schemas are titled ${title}`);
    }
    shared.set(title, { text, schema });
    return { $ref: `#/components/schemas/${title}` };
  }

  const paths = hoist(root.paths);
  const webhooks = hoist(root.webhooks);
  const schemas = Object.fromEntries([...shared].map(([title, { schema }]) => [title, schema]));
  root.paths = paths;
  if (webhooks !== undefined) root.webhooks = webhooks;
  root.components = {
    ...root.components,
    schemas: { ...schemas, ...root.components?.schemas },
  };
  return document;
}
