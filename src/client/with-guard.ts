import type { Transport } from './transport.ts';

/** Ask before every call, repeated ones included, whether it may still be made. */
export const withGuard =
  (send: Transport, mayCall: () => void): Transport =>
  async (call) => {
    mayCall();
    return send(call);
  };
