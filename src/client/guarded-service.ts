import type { TaxService } from '../contract/tax-service.ts';

type Call = (...given: readonly unknown[]) => Promise<unknown>;

/** Ask before every call of a service whether it may still be made. What it says of its content is not a call. */
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
