import { isTimeZone } from '../kernel/calendar.ts';
import { usRegionCode } from '../kernel/us-regions.ts';
import type { Decisions, Proposal } from '../setup/proposal.ts';
import { readShipFrom, type ShipFrom } from '../setup/read-ship-from.ts';

export type InitOptions = {
  readonly output?: string;
  readonly name?: string;
  readonly shipFrom?: string;
  readonly timeZone?: string;
  readonly yes?: boolean;
  readonly json?: boolean;
};

type Ask = (question: string) => Promise<string>;

export const ADDRESS_EXAMPLE = '1201 K Street, Sacramento, CA 95814';

/** Asks for the ship-from address. Exports do not show it and a guess leads to wrong rates, so there is no default. */
export const askShipFrom = (ask: Ask): Promise<ShipFrom> =>
  questioner(ask)(
    'ZIP code or address that orders are sent from',
    '',
    (text) => {
      const said = readShipFrom(text);
      return typeof said === 'string' ? undefined : said;
    },
    `a ZIP code in use, or an address such as ${ADDRESS_EXAMPLE}`,
  );

export const askTimeZone = (ask: Ask, proposed: string): Promise<string> =>
  questioner(ask)(
    'Time zone of the seller',
    proposed,
    (text) => (isTimeZone(text) ? text : undefined),
    'an IANA name such as America/Los_Angeles',
  );

/** What is decided: the options, else the answers, each with a default that an empty one accepts, else assumptions. */
export const decide = async (
  ask: Ask | undefined,
  { registrations }: Proposal,
  options: InitOptions,
  assumed: Pick<Decisions, 'name' | 'timeZone' | 'isZoneSure'>,
): Promise<Decisions> => {
  const proposed = registrations.map(({ state }) => state);
  const asked = ask && questioner(ask);
  const name =
    options.name ?? (asked ? await asked('Name of the seller', assumed.name, (text) => text) : assumed.name);
  const registered = asked
    ? await asked(
        'States in which the seller is registered; tax was charged in these',
        proposed.join(' '),
        statesIn,
        'postal codes such as CA NY TX',
      )
    : proposed;
  return { ...assumed, entity: slugOf(name), name, registered, isRegistrationSaid: ask !== undefined };
};

/** Repeats a question until the answer is valid. */
const questioner =
  (ask: Ask) =>
  async <Value>(
    question: string,
    proposed: string,
    read: (text: string) => Value | undefined,
    form = 'it again',
  ): Promise<Value> => {
    const shown = `${question}${proposed === '' ? '' : ` [${proposed}]`}: `;
    let prompt = shown;
    for (;;) {
      const value = read((await ask(prompt)).trim() || proposed);
      if (value !== undefined) return value;
      prompt = `Please write ${form}. ${shown}`;
    }
  };

const statesIn = (text: string): readonly string[] | undefined => {
  const codes = text.split(/[\s,]+/).filter((word) => word !== '');
  const states = codes.map((code) => (code.length === 2 ? usRegionCode(code) : undefined));
  return states.every((state) => state !== undefined) ? [...new Set(states)] : undefined;
};

/** A name for the seller, from the name of the folder. */
export const titleOf = (folderName: string): string => {
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
