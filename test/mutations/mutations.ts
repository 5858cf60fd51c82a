/** A guard that is broken by one replacement, and the test that has to notice. */
export type Mutation = {
  readonly guard: string;
  readonly file: string;
  readonly from: string;
  readonly to: string;
  readonly tier: 'fast' | 'deep';
  readonly test: string;
};

export const MUTATIONS: readonly Mutation[] = [
  {
    guard: 'half a cent is rounded away from zero',
    file: 'src/kernel/rounding.ts',
    from: '2 * Math.abs(remainder) < divisor',
    to: '2 * Math.abs(remainder) <= divisor',
    tier: 'fast',
    test: 'test/kernel/rounding.test.ts',
  },
  {
    guard: 'a refund has the sign of money given back',
    file: 'src/close/reconcile/reconciled-sale.ts',
    from: "given.kind === 'refund' ? negate : (amount: Money) => amount",
    to: "given.kind === 'order' ? negate : (amount: Money) => amount",
    tier: 'fast',
    test: 'test/close/reconcile/reconciled-sale.test.ts',
  },
  {
    guard: 'a variance of exactly the tolerated amount is tolerated',
    file: 'src/close/reconcile/materiality.ts',
    from: 'magnitude > BigInt(amount) &&',
    to: 'magnitude >= BigInt(amount) &&',
    tier: 'fast',
    test: 'test/close/reconcile/materiality.test.ts',
  },
  {
    guard: 'every row of an export is accounted for, rejected rows too',
    file: 'src/close/stages/extract/account-for-files.ts',
    from: 'for await (const page of asideOutcomes(load, files))',
    to: 'for await (const page of [] as unknown as ReturnType<typeof asideOutcomes>)',
    tier: 'fast',
    test: 'test/pipelines/control-totals.test.ts',
  },
  {
    guard: 'a record that the service holds already is compared, not sent again',
    file: 'src/close/stages/submit/send-parcel.ts',
    from: "if (!hasValueDifference(compareRecord(accept(CreateOrder, body), recorded, 'order')))",
    to: 'if (hasValueDifference([]))',
    tier: 'fast',
    test: 'test/pipelines/new-workspace.test.ts',
  },
  {
    guard: 'one run at a time works on a workspace',
    file: 'src/database/run-lock.ts',
    from: 'pragma busy_timeout = 0; begin exclusive',
    to: 'pragma busy_timeout = 0',
    tier: 'fast',
    test: 'test/cli/bad-input.test.ts',
  },
  {
    guard: 'nobody signs another content than the one that was shown',
    file: 'src/close/stages/publish/write-report.ts',
    from: 'if (onlyContent === undefined || contentDigest === onlyContent) return;',
    to: 'if (contentDigest !== undefined) return;',
    tier: 'fast',
    test: 'test/cli/sign.test.ts',
  },
  {
    guard: 'a locked month takes no signature',
    file: 'src/close/stages/publish/write-report.ts',
    from: 'if (filed && onlyContent !== undefined) throw locked(period.label);',
    to: '',
    tier: 'fast',
    test: 'test/cli/sign.test.ts',
  },
  {
    guard: 'a key is not sent in the clear',
    file: 'src/build-service.ts',
    from: "if (protocol === 'https:' || insecure ||",
    to: "if (protocol !== '' || insecure ||",
    tier: 'fast',
    test: 'test/client/safe-line.test.ts',
  },
  {
    guard: 'a file of the evidence that was changed is noticed',
    file: 'src/close/evidence/verify-files.ts',
    from: 'if ((await sha256OfFile(join(folder, path))) !== sha256)',
    to: "if ((await sha256OfFile(join(folder, path))) === '')",
    tier: 'fast',
    test: 'test/close/evidence/verify-evidence.test.ts',
  },
  {
    guard: 'one run at a time works on a database server',
    file: 'src/database/run-lock.ts',
    from: "if (!lock) throw locked(database.place, '');",
    to: 'if (!lock) return { release: async () => {} };',
    tier: 'deep',
    test: 'test/database/ended-connections.deep.test.ts',
  },
  {
    guard: 'an order that changed is updated, though the service holds its id',
    file: 'src/close/stages/submit/send-parcel.ts',
    from: "if (!hasValueDifference(compareRecord(accept(CreateOrder, body), recorded, 'order')))",
    to: 'if (!hasValueDifference([]))',
    tier: 'deep',
    test: 'test/simulate/simulate.deep.test.ts',
  },
  {
    guard: 'an answer that was lost is found, and no refusal',
    file: 'src/close/stages/submit/send-parcel.ts',
    from: 'if (!isDuplicate(error)) throw error;',
    to: 'if (isDuplicate(error) || error) throw error;',
    tier: 'deep',
    test: 'test/simulate/simulate.deep.test.ts',
  },
  {
    guard: 'a record counts as held only after it was sent',
    file: 'src/close/stages/submit/submit-transactions.ts',
    from: 'const { outcome, detail } = await sendParcel(ports, parcel);',
    to: "await keeper.keep(submissionRow(ports, parcel, 'held', ''));\n    const { outcome, detail } = await sendParcel(ports, parcel);",
    tier: 'deep',
    test: 'test/simulate/simulate.deep.test.ts',
  },
  {
    guard: 'a folder is filled out of sight',
    file: 'src/runtime/publish-folder.ts',
    from: '    await fill(staging);',
    to: "    makeFolder(folder, OWNER_ONLY);\n    await fill(folder);\n    if (folder !== '') return { files: await filesBelow(folder), changed: true };",
    tier: 'deep',
    test: 'test/simulate/simulate.deep.test.ts',
  },
];
