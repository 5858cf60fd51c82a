import type { Money } from '../../kernel/money.ts';
import type { ChannelFacts, StateFacts } from './channel-facts.ts';
import type { SkuGroup } from './guess-categories.ts';

export type ProposedRegistration = {
  readonly state: string;
  readonly since: string;
  readonly facts: StateFacts | undefined;
};

/** A fee for deliveries in a state, whose amount or exemption a person says. */
export type StateFee = {
  readonly state: string;
  readonly name: string;
  /** Who does not owe it. */
  readonly limits: string;
};

/** A state with sales of which few or none were taxed. */
export type QuietState = {
  readonly state: string;
  /** The first month with tax. */
  readonly since: string;
  readonly facts: StateFacts;
  /** From which sales on a seller without presence there has to collect. */
  readonly threshold: Money | undefined;
  readonly isReached: boolean;
};

export type ProposedChannel = {
  readonly name: string;
  readonly title: string;
  /** The id of a profile, or a file of the folder. */
  readonly profile: string;
  readonly isOwn: boolean;
  /** All that is sold there is taxed by the marketplace. */
  readonly isMarketplace: boolean;
  readonly files: readonly string[];
  readonly refundDates: readonly string[];
  /** Places of business that the exports name. */
  readonly places: readonly string[];
  readonly facts: ChannelFacts;
};

/** What the exports of a folder show, and what is assumed where they show nothing. */
export type Proposal = {
  readonly timeZone: string;
  /** Whether the exports show the zone. */
  readonly isZoneProven: boolean;
  /** Where orders are sent from; a person said it. */
  readonly shipFrom: {
    readonly state: string;
    readonly zip: string;
    readonly city: string;
    readonly street: string;
  };
  readonly registrations: readonly ProposedRegistration[];
  readonly quiet: readonly QuietState[];
  readonly fees: readonly StateFee[];
  readonly channels: readonly ProposedChannel[];
  readonly categories: readonly SkuGroup[];
  readonly certificates: readonly string[];
  /** Records that a close would leave open, by the code of what is the matter. */
  readonly open: ReadonlyMap<string, number>;
  /** Refunds of a part that their export does not divide into goods, shipping and tax. */
  readonly undividedRefunds: number;
  /** Files and findings that no key of the proposal takes care of. */
  readonly left: readonly string[];
};

/** What a person says instead of what is assumed, or confirms of it. */
export type Decisions = {
  readonly entity: string;
  readonly name: string;
  readonly timeZone: string;
  readonly isZoneSaid: boolean;
  readonly registered: readonly string[];
  readonly isRegistrationSaid: boolean;
  /** ZIPs of places of business, by channel and name. */
  readonly placeZips: ReadonlyMap<string, string>;
  readonly undividedRefunds: 'hold' | 'prorate';
};
