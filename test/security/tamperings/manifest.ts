import { at, type Forged, forge, type Tampering } from './pack.ts';

type Content = Forged['content'];
/** What it leaves to other periods. */
type Leaves = { states: object[]; reasons: object[]; readiness: object; remittances: object[] };
const left = (name: string, change: (leaves: Leaves) => unknown, problem: string): Tampering =>
  stated(name, ({ leaves }) => change(leaves as Leaves), problem);
const stated = (name: string, change: (content: Content) => unknown, problem: string): Tampering => [
  `the manifest states another ${name}`,
  (pack) => forge(pack, ({ content }) => change(content)),
  problem,
];

/** A manifest that states something else, with digests that fit. */
export const OF_THE_MANIFEST: readonly Tampering[] = [
  stated('seller', (content) => Object.assign(content, { seller: 'Somebody else' }), 'seller comes to'),
  stated('entity', (content) => Object.assign(content, { entity: 'other' }), 'entity comes to'),
  stated('program', (content) => Object.assign(content, { program: 'Tieout 9' }), 'program comes to'),
  stated('time zone', (content) => Object.assign(content, { timeZone: 'UTC' }), 'timeZone comes to'),
  stated('service', (content) => Object.assign(content, { service: 'x' }), 'service comes to'),
  stated(
    'place from which goods leave',
    ({ derivation }) => Object.assign(derivation.shipFrom, { zip: '90001' }),
    'its calculation was asked for another sale',
  ),
  stated(
    'source of the records',
    ({ derivation }) => Object.assign(derivation.providers, { shopify: 'shop' }),
    'its differences are not those of what was read back',
  ),
  stated(
    'period',
    ({ period }) => Object.assign(period, { label: '2026-09' }),
    'the folder is named 2026-10',
  ),
  stated(
    'first day',
    ({ period }) => Object.assign(period, { first: '2026-10-02' }),
    'period.first comes to',
  ),
  stated('last day', ({ period }) => Object.assign(period, { last: '2026-11-30' }), 'period.last comes to'),
  ...(['rows', 'used', 'ignored', 'rejected', 'bytes'] as const).map((field) =>
    stated(
      `count of ${field}`,
      ({ inputs }) => Object.assign(at(inputs, 1), { [field]: at(inputs, 1)[field] + 1 }),
      `.${field} comes to`,
    ),
  ),
  stated(
    'digest of an input',
    ({ inputs }) => Object.assign(at(inputs, 0), { sha256: 'a'.repeat(64) }),
    'sha256 comes to',
  ),
  stated('list of inputs', ({ inputs }) => inputs.pop(), 'inputs.3 comes to'),
  ...['orders', 'refunds', 'gross', 'shipping', 'taxable', 'collected', 'expected', 'recorded'].map((field) =>
    left(
      `${field} of a state`,
      ({ states }) => Object.assign(at(states, 1), { [field]: 1 }),
      `.${field} comes to`,
    ),
  ),
  left('list of states', ({ states }) => states.splice(2, 1), 'leaves.states.2.'),
  left('order of states', ({ states }) => states.reverse(), 'leaves.states.0.'),
  left(
    'reason',
    ({ reasons }) => Object.assign(at(reasons, 0), { over: 999 }),
    'leaves.reasons.0.over comes to',
  ),
  left(
    'count of a reason',
    ({ reasons }) => Object.assign(at(reasons, 0), { sales: 1 }),
    'leaves.reasons.0.sales comes to',
  ),
  left('return', ({ remittances }) => Object.assign(at(remittances, 0), { due: 1 }), 'due comes to'),
  ...(['open', 'accepted', 'seen'] as const).map((field) =>
    stated(
      `number of exceptions ${field}`,
      ({ exceptions }) => Object.assign(exceptions, { [field]: exceptions[field] + 1 }),
      `exceptions.${field} comes to`,
    ),
  ),
  left(
    'readiness',
    ({ readiness }) => Object.assign(readiness, { ready: false }),
    'readiness.ready comes to',
  ),
  stated(
    'count of a log',
    ({ logs }) => Object.assign(at(logs, 0), { records: 1 }),
    'records, and the manifest says 1',
  ),
  stated('list of logs', ({ logs }) => logs.reverse(), 'the logs are'),
];
