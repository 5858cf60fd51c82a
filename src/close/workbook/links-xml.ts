import type { PlacedLink } from './draw-lines.ts';
import { linkTarget, type PlacedSheet } from './layout.ts';
import { xmlText } from './spreadsheet-text.ts';

/** Elements that follow a sheet's links in the order the format prescribes; exceljs always writes the margins. */
const FOLLOWS_LINKS = /<printOptions|<pageMargins/;

/** Put a sheet's links where they belong in what follows its rows. */
export const withLinks = (
  tail: string,
  links: readonly PlacedLink[],
  placed: readonly PlacedSheet[],
): string => {
  if (links.length === 0) return tail;
  const items = links.map(
    ({ address, link }) => `<hyperlink ref="${address}" location="${xmlText(linkTarget(link, placed))}"/>`,
  );
  return tail.replace(FOLLOWS_LINKS, (found) => `<hyperlinks>${items.join('')}</hyperlinks>${found}`);
};
