import { OTHER_STATE, SOLD_IN_PERSON } from '../../../sales/read-ship-to.ts';
import { holding, type SaleFinding } from '../../../sales/sale.ts';
import type { OpenLoad } from '../reading/channel-load.ts';
import { changeDoubtful } from './change-doubtful.ts';

/**
 * Without configured places, a seller has one shop, at its own address. Exports that name several places prove
 * otherwise: then the place of no sale in person is known, and each is held until the places have addresses.
 *
 * @param names the places of business that the files of this load name
 */
export const holdUnplaced = async (load: OpenLoad, names: ReadonlySet<string>): Promise<void> => {
  const { channel } = load;
  if (names.size < 2 || Object.keys(channel.locations).length > 0) return;
  const list = [...names].sort().join(', ');
  const message = `the exports name ${names.size} places of business (${list}), and the channel has no \`locations\`: give each of them its address there`;
  const doubt: SaleFinding = { code: 'unknown-location', message };
  await changeDoubtful(load, (sale) => {
    const others = sale.findings.filter(({ code }) => code !== SOLD_IN_PERSON && code !== OTHER_STATE);
    if (others.length === sale.findings.length) return undefined;
    return { ...sale, outcome: 'review', findings: [...holding([doubt]), ...others] };
  });
};
