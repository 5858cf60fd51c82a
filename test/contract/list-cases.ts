import { beforeAll, expect, it } from 'vitest';
import { accept } from '../../src/contract/accept.ts';
import { ServiceRefusal } from '../../src/contract/refusal.ts';
import {
  CreateTransaction,
  type NewTransaction,
  type TransactionName,
} from '../../src/contract/transaction.ts';
import { dollars, ORDER, REFUND, SANTA_MONICA } from './samples.ts';
import type { ServiceProvider, SuiteService } from './wire-calls.ts';

const order = (id: string, changes: object = {}): NewTransaction => ({
  kind: 'order',
  transaction: { ...accept(CreateTransaction, ORDER), transaction_id: id, ...changes },
});
const refund = (id: string, changes: object = {}): NewTransaction => ({
  kind: 'refund',
  transaction: { ...accept(CreateTransaction, REFUND), transaction_id: id, ...changes },
});
const nameOf = ({ kind, transaction }: NewTransaction): TransactionName => ({
  kind,
  id: transaction.transaction_id,
  provider: transaction.provider,
});

export const listCases = (newService: ServiceProvider, longList: number): void => {
  let service: SuiteService;
  beforeAll(async () => {
    service = await newService(SANTA_MONICA);
  });

  /** The id of what was created, the status of what was refused. */
  const created = async (list: readonly NewTransaction[]) =>
    (await service.createMany(list)).map((outcome) =>
      outcome instanceof ServiceRefusal ? outcome.status : outcome.transaction_id,
    );
  const shown = async (names: readonly TransactionName[]) =>
    (await service.showMany(names)).map((record) => record?.transaction_id);

  it('are answered in their order, orders and refunds of several providers together', async () => {
    const list = [
      order('l-1'),
      refund('l-1'),
      order('l-1', { provider: 'amazon' }),
      refund('l-2', { transaction_reference_id: undefined }),
    ];
    const outcomes = await service.createMany(list);
    expect(outcomes).toMatchObject([
      { transaction_id: 'l-1', provider: 'api', amount: dollars('110'), to_city: 'LOS ANGELES' },
      { transaction_id: 'l-1', provider: 'api', amount: dollars('-110') },
      { transaction_id: 'l-1', provider: 'amazon', transaction_date: Date.parse('2026-10-15T18:30:00Z') },
      { transaction_id: 'l-2', transaction_reference_id: null },
    ]);
    expect(await service.showMany(list.map(nameOf))).toEqual(outcomes);
    expect(await service.showMany(list.map(nameOf).toReversed())).toEqual(outcomes.toReversed());
    expect(await service.showOrder('l-1')).toEqual(outcomes[0]);
  });

  it('have an outcome for each, whatever becomes of the others', async () => {
    await service.createMany([order('there')]);
    const list = [
      order('mixed-1'),
      order('there', { sales_tax: dollars('1') }),
      order('#2'),
      order('mixed-3', { to_zip: '10001' }),
      refund('mixed-4', { transaction_reference_id: 'mixed-4' }),
      refund('mixed-5', { transaction_reference_id: 'never-recorded' }),
      order('mixed-6', { exemption_type: 'wholesale' }),
      order('mixed-7', { to_city: 'a\0b' }),
      order('mixed-8'),
    ];
    expect(await created(list)).toEqual(['mixed-1', 422, 406, 400, 422, 'mixed-5', 400, 422, 'mixed-8']);
    expect(await shown(list.map(nameOf))).toEqual([
      'mixed-1',
      'there',
      ...[undefined, undefined, undefined],
      'mixed-5',
      ...[undefined, undefined],
      'mixed-8',
    ]);
    expect(await service.showOrder('there')).toMatchObject({ sales_tax: dollars('9.76') });
  });

  it('record one of several with one name, and show it for each of its names', async () => {
    const taxes = ['1', '2', '3'].map((tax) => order('twice', { sales_tax: dollars(tax) }));
    const outcomes = await service.createMany(taxes);
    const records = outcomes.filter((outcome) => !(outcome instanceof ServiceRefusal));
    expect(records).toHaveLength(1);
    expect(await service.showMany(taxes.map(nameOf))).toEqual([...records, ...records, ...records]);
    expect(outcomes.filter((outcome) => outcome instanceof ServiceRefusal)).toMatchObject([
      { status: 422, body: { detail: 'Provider tranx already imported for your user account' } },
      { status: 422 },
    ]);
  });

  it('that two callers send at once record each transaction once', async () => {
    const list = Array.from({ length: 300 }, (_, index) => order(`race-${index}`));
    const both = await Promise.all([created(list), created(list.toReversed())]);
    expect(both.flat().filter((outcome) => outcome !== 422)).toHaveLength(list.length);
    expect((await shown(list.map(nameOf))).every((id) => id !== undefined)).toBe(true);
  });

  it('may be long, and half of them there already', { timeout: 120_000 }, async () => {
    const ids = Array.from({ length: longList }, (_, index) => `many-${index}`);
    const isEven = (index: number) => index % 2 === 0;
    const half = ids.filter((_, index) => isEven(index));
    const before = (await service.list('order', { transaction_date: '2026-10-15' })).length;
    expect(await created(half.map((id) => order(id)))).toEqual(half);
    expect(await created(ids.map((id) => order(id)))).toEqual(
      ids.map((id, index) => (isEven(index) ? 422 : id)),
    );
    expect(await shown([...ids, 'never'].map((id) => ({ kind: 'order', id })))).toEqual([...ids, undefined]);
    expect(await service.list('order', { transaction_date: '2026-10-15' })).toHaveLength(before + longList);
  });
};
