import { rangesOf } from './address.ts';
import { type Element, elementOf, elementsOf, textOf } from './markup.ts';

/** What belongs to a sheet and stands in files of its own. */
export type SheetParts = {
  readonly tables: readonly Element[];
  /** Where links out of the book lead, by their ids. */
  readonly targets: ReadonlyMap<string, string>;
  /** Names of this sheet alone, such as the rows that are printed on every page. */
  readonly ownNames: readonly string[];
};

/** What holds for a sheet as a whole, or for ranges of it, a line each. */
export const setUpOf = (sheet: Element, parts: SheetParts): readonly string[] => [
  ...viewLines(sheet),
  ...parts.tables.map(tableLine),
  ...protectionLines(sheet),
  ...validationLines(sheet),
  ...conditionLines(sheet),
  ...mergedLines(sheet),
  ...printLines(sheet),
  ...parts.ownNames,
  ...linkLines(sheet, parts.targets),
];

const viewLines = (sheet: Element): readonly string[] => {
  const view = elementOf(sheet, 'sheetView');
  const pane = elementOf(sheet, 'pane');
  const hidden = elementsOf(sheet, 'col').filter(({ attributes }) => attributes['hidden'] === '1');
  return [
    ...(pane ? [`frozen before ${pane.attributes['topLeftCell']}`] : []),
    ...(view?.attributes['showGridLines'] === '0' ? ['no grid lines'] : []),
    ...hidden.map(({ attributes }) => `columns ${attributes['min']} to ${attributes['max']} are hidden`),
  ];
};

const tableLine = (table: Element): string => {
  const { name, ref, totalsRowCount, headerRowCount } = table.attributes;
  const style = elementOf(table, 'tableStyleInfo')?.attributes['name'];
  return [
    `table ${name} at ${ref}`,
    headerRowCount === '0' ? 'no titles' : '',
    totalsRowCount === '1' ? 'with totals' : '',
    elementOf(table, 'autoFilter') ? 'can be filtered' : '',
    style ?? '',
  ]
    .filter((word) => word !== '')
    .join(', ');
};

const protectionLines = (sheet: Element): readonly string[] => {
  const { sheet: isOn, ...others } = elementOf(sheet, 'sheetProtection')?.attributes ?? {};
  if (isOn !== '1') return [];
  const allowed = Object.keys(others).filter((name) => others[name] === '0');
  return [`protected; allowed: ${allowed.sort().join(', ')}`];
};

const validationLines = (sheet: Element): readonly string[] =>
  elementsOf(sheet, 'dataValidation').map((rule) => {
    const { sqref, type, operator, error } = rule.attributes;
    const limits = ['formula1', 'formula2'].map((name) => textOf(elementOf(rule, name)));
    return `${sqref} takes ${[type, operator, ...limits].filter(Boolean).join(' ')}: ${error ?? ''}`;
  });

const conditionLines = (sheet: Element): readonly string[] =>
  elementsOf(sheet, 'conditionalFormatting').flatMap((format) =>
    elementsOf(format, 'cfRule').map((rule) => {
      const { type, operator } = rule.attributes;
      const formulas = elementsOf(rule, 'formula').map(textOf).join(' and ');
      const test = [type === 'expression' ? '' : type, operator, formulas].filter(Boolean).join(' ');
      return `${format.attributes['sqref']} when ${test}`;
    }),
  );

const mergedLines = (sheet: Element): readonly string[] =>
  elementsOf(sheet, 'mergeCell').map(({ attributes }) => `${attributes['ref']} is one cell`);

const PAPERS: Readonly<Record<string, string>> = { 1: 'letter', 3: 'tabloid', 9: 'A4' };

const printLines = (sheet: Element): readonly string[] => {
  const {
    paperSize = '',
    orientation,
    fitToWidth,
    fitToHeight,
  } = elementOf(sheet, 'pageSetup')?.attributes ?? {};
  const paper = PAPERS[paperSize] ?? `paper ${paperSize}`;
  const high = fitToHeight === '0' ? 'any number of' : fitToHeight;
  const footer = elementsOf(sheet, 'oddFooter').map(textOf);
  const header = elementsOf(sheet, 'oddHeader').map(textOf);
  // A sheet with a picture breaks its page before the picture, which is part of how it is drawn.
  const breaks = elementOf(sheet, 'drawing') ? [] : elementsOf(sheet, 'brk');
  return [
    `printed on ${paper}, ${orientation}, ${fitToWidth} page wide, ${high} pages high`,
    ...header.map((text) => `page header ${text}`),
    ...footer.map((text) => `page footer ${text}`),
    ...breaks.map(({ attributes }) => `page ends after row ${attributes['id']}`),
  ];
};

const linkLines = (sheet: Element, targets: ReadonlyMap<string, string>): readonly string[] => {
  const links = elementsOf(sheet, 'hyperlink').map(({ attributes }): [string, string] => [
    attributes['ref'] ?? '',
    attributes['location'] ?? targets.get(attributes['r:id'] ?? '') ?? '',
  ]);
  return rangesOf(new Map(links)).map(([range, target]) => `link at ${range} to ${target}`);
};
