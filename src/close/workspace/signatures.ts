export type SigningRole = 'preparer' | 'reviewer';

/** A signature as it is stored: who signed, in which role, when, and which content. */
export type Signature = {
  readonly role: SigningRole;
  readonly name: string;
  readonly at: string;
  readonly contentDigest: string;
  /** The signature of a key in OpenSSH format; `null` for a signature by name only. */
  readonly signature: string | null;
};
