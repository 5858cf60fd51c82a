import { providerOf } from '../../configuration/provider-of.ts';
import type { SalesPage } from '../../workspace/sale-page.ts';
import { keepProviders, providersSent } from '../../workspace/sent-records.ts';
import type { ClosePorts } from '../run/close-ports.ts';

/**
 * Return what stores the provider of the channels of a page, before any of its sales is sent. What was stored first stays:
 * a close with another provider is refused while the service holds records of the channel.
 */
export const providerNotes = async (ports: ClosePorts): Promise<(page: SalesPage) => Promise<void>> => {
  const known = new Set((await providersSent(ports)).map(({ channel }) => channel));
  return async ({ sales }) => {
    const channels = [...new Set(sales.map(({ sale }) => sale.channel))].filter((name) => !known.has(name));
    if (channels.length === 0) return;
    await keepProviders(
      ports,
      channels.map((channel) => ({ channel, provider: providerOf(ports.configuration, channel) })),
    );
    for (const channel of channels) known.add(channel);
  };
};
