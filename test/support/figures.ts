import type { readinessFigures } from '../../src/judge/readiness.ts';

/** What `tieout close --json` prints, and `late`, as far as tests read it. Amounts are decimal text. */
export type Figures = {
  readonly exit_code: number;
  readonly readiness: ReturnType<typeof readinessFigures>;
  readonly inputs: readonly FileFigures[];
  readonly calculations: Readonly<Record<string, number>>;
  readonly submissions: Readonly<Record<string, number>>;
  readonly totals: Readonly<Record<string, string>>;
  readonly states: readonly StateFigures[];
  readonly reasons: readonly Readonly<Record<'code' | 'over' | 'under', string> & { sales: number }>[];
  readonly clusters: readonly Readonly<Record<'code' | 'part' | 'effect' | 'message', string>>[];
  readonly exceptions: readonly Exception[];
  readonly outdated: readonly string[];
  readonly files: readonly string[];
};

export type FileFigures = {
  readonly path: string;
  readonly channel: string;
  readonly rows: number;
  readonly used: number;
  readonly ignored: number;
  readonly rejected: number;
  readonly records: Readonly<Record<string, number>>;
  readonly columns: Readonly<Record<string, Readonly<Record<string, string | number>>>>;
  readonly notices: readonly {
    readonly code: string;
    readonly message: string;
  }[];
};

export type StateFigures = {
  readonly state: string;
  readonly orders: number;
  readonly refunds: number;
} & Readonly<Record<'gross' | 'shipping' | 'taxable' | 'collected' | 'expected' | 'recorded', string>>;

export type Exception = {
  readonly code: string;
  readonly severity: 'error' | 'warning' | 'notice';
  readonly record: string;
  readonly message: string;
  /** Why it is accepted; empty where it is not. */
  readonly accepted: string;
  readonly effect: string;
  readonly file: string;
  readonly line: number;
  readonly column?: string;
  readonly value?: string;
};

/** `evidence/manifest.json`, as far as tests read it. */
export type Manifest = {
  readonly contentDigest: string;
  readonly content: {
    readonly service: string;
    readonly leaves: {
      readonly readiness: {
        readonly ready: boolean;
        readonly reasons: readonly unknown[];
      };
    };
    readonly exceptions: { readonly open: number };
    /** The period that it was built on. */
    readonly previous?: { readonly period: string };
    readonly inputs: readonly Omit<FileFigures, 'records' | 'columns' | 'notices'>[];
  };
};

/** The messages of the exceptions of a code. */
export const messagesOf = ({ exceptions }: Figures, code: string): readonly string[] =>
  exceptions.filter((each) => each.code === code).map(({ message }) => message);

/** What keeps the month from being clean. */
export const openOf = ({ exceptions }: Figures): readonly Exception[] =>
  exceptions.filter(({ severity, accepted }) => severity === 'error' && accepted === '');

/** The same, as `code record`. */
export const errorsOf = (figures: Figures): string[] =>
  openOf(figures).map(({ code, record }) => `${code} ${record}`);

/** A line of `tieout show` of a sale that was reconciled, as far as tests read it. Amounts in cents. */
export type LoggedLine = {
  readonly sale: {
    readonly salesTax: number;
    readonly shipTo: { readonly state: string };
    readonly origin: { readonly record: string };
  };
  readonly reconciled: {
    readonly expected: number;
    readonly reasons: readonly {
      readonly code: string;
      readonly amount: number;
      readonly proof: string;
    }[];
  };
};
