import type { Money } from '../../kernel/money.ts';
import type { ChannelFacts, StateFacts } from './channel-facts.ts';
import type { SkuGroup } from './guess-categories.ts';

export type ProposedRegistration = {
  readonly state: string;
  readonly since: string;
  readonly facts: StateFacts | undefined;
};

/** A delivery fee of a state whose amount or exemption a person must supply. */
export type StateFee = {
  readonly state: string;
  readonly name: string;
  /** Who is exempt from it. */
  readonly limits: string;
};

/** A state in which few or no sales were taxed. */
export type QuietState = {
  readonly state: string;
  /** First day of the first month with tax. */
  readonly since: string;
  readonly facts: StateFacts;
  /** Sales threshold above which a seller without presence there must collect. */
  readonly threshold: Money | undefined;
  readonly isReached: boolean;
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
  /** Places of business that the exports name. */
  readonly places: readonly string[];
  readonly facts: ChannelFacts;
};

/** Settings found in the exports of a folder, with assumptions where the exports show nothing. */
export type Proposal = {
  readonly timeZone: string;
  /** Whether the exports show the time zone. */
  readonly isZoneProven: boolean;
  /** Where orders are sent from, as a person entered it. */
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
  /** Number of records that a close would leave open, by finding code. */
  readonly open: ReadonlyMap<string, number>;
  /** Number of partial refunds that their export does not divide into goods, shipping and tax. */
  readonly undividedRefunds: number;
  /** Files and findings that the proposed keys do not cover. */
  readonly left: readonly string[];
};

/** A person's answers, which confirm or replace the assumptions. */
export type Decisions = {
  readonly entity: string;
  readonly name: string;
  readonly timeZone: string;
  readonly isZoneSaid: boolean;
  readonly registered: readonly string[];
  readonly isRegistrationSaid: boolean;
  /** ZIP codes of places of business, by channel and name. */
  readonly placeZips: ReadonlyMap<string, string>;
  readonly undividedRefunds: 'hold' | 'prorate';
};
