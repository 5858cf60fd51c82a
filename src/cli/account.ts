import { existsSync } from 'node:fs';
import { Command, Option } from 'commander';
import * as z from 'zod';
import { withLedger } from '../app/build-service.ts';
import { DateText } from '../configuration/fields.ts';
import { countryName, isRegion } from '../content/region-names.ts';
import { hasStates } from '../contract/on-file.ts';
import { normaliseAddress } from '../engine/order.ts';
import type { CalendarDate } from '../kernel/calendar.ts';
import { jsonIn } from '../kernel/json.ts';
import { problemTexts, schemaProblems } from '../kernel/schema-problems.ts';
import type { Account } from '../ledger/account.ts';
import type { Ledger } from '../ledger/ledger.ts';
import type { CommandIo } from './io.ts';
import { usageError } from './options.ts';

type Common = { readonly ledger: string; readonly json?: boolean };

const Day = DateText.transform((text) => text as CalendarDate);

const Address = z.strictObject({
  country: z.string().length(2).toUpperCase(),
  state: z.string().toUpperCase().optional(),
  zip: z.string().optional(),
  city: z.string().optional(),
  street: z.string().optional(),
});
/** A place with nexus. One that can establish nothing is refused here, as `nexus_addresses` of a request are. */
const NexusPlace = Address.extend({
  from: Day.optional(),
  to: Day.optional(),
  oneRate: z.boolean().optional(),
}).superRefine((place, context) => {
  const refuse = (part: 'state' | 'to', message: string) =>
    context.addIssue({ code: 'custom', path: [part], message });
  const { country, state } = normaliseAddress(place);
  if (hasStates(country)) {
    if (state === '') refuse('state', `is missing: nexus in ${country} is by state or province`);
    else if (!isRegion(country, state)) refuse('state', `"${place.state}" is not in ${countryName(country)}`);
  }
  if (place.from !== undefined && place.to !== undefined && place.to < place.from)
    refuse('to', `${place.to} is before from, ${place.from}`);
});
const Nexus = z.array(NexusPlace);

/** Builds `tieout account …`: accounts and keys of the service. A key is printed only once, when it is created. */
export const accountCommand = (io: CommandIo): Command => {
  const account = new Command('account');
  const sub = (name: string, description: string, parent = account): Command =>
    parent
      .command(name)
      .description(description)
      .option('-l, --ledger <url>', 'the service database', 'sqlite:.tieout/ledger.db')
      .option('--json', 'print a single JSON object to stdout');
  const answer = ({ json }: Common, object: object, text: string) =>
    io.print(json ? `${JSON.stringify(object)}\n` : `${text}\n`);

  sub('add <name>', 'Add an account with a key, or change an account')
    .option('--address <json>', 'the address on file, such as {"country":"US","state":"CA","zip":"95814"}')
    .option(
      '--nexus <json>',
      'a list of places with nexus, each with country, state, from and to days if limited, and oneRate: true if that was elected',
    )
    .addOption(
      new Option(
        '--buyer-use <use>',
        'what buyers use what they buy for, by which some states tax software as a service',
      ).choices(['business', 'personal']),
    )
    .action(async (name: string, options: AddOptions) => {
      const made = await withLedger(options.ledger, (ledger) => add(ledger, name, options));
      answer(
        options,
        made,
        made.key === null
          ? `account ${made.account.id} ${name} is brought up to date; its keys stay as they are`
          : `account ${made.account.id} ${name}\nkey ${made.key}\nThe key is shown only now.`,
      );
    });

  sub('list', 'List the accounts').action(async (options: Common) => {
    const accounts = await inLedger(options.ledger, (ledger) => ledger.accounts.list());
    const lines = accounts.map(({ id, name, nexus }) => `${id}  ${name}  ${regionsOf(nexus)}`);
    answer(options, { accounts }, lines.join('\n'));
  });

  const key = account.command('key').description('Manage the keys of an account');
  sub('add <name>', 'Add a key to an account', key).action(async (name: string, options: Common) => {
    const made = await withKeys(options.ledger, name, (keys, id) => keys.create(id));
    answer(options, { key: made.secret, id: made.key.id }, `key ${made.secret}\nThe key is shown only now.`);
  });

  sub('list <name>', 'List the keys of an account by their first characters', key).action(
    async (name: string, options: Common) => {
      const all = await withKeys(options.ledger, name, (keys, id) => keys.list(id));
      const lines = all.map(
        ({ id, hint, revokedAt }) => `${id}  ${hint}…  ${revokedAt === undefined ? 'in use' : 'revoked'}`,
      );
      answer(options, { keys: all }, lines.join('\n'));
    },
  );

  sub('revoke <name> <id>', 'Revoke a key at once', key).action(
    async (name: string, id: string, options: Common) => {
      const number = /^\d{1,15}$/.test(id) ? Number(id) : 0;
      if (!(await withKeys(options.ledger, name, (keys, account) => keys.revoke(account, number))))
        throw usageError(
          `${name} has no key ${id} in use`,
          'See `tieout account key list`.',
          'E_KEY_UNKNOWN',
        );
      answer(options, { revoked: number }, `key ${id} is revoked`);
    },
  );
  return account;
};

type AddOptions = Common & {
  readonly address?: string;
  readonly nexus?: string;
  readonly buyerUse?: 'business' | 'personal';
};

/** Works with a service database that is there: only an account that is added makes one. */
const inLedger = async <Result>(url: string, work: (ledger: Ledger) => Promise<Result>): Promise<Result> => {
  const file = url.startsWith('sqlite:') ? url.slice('sqlite:'.length) : undefined;
  if (file !== undefined && file !== ':memory:' && !existsSync(file))
    throw usageError(
      `${file}: there is no such service database`,
      'Name it with --ledger, or make one with `tieout account add NAME`',
      'E_ACCOUNT_UNKNOWN',
    );
  return withLedger(url, work);
};

/** Adds an account with a key. For an existing account, it changes only the given settings and keeps the keys. */
const add = async (ledger: Ledger, name: string, options: AddOptions) => {
  const known = await ledger.accounts.findByName(name);
  const { buyerUse } = options;
  const account = await ledger.accounts.ensure({
    name,
    address: options.address === undefined ? undefined : parsed('--address', Address, options.address),
    nexus: options.nexus === undefined ? undefined : parsed('--nexus', Nexus, options.nexus),
    buyerUse,
  });
  return { account, key: known ? null : (await ledger.keys.create(account.id)).secret };
};

/** Works with the keys of the account of a name. */
const withKeys = <Result>(
  url: string,
  name: string,
  work: (keys: Ledger['keys'], accountId: number) => Promise<Result>,
): Promise<Result> =>
  inLedger(url, async ({ accounts, keys }) => {
    const found = await accounts.findByName(name);
    if (found) return work(keys, found.id);
    throw usageError(`there is no account "${name}"`, 'See `tieout account list`.', 'E_ACCOUNT_UNKNOWN');
  });

const regionsOf = (nexus: Account['nexus']): string =>
  nexus.map(({ country, state }) => (state ? `${country}-${state}` : country)).join(' ');

const parsed = <Schema extends z.ZodType>(option: string, schema: Schema, text: string): z.output<Schema> => {
  const result = schema.safeParse(jsonIn(text) ?? text);
  if (result.success) return result.data;
  const [problem = ''] = problemTexts(schemaProblems(schema, result.error.issues), 'the value');
  throw usageError(
    `${option} cannot be used: ${problem}`,
    'See `tieout account add --help` for its form.',
    'E_ACCOUNT_SETTING',
  );
};
