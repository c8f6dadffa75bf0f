import type { SignInStep } from '../records/identity-provider.ts'

/** The steps of sign-ins in progress, by the SHA-256 (hex) of their one-time text. */
export interface SignInSteps {
  create(hash: string, step: SignInStep, expiresAt: number): Promise<void>
  /**
   * Removes and returns a step, so that only one of several concurrent calls gets it. Returns
   * undefined if it is used or expired.
   */
  use(hash: string): Promise<SignInStep | undefined>
}
