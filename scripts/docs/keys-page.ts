import { code, tableLines } from './markdown.ts';

/** One schema of JSON Schema, as far as the pages read it. */
export type Described = {
  readonly $ref?: string;
  readonly $defs?: Readonly<Record<string, Described>>;
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
  readonly prefixItems?: readonly Described[];
  readonly additionalProperties?: Described | false;
  readonly anyOf?: readonly Described[];
  readonly oneOf?: readonly Described[];
};

type Section = { readonly path: string; readonly form: Described };

/** A page with a table of keys for the whole and for each part that has keys of its own, and the forms that keys share. */
export const keysPage = (head: string, form: Described): string => {
  const sections = sectionsOf({ path: '', form }).filter(
    (section, index, all) => all.findIndex((other) => isSame(other, section)) === index,
  );
  const hasExamples = sections.some(({ form: { properties } }) =>
    Object.values(properties ?? {}).some(({ examples }) => examples !== undefined),
  );
  const texts = sections.map(({ path, form: part }) => {
    const title = path === '' ? 'The whole' : `\`${path}\``;
    return [`## ${title}`, '', ...keyTable(part, hasExamples), ''].join('\n');
  });
  return [head, ...texts, ...sharedForms(form)].join('\n');
};

/** The places of keys that say nothing of themselves; of one form among several the form speaks. */
export const undescribedKeys = (form: Described): readonly string[] =>
  sectionsOf({ path: '', form }).flatMap(({ path, form: { properties } }) =>
    Object.entries(properties ?? {}).flatMap(([key, { description }]) =>
      description === undefined ? [`${path}.${key}`] : [],
    ),
  );

/** Forms of one part can have a part of theirs in common. */
const isSame = (one: Section, other: Section): boolean =>
  one.path === other.path && JSON.stringify(one.form.properties) === JSON.stringify(other.form.properties);

const sectionsOf = ({ path, form }: Section): readonly Section[] => [
  ...(form.properties ? [{ path, form }] : []),
  ...Object.entries(form.properties ?? {}).flatMap(([key, value]) => {
    const place = path === '' ? key : `${path}.${key}`;
    const { items, additionalProperties: member, oneOf } = value;
    if (oneOf)
      return oneOf.flatMap((each) => [
        { path: `${place}\` of kind \`${each.properties?.['kind']?.const}`, form: each },
        ...sectionsOf({ path: place, form: each }).slice(1),
      ]);
    if (items) return sectionsOf({ path: `${place}[]`, form: items });
    return member
      ? sectionsOf({ path: `${place}.*`, form: member })
      : sectionsOf({ path: place, form: value });
  }),
];

const keyTable = ({ properties = {}, required }: Described, hasExamples: boolean): readonly string[] => {
  const rows = Object.entries(properties).map(([key, value]) => [
    code(key),
    value.description ?? '',
    typeOf(value),
    defaultOf(value, required?.includes(key) === true),
    ...(hasExamples ? [exampleOf(value)] : []),
  ]);
  return tableLines([['Key', 'Meaning', 'Type', 'Default', ...(hasExamples ? ['Example'] : [])], ...rows]);
};

/** An example of what a key takes. A part, and a list or map of parts, has its own table. */
const exampleOf = ({ examples = [], type, enum: values = [], ...value }: Described): string => {
  const example =
    examples[0] ?? (type === 'boolean' ? true : (value.const ?? values.at(-1) ?? value.default));
  const hasTable = value.properties ?? value.items?.properties ?? value.additionalProperties;
  return example === undefined || hasTable ? '' : code(example);
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
  return `${KINDS[value.type ?? ''] ?? 'plain text'}${rangeOf(value)}`;
};

const KINDS: Readonly<Record<string, string>> = { integer: 'whole number', number: 'number' };

const rangeOf = ({ minimum = Number.NaN, maximum = Number.NaN }: Described): string =>
  [
    ...(minimum > Number.MIN_SAFE_INTEGER ? [` from ${minimum}`] : []),
    ...(maximum < Number.MAX_SAFE_INTEGER ? [` to ${maximum}`] : []),
  ].join('');

const defaultOf = (value: Described, isRequired: boolean): string => {
  if (isRequired) return 'required';
  return value.default === undefined || value.properties ? '' : code(value.default);
};

/** The forms of texts, amounts and tests of a profile, which many of its keys take. */
const sharedForms = (page: Described): readonly string[] =>
  Object.entries({ text: 'A text', amount: 'An amount', test: 'A test' }).flatMap(([name, title]) => {
    const { $ref, anyOf } = page.$defs?.[name] ?? {};
    const forms = anyOf ?? page.$defs?.[$ref?.split('/').at(-1) ?? '']?.anyOf;
    if (!forms) return [];
    const rows = forms.map((form) =>
      form.properties
        ? [`\`{ ${Object.entries(form.properties).map(sketchOf).join(', ')} }\``, form.description ?? '']
        : ['a column', 'What stands in it.'],
    );
    return [
      [`## ${title} is one of these`, '', ...tableLines([['Form', 'Meaning'], ...rows]), ''].join('\n'),
    ];
  });

const sketchOf = ([key, value]: readonly [string, Described]): string =>
  `${key}: ${value.items ? '[…]' : value.prefixItems ? '[…, …]' : '…'}`;
