import { placeKey } from '../close/setup/configuration-text.ts';
import type { Decisions, Proposal } from '../close/setup/proposal.ts';
import { readShipFrom, type SaidShipFrom } from '../close/setup/read-ship-from.ts';
import { isTimeZone } from '../kernel/calendar.ts';
import { shownCount } from '../kernel/shown-figures.ts';
import { usRegionCode, usRegionsOfZip } from '../kernel/us-regions.ts';

export type InitOptions = {
  readonly output?: string;
  readonly name?: string;
  readonly shipFrom?: string;
  readonly timeZone?: string;
  readonly yes?: boolean;
  readonly json?: boolean;
};

type Ask = (question: string) => Promise<string>;

const isZip = (text: string): boolean => /^\d{5}$/.test(text) && usRegionsOfZip(text).length > 0;

/**
 * Returns the settings if no questions are asked: the options, otherwise what the exports show, otherwise assumptions.
 */
export const assumed = (proposal: Proposal, options: InitOptions, folderName: string): Decisions => {
  const name = options.name ?? titleOf(folderName);
  return {
    entity: slugOf(name),
    name,
    timeZone: options.timeZone ?? proposal.timeZone,
    isZoneSaid: options.timeZone !== undefined,
    registered: proposal.registrations.map(({ state }) => state),
    isRegistrationSaid: false,
    placeZips: new Map(),
    undividedRefunds: 'prorate',
  };
};

/** Asks for the ship-from address. Exports do not show it and a guess leads to wrong rates, so there is no default. */
export const askShipFrom = (ask: Ask): Promise<SaidShipFrom> =>
  questioner(ask)(
    'ZIP code or address that orders are sent from',
    '',
    (text) => {
      const said = readShipFrom(text);
      return typeof said === 'string' ? undefined : said;
    },
    `a ZIP code in use, or an address such as ${ADDRESS_EXAMPLE}`,
  );

export const ADDRESS_EXAMPLE = '1201 K Street, Sacramento, CA 95814';

/** Asks for what the exports do not show. Each question has a default, which an empty answer accepts. */
export const askDecisions = async (
  ask: Ask,
  proposal: Proposal,
  first: Decisions,
  options: InitOptions,
): Promise<Decisions> => {
  const asked = questioner(ask);
  const name = options.name ?? (await asked('Name of the seller', first.name, (text) => text));
  const timeZone =
    options.timeZone ??
    (await asked(
      `Time zone of the seller${proposal.isZoneProven ? ', as the exports show it' : ''}`,
      first.timeZone,
      (text) => (isTimeZone(text) ? text : undefined),
      'an IANA name such as America/Los_Angeles',
    ));
  const registered = await asked(
    'States in which the seller is registered; tax was charged in these',
    first.registered.join(' '),
    statesIn,
    'postal codes such as CA NY TX',
  );
  const placeZips = new Map<string, string>();
  for (const { name: channel, places } of proposal.channels)
    for (const place of places.length > 1 ? places : []) {
      const answer = await asked(`ZIP code of ${place} (${channel})`, '', (text) =>
        text === '' || isZip(text) ? text : undefined,
      );
      if (answer !== '') placeZips.set(placeKey(channel, place), answer);
    }
  const undividedRefunds =
    proposal.undividedRefunds === 0
      ? first.undividedRefunds
      : await asked(
          `${shownCount(proposal.undividedRefunds)} refunds of a part are not divided into goods, shipping and tax: prorate as their orders, or hold for a person`,
          first.undividedRefunds,
          (text) => (text === 'prorate' || text === 'hold' ? text : undefined),
          'prorate or hold',
        );
  return {
    entity: slugOf(name),
    name,
    timeZone,
    isZoneSaid: true,
    registered,
    isRegistrationSaid: true,
    placeZips,
    undividedRefunds,
  };
};

/** Repeats a question until the answer is valid. */
const questioner =
  (ask: Ask) =>
  async <Value>(
    question: string,
    proposed: string,
    read: (text: string) => Value | undefined,
    form = '',
  ): Promise<Value> => {
    const shown = `${question}${proposed === '' ? '' : ` [${proposed}]`}: `;
    let prompt = shown;
    for (;;) {
      const value = read((await ask(prompt)).trim() || proposed);
      if (value !== undefined) return value;
      prompt = `Please write ${form === '' ? 'a ZIP code, or nothing' : form}. ${shown}`;
    }
  };

const statesIn = (text: string): readonly string[] | undefined => {
  const codes = text.split(/[\s,]+/).filter((word) => word !== '');
  const states = codes.map((code) => (code.length === 2 ? usRegionCode(code) : undefined));
  return states.every((state) => state !== undefined) ? [...new Set(states)] : undefined;
};

const titleOf = (folderName: string): string => {
  const words = folderName.split(/[^\p{L}\p{N}&]+/u).filter((word) => word !== '');
  return words.length === 0
    ? 'My shop'
    : words.map((word) => word[0]?.toUpperCase() + word.slice(1)).join(' ');
};

const slugOf = (name: string): string =>
  name
    .normalize('NFD')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '') || 'my-shop';
