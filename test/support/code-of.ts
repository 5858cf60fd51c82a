/** The code of the error that a command printed, whatever it said of waits before. */
export const codeOf = (stderr: string): string | undefined => /^(E_[A-Z_]+):/m.exec(stderr)?.[1];
