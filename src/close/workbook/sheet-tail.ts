import type { PlacedLink } from './draw-lines.ts';
import { linkTarget, type PlacedSheet, tablesOn } from './layout.ts';
import { columnLetter } from './spreadsheet-name.ts';
import { xmlText } from './spreadsheet-text.ts';

/** The elements that follow the links in the order that the format prescribes; exceljs always writes the margins. */
const AFTER_LINKS = /<printOptions|<pageMargins/;
/** The elements that follow the suppressed warnings; every sheet with a table has a table part. */
const AFTER_WARNINGS = /<legacyDrawing|<tableParts|<\/worksheet>/;
/** External links, which exceljs writes. */
const LINKS_OUT = /<hyperlinks>.*<\/hyperlinks>/s;
/** exceljs puts the drawing of the header notes after the table part, where Excel reports a damaged file. */
const NOTES_BEHIND_TABLE = /(<tableParts.*?<\/tableParts>)(<legacyDrawing [^>]*\/>)/s;

/** Completes the XML that exceljs wrote after a sheet's rows with the elements that it cannot write. */
export const sheetTail = (
  tail: string,
  sheet: PlacedSheet,
  links: readonly PlacedLink[],
  sheets: readonly PlacedSheet[],
): string => {
  const out = LINKS_OUT.exec(tail)?.[0].slice('<hyperlinks>'.length, -'</hyperlinks>'.length) ?? '';
  return tail
    .replace(LINKS_OUT, '')
    .replace(NOTES_BEHIND_TABLE, '$2$1')
    .replace(AFTER_LINKS, (found) => linksXml(out, links, sheets) + found)
    .replace(AFTER_WARNINGS, (found) => warningsXml(sheet) + found);
};

const linksXml = (out: string, links: readonly PlacedLink[], sheets: readonly PlacedSheet[]): string => {
  if (links.length === 0 && out === '') return '';
  const items = links.map(
    ({ address, link }) => `<hyperlink ref="${address}" location="${xmlText(linkTarget(link, sheets))}"/>`,
  );
  return `<hyperlinks>${out}${items.join('')}</hyperlinks>`;
};

/**
 * Suppresses warnings: identifiers are numbers stored as text on purpose, and Excel would mark every one as an error.
 */
const warningsXml = (sheet: PlacedSheet): string => {
  const ranges = identifierRanges(sheet);
  if (ranges.length === 0) return '';
  return `<ignoredErrors><ignoredError sqref="${ranges.join(' ')}" numberStoredAsText="1"/></ignoredErrors>`;
};

const identifierRanges = (sheet: PlacedSheet): readonly string[] => {
  if (sheet.kind === 'laid-out') {
    return sheet.grids.map(
      ({ grid, firstRow, lastRow }) => `A${firstRow}:${columnLetter(grid.columns.length)}${lastRow}`,
    );
  }
  return tablesOn(sheet).flatMap(({ source, firstRow, lastRow }) =>
    source.sheet.columns.flatMap(({ format }, index) => {
      const letter = columnLetter(index + 1);
      return format === 'id' ? [`${letter}${firstRow}:${letter}${lastRow}`] : [];
    }),
  );
};
