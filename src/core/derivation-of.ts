import { providerOf } from '../close/configuration/provider-of.ts';
import type { Derivation } from '../close/evidence/manifest.ts';
import type { ClosePorts } from '../run/close-ports.ts';

/** Returns the settings from which the evidence of a close is derived. */
export const derivationOf = ({ configuration, serviceId }: ClosePorts): Derivation => ({
  shipFrom: configuration.shipFrom,
  providers: Object.fromEntries(
    configuration.channels.map(({ name }) => [name, providerOf(configuration, name)]),
  ),
  service: serviceId,
});
