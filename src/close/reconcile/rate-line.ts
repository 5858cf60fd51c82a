import type { FilingPeriod } from '../../kernel/period.ts';
import { formatRate, rate } from '../../kernel/rate.ts';
import type { Cluster } from './clusters.ts';

/** The columns of a rate file that a person can fill in; `tieout content import` reads it. */
const COLUMNS = 'state,level,name,rate,from,counties,places,source,confidence';

/** What to do about rates that the tax content lacks. */
export const gapTodo = ({ code }: Pick<Cluster, 'code'>): string =>
  code === 'R28'
    ? 'Export the ZIP codes of these sales and close again.'
    : `Look up each rate. Write its line under \`${COLUMNS}\` into a CSV file, correct the rate, fill in the source, import the file with \`tieout content import FILE --content FOLDER\`, and close again.`;

/**
 * The line of a rate file for a place that lacks a rate, as a sentence; empty for other causes. What the shop charged
 * beyond Tieout's rate is a hint, so its confidence is `shop`. A rate that the shop did not state, or not always, is left
 * to the person who looks it up, and so is the source: without it the file is refused. A place that the content does not
 * have is named by its county.
 */
export const rateLine = (
  { code, state, where, own, rates, area }: Cluster,
  { first }: Pick<FilingPeriod, 'first'>,
): string => {
  const name = plainName(where);
  if (code === 'R28' || own === null || area === undefined || name === '') return '';
  const [shop, ...others] = rates;
  const charged = shop === undefined || others.length > 0 ? '' : formatRate(rate(shop - own));
  const level = area.place === '' ? 'county' : 'city';
  const cells = [state, level, `${name} local tax`, charged, first, area.counties, area.place, '', 'shop'];
  return ` Its line for a rate file: \`${cells.join(',')}\`.`;
};

/** Leaves out of a city of an export what would divide a line, or be a formula in a spreadsheet. */
const plainName = (where: string): string =>
  where.replace(/[^\p{L}\p{N}.'’-]+/gu, ' ').replace(/^[^\p{L}\p{N}]+| +$/gu, '');
