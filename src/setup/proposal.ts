import type { ChannelFacts, StateFacts } from './channel-facts.ts';
import type { ShipFrom } from './read-ship-from.ts';

export type ProposedRegistration = {
  readonly state: string;
  readonly since: string;
  readonly facts: StateFacts | undefined;
};

export type ProposedChannel = {
  readonly name: string;
  readonly title: string;
  /** The id of a profile, or a profile file in the folder. */
  readonly profile: string;
  readonly isOwn: boolean;
  /** Whether the marketplace collects the tax on all sales there. */
  readonly isMarketplace: boolean;
  /** Whether exports of this kind say nothing about refunds. */
  readonly isWithoutRefunds: boolean;
  readonly files: readonly string[];
  readonly refundDates: readonly string[];
  /** Files for which no pattern reads the next month's download, too. */
  readonly alone: readonly string[];
  readonly facts: ChannelFacts;
};

/** Settings found in the exports of a folder, with assumptions where the exports show nothing. */
export type Proposal = {
  readonly shipFrom: ShipFrom;
  readonly registrations: readonly ProposedRegistration[];
  /** States in which few or no sales were taxed. */
  readonly quiet: readonly ProposedRegistration[];
  readonly channels: readonly ProposedChannel[];
  readonly certificates: readonly string[];
  /** Number of records that a close would leave open, by finding code. */
  readonly open: ReadonlyMap<string, number>;
  /** Files and findings that the proposed keys do not cover. */
  readonly left: readonly string[];
};

/** A person's answers, which confirm or replace the assumptions. */
export type Decisions = {
  readonly entity: string;
  readonly name: string;
  readonly timeZone: string;
  /** Whether a person said the zone, or the ZIP code leaves no other. */
  readonly isZoneSure: boolean;
  readonly registered: readonly string[];
  readonly isRegistrationSaid: boolean;
};

/** A line of the configuration, with the decision it needs, if any. */
export type Line = string | { readonly text: string; readonly decide: string };

export const check = (text: string, decide: string): Line => ({ text, decide });
