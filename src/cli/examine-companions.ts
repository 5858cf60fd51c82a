import type { LoadedConfiguration } from '../close/configuration/load-configuration.ts';
import type { Severity } from '../kernel/finding.ts';
import { shownNumber } from '../kernel/shown-figures.ts';
import { readRegister } from '../read/extract-certificates.ts';
import { readLedger } from '../read/extract-ledger.ts';
import { type Diagnosis, doubtful, type Examination, examined, illOf, well } from './diagnosis.ts';
import { isTooLarge } from './examine-exports.ts';

/** Says what the decision files have, which were read with the configuration, or why they cannot be read. */
export const decisionsRead = ({
  decisions,
  decided,
  undecided,
}: LoadedConfiguration): readonly Diagnosis[] => {
  if (undecided) return [illOf('decisions', undecided)];
  if (decisions.length === 0) return [];
  const count = shownNumber(decided.decisions.length, 'decision');
  return [well('decisions', `${decisions.join(', ')}: ${count}`)];
};

/** Reads each configured register of certificates as a close does. */
export const registersOf = (configuration: LoadedConfiguration): readonly Examination[] =>
  configuration.certificates.map(
    (entry) => () =>
      examined('certificates', async () => {
        if (await isTooLarge(entry, configuration.resolvePath)) return [left('certificates', entry)];
        const files = await readRegister({ ...configuration, certificates: [entry] });
        return files.map(
          (file) =>
            problemsIn('certificates', file) ??
            well('certificates', `${file.path}: ${shownNumber(file.used, 'certificate')}`),
        );
      }),
  );

/** Reads the configured balances of the accounts of sales tax payable as a close does. */
export const balancesOf = (configuration: LoadedConfiguration): readonly Examination[] => {
  const { ledger } = configuration;
  if (!ledger) return [];
  return [
    () =>
      examined('balances', async () => {
        if (await isTooLarge(ledger, configuration.resolvePath)) return [left('balances', ledger)];
        const file = await readLedger(configuration);
        if (!file) return [];
        const problems = file.problems.map((problem) => ({ ...problem, severity: 'error' as const }));
        const found = problemsIn('balances', { path: file.path, problems });
        return [found ?? well('balances', `${file.path}: ${shownNumber(file.balances.length, 'row')}`)];
      }),
  ];
};

const left = (what: string, entry: string): Diagnosis =>
  well(what, `${entry} is there; it is large, so only a close reads it`);

type ReadFile = {
  readonly path: string;
  readonly problems: readonly {
    readonly severity: Severity;
    readonly origin: { readonly line: number };
    readonly message: string;
  }[];
};

/** Warns of what a close would list as exceptions of the file; it stops no close. */
const problemsIn = (what: string, { path, problems }: ReadFile): Diagnosis | undefined => {
  const [first, ...others] = problems.filter(({ severity }) => severity !== 'notice');
  if (!first) return undefined;
  const { line } = first.origin;
  const more = others.length === 0 ? '' : `; and ${others.length} more`;
  return doubtful(what, `${path}${line === 0 ? '' : `:${line}`}: ${first.message.replace(/\.$/, '')}${more}`);
};
