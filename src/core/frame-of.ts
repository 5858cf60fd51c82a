import type { Frame } from '../evidence/frame.ts';
import type { PeriodSums } from '../evidence/period-sums.ts';
import { inKeyOrder } from '../judge/period-totals.ts';
import { parseMoney, ZERO } from '../kernel/money.ts';
import type { FilingPeriod } from '../kernel/period.ts';
import { inputOf } from '../periods/companion-input.ts';
import type { EarlierPeriods } from '../periods/earlier.ts';
import type { Exports } from '../read/shapes.ts';
import type { ClosePorts } from '../run/close-ports.ts';
import { earlierOrder } from './book-sums.ts';
import { type Found, findingsBeside } from './findings-beside.ts';
import { materialityOf, oldRatesOf, rateSourcesOf, shopTotals } from './frame-settings.ts';

/** The sums of a period, and what they were summed with. */
type Summed = {
  readonly exports: Exports;
  readonly registrations: EarlierPeriods['registrations'];
  readonly settings: Pick<Frame, 'decisions' | 'late' | 'lockedDays' | 'certificates'>;
  readonly sums: PeriodSums;
};

/** Returns all that the books of a period say beside its entries. */
export const frameOf = (
  ports: ClosePorts,
  period: FilingPeriod,
  { exports, registrations, settings, sums }: Summed,
  beside: Found,
): Frame => {
  const { configuration, serviceId: service, program } = ports;
  const { policy, timeZone, entity, name: seller } = configuration;
  const { refunded, certificates: files } = exports;
  const { earlier, ledger } = beside;
  const { totals } = sums;
  const late = new Set(settings.late);
  const missing = [...new Set(sums.missingOrders())];
  return {
    ...{ seller, entity, period, timeZone, service, program, registrations },
    configured: registrations,
    unexplainedTolerance: parseMoney(policy.unexplained) ?? ZERO,
    materiality: materialityOf(policy),
    ...(policy.detailRows !== undefined && { detailRowsMax: policy.detailRows }),
    ...(!beside.isOver && { madeEarly: true }),
    ...(ports.workingPapers && { workingPapers: true }),
    oldRates: oldRatesOf(ports, period, inKeyOrder(totals.states)),
    rateSources: rateSourcesOf(ports, period, inKeyOrder(totals.states)),
    ...earlier.months,
    inputs: [
      ...exports.inputs,
      ...files.map((file) => inputOf(file, 'certificates')),
      ...(ledger ? [ledger.input] : []),
    ],
    ...(ledger && { ledger: ledger.ledger }),
    earlier: earlier.trend,
    ...settings,
    undecided: beside.undecided,
    shopTotals: shopTotals(configuration, period),
    findings: findingsBeside(ports, period, exports, sums, beside),
    orders: missing.flatMap((key) => {
      const found = refunded.get(key);
      return (found && earlierOrder(key, found, period, late)) ?? [];
    }),
  };
};
