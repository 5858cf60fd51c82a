import { code, tableLines } from './markdown.ts';

/** One schema of JSON Schema, as far as the page reads it. */
export type Described = {
  readonly title?: string;
  readonly description?: string;
  readonly type?: string;
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly default?: unknown;
  readonly examples?: readonly unknown[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly required?: readonly string[];
  readonly properties?: Readonly<Record<string, Described>>;
  readonly items?: Described;
  readonly additionalProperties?: Described | false;
};

const HEAD = `# Configuration

Every key of \`tieout.yaml\`. It is strict: a key that it does not know is an error. Keys of several entities stand beside
\`entities\`, as \`docs/several-entities.md\` says; editors read \`docs/tieout.schema.json\`. In the repository this list is made from the schema,
\`src/close/configuration/schema.ts\`: \`npm test -- -u test/docs\` writes it again.
`;

type Section = { readonly path: string; readonly form: Described };

/** The page of a configuration: a table of keys for the whole and for each part that has keys of its own. */
export const configurationPage = (form: Described): string =>
  `${[HEAD, ...sectionsOf({ path: '', form }).map(sectionText)].join('\n')}`;

const sectionsOf = ({ path, form }: Section): readonly Section[] => [
  { path, form },
  ...Object.entries(form.properties ?? {}).flatMap(([key, value]) => {
    const part = partOf(value);
    if (!part) return [];
    const place = path === '' ? key : `${path}.${key}`;
    return sectionsOf({ path: `${place}${part.suffix}`, form: part.form });
  }),
];

/** What has keys of its own: an object, or the members of a list or of a map. */
const partOf = (value: Described): { readonly suffix: string; readonly form: Described } | undefined => {
  if (value.properties) return { suffix: '', form: value };
  if (value.items?.properties) return { suffix: '[]', form: value.items };
  const member = value.additionalProperties;
  return typeof member === 'object' && 'properties' in member ? { suffix: '.*', form: member } : undefined;
};

const sectionText = ({ path, form }: Section): string => {
  const rows = Object.entries(form.properties ?? {}).map(([key, value]) => [
    `\`${key}\``,
    value.description ?? '',
    typeOf(value),
    defaultOf(value, form.required?.includes(key) === true),
    exampleOf(value),
  ]);
  const lines = tableLines([['Key', 'Meaning', 'Type', 'Default', 'Example'], ...rows]);
  return [path === '' ? '## The whole' : `## \`${path}\``, '', ...lines, ''].join('\n');
};

const typeOf = (value: Described): string => {
  if (value.const !== undefined) return code(value.const);
  if (value.enum) return value.enum.map(code).join(', ');
  if (value.title !== undefined) return value.title;
  if (value.type === 'array')
    return `list of ${value.items?.properties ? 'parts' : typeOf(value.items ?? {})}`;
  if (value.type === 'object') return value.properties ? 'part' : 'map';
  if (value.type === 'boolean') return '`true` or `false`';
  const { minimum = Number.NaN, maximum = Number.NaN } = value;
  const range = [
    ...(minimum > Number.MIN_SAFE_INTEGER ? [`from ${minimum}`] : []),
    ...(maximum < Number.MAX_SAFE_INTEGER ? [`to ${maximum}`] : []),
  ].join(' ');
  const kind = value.type === 'integer' ? 'whole number' : value.type === 'number' ? 'number' : 'text';
  return range === '' ? kind : `${kind} ${range}`;
};

const defaultOf = (value: Described, isRequired: boolean): string => {
  if (isRequired) return 'required';
  if (value.default === undefined || value.properties) return '';
  return code(value.default);
};

const exampleOf = (value: Described): string => {
  if (value.examples) return code(value.examples[0]);
  if (partOf(value)) return 'see below';
  if (value.type === 'boolean') return code(true);
  return code(value.const ?? value.enum?.at(-1) ?? value.default);
};
