import { code, tableLines } from './markdown.ts';

/** One schema of JSON Schema, as far as the page reads it. */
export type Described = {
  readonly $ref?: string;
  readonly $defs?: Readonly<Record<string, Described>>;
  readonly title?: string;
  readonly description?: string;
  readonly type?: string;
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly default?: unknown;
  readonly required?: readonly string[];
  readonly properties?: Readonly<Record<string, Described>>;
  readonly items?: Described;
  readonly prefixItems?: readonly Described[];
  readonly additionalProperties?: Described | false;
  readonly anyOf?: readonly Described[];
  readonly oneOf?: readonly Described[];
};

const HEAD = `# Keys of a source profile

Every key of a profile that reads sales. \`docs/source-profiles.md\` says how one is made and tried; \`samples/harbor-and-pine/desk.yaml\` is a
whole one. A key that is not here is an error. Editors read \`docs/source-profile.schema.json\`. In the repository this list is made from the schema,
\`src/close/sales/profile.ts\`: \`npm test -- -u test/docs\` writes it again.
`;

type Section = { readonly path: string; readonly form: Described };

/** The page of a profile: a table of keys for the whole and each of its parts, and the forms of texts, amounts and tests. */
export const sourceProfilePage = (form: Described): string => {
  const sections = sectionsOf({ path: '', form }).filter(
    (section, index, all) => all.findIndex((other) => isSame(other, section)) === index,
  );
  const forms = ['text', 'amount', 'test'].map((name) => formsText(name, form.$defs?.[name] ?? {}, form));
  return [HEAD, ...sections.map(sectionText), ...forms].join('\n');
};

const isSame = (one: Section, other: Section): boolean =>
  JSON.stringify(one.form.properties) === JSON.stringify(other.form.properties);

const sectionsOf = ({ path, form }: Section): readonly Section[] => [
  ...(form.properties ? [{ path, form }] : []),
  ...Object.entries(form.properties ?? {}).flatMap(([key, value]) => {
    const place = path === '' ? key : `${path}.${key}`;
    if (value.items) return sectionsOf({ path: `${place}[]`, form: value.items });
    if (value.oneOf)
      return value.oneOf.flatMap((each) => [
        { path: `${place}\` of kind \`${each.properties?.['kind']?.const}`, form: each },
        ...sectionsOf({ path: place, form: each }).slice(1),
      ]);
    return sectionsOf({ path: place, form: value });
  }),
];

const sectionText = ({ path, form }: Section): string => {
  const rows = Object.entries(form.properties ?? {}).map(([key, value]) => [
    code(key),
    value.description ?? '',
    typeOf(value),
    form.required?.includes(key)
      ? 'required'
      : value.default === undefined || value.properties
        ? ''
        : code(value.default),
  ]);
  const lines = tableLines([['Key', 'Meaning', 'Type', 'Default'], ...rows]);
  return [path === '' ? '## The whole' : `## \`${path}\``, '', ...lines, ''].join('\n');
};

const typeOf = (value: Described): string => {
  if (value.$ref) return value.$ref.split('/').at(-1) ?? '';
  if (value.const !== undefined) return code(value.const);
  if (value.enum) return value.enum.map(code).join(', ');
  if (value.title !== undefined) return value.title;
  if (value.oneOf) return 'part';
  if (value.anyOf) return value.anyOf.map(typeOf).join(', or ');
  if (value.items) return `list of ${value.items.properties ? 'parts' : typeOf(value.items)}`;
  if (value.prefixItems) return `list of one ${value.prefixItems.map(typeOf).join(', ')}`;
  if (value.properties)
    return value.description ? 'part' : `\`{ ${Object.keys(value.properties).join(', ')} }\``;
  if (value.type === 'object') return 'map';
  if (value.type === 'boolean') return '`true` or `false`';
  return value.type === 'integer' ? 'whole number' : 'plain text';
};

const TITLES: Readonly<Record<string, string>> = {
  text: 'A text is one of these',
  amount: 'An amount is one of these',
  test: 'A test is one of these',
};

const formsText = (name: string, { $ref, anyOf }: Described, page: Described): string => {
  const forms = anyOf ?? page.$defs?.[$ref?.split('/').at(-1) ?? '']?.anyOf ?? [];
  const rows = forms.map((form) =>
    form.properties
      ? [`\`{ ${Object.entries(form.properties).map(exampleOf).join(', ')} }\``, form.description ?? '']
      : ['a column', 'What stands in it.'],
  );
  return [`## ${TITLES[name]}`, '', ...tableLines([['Form', 'Meaning'], ...rows]), ''].join('\n');
};

const exampleOf = ([key, value]: readonly [string, Described]): string =>
  `${key}: ${value.items ? '[…]' : value.prefixItems ? '[…, …]' : '…'}`;
