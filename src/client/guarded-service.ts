import type { TaxService } from '../contract/tax-service.ts';

type Call = (...given: readonly unknown[]) => Promise<unknown>;

/** Wrap a service so that `mayCall` runs before every call and may throw. Reading `coverage` is not a call. */
export const guardedService = ({ coverage, ...calls }: TaxService, mayCall: () => void): TaxService => ({
  ...(Object.fromEntries(
    Object.entries(calls as unknown as Readonly<Record<string, Call>>).map(([name, call]) => [
      name,
      async (...given: readonly unknown[]) => {
        mayCall();
        return call(...given);
      },
    ]),
  ) as unknown as TaxService),
  ...(coverage && { coverage }),
});
