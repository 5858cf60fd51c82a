import type { Money } from '../../../../kernel/money.ts';
import { OTHER_STATE, SOLD_IN_PERSON } from '../../../sales/read-ship-to.ts';
import { holding, type Sale, type SaleFinding } from '../../../sales/sale.ts';
import { doubtfulSales } from '../../../workspace/load-sales.ts';
import { putSales, salesByKey } from '../../../workspace/put-sales.ts';
import { saleRow } from '../../../workspace/sale-rows.ts';
import { type ChannelConfiguration, type OpenLoad, ownerOf } from '../reading/channel-load.ts';

/**
 * Without configured places, a seller has one shop, at its own address. Exports that name several places prove
 * otherwise: then the place of no sale in person is known, and each is held until the places have addresses.
 *
 * @param names the places of business that the files of this load name
 */
export const holdUnplaced = async (load: OpenLoad, names: ReadonlySet<string>): Promise<void> => {
  const { channel, workspace } = load;
  const doubt = doubtOfPlaces(channel, names);
  if (!doubt) return;
  for await (const page of doubtfulSales(load)) {
    const sales = await salesByKey(
      workspace,
      page.map(({ key }) => key),
    );
    const held = page.flatMap(({ key, refunded, file, controls }) => {
      const sale = withoutPlace(sales.get(key) as Sale, doubt);
      return sale ? [saleRow(ownerOf(load), sale, { refunded: refunded as Money, file, controls })] : [];
    });
    await workspace.together((within) => putSales(within, held));
  }
};

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
