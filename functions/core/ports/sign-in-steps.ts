import type { AnsweredSignIn, AskedSignIn } from '../records/identity-provider.ts'

/** Sign-ins in progress. Hashes are the SHA-256 (hex) of a one-time text. */
export interface SignInSteps {
  /**
   * Returns a sign-in as a text that only the processes of this installation can read or make. It
   * begins with `css_`.
   */
  seal(asked: AskedSignIn): string
  /** Returns the sign-in of a text that `seal` returned, and undefined for any other text. */
  open(text: string): AskedSignIn | undefined
  /**
   * Records that a sealed sign-in or the challenge of a passkey is used. Returns false if it is
   * already, so that only one of several concurrent calls gets true. The record is kept at least
   * until `until`.
   */
  claim(hash: string, until: number): Promise<boolean>
  /** Removes the record of `claim`. */
  release(hash: string): Promise<void>
  /** Stores a confirmed sign-in. */
  create(hash: string, step: AnsweredSignIn, expiresAt: number): Promise<void>
  /**
   * Removes and returns a confirmed sign-in, so that only one of several concurrent calls gets it.
   * Returns undefined if it is used or expired.
   */
  use(hash: string): Promise<AnsweredSignIn | undefined>
}
