import { OTHER_STATE, SOLD_IN_PERSON } from '../close/sales/read-ship-to.ts';
import { holding, type Sale, type SaleFinding } from '../close/sales/sale.ts';
import type { ChannelConfiguration } from './channel-load.ts';

/** Returns why the place of sales in person is not known, if the exports of a channel name several. */
export const doubtOfPlaces = (
  { locations }: Pick<ChannelConfiguration, 'locations'>,
  names: ReadonlySet<string>,
): SaleFinding | undefined => {
  if (names.size < 2 || Object.keys(locations).length > 0) return undefined;
  const list = [...names].sort().join(', ');
  const message = `the exports name ${names.size} places of business (${list}), and the channel has no \`locations\`: give each of them its address there`;
  return { code: 'unknown-location', message };
};

/** Returns a sale in person as held for this reason; `undefined` for any other. */
export const withoutPlace = (sale: Sale, doubt: SaleFinding): Sale | undefined => {
  const others = sale.findings.filter(({ code }) => code !== SOLD_IN_PERSON && code !== OTHER_STATE);
  if (others.length === sale.findings.length) return undefined;
  return { ...sale, outcome: 'review', findings: [...holding([doubt]), ...others] };
};
