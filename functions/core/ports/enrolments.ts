import type { Enrolment } from '../records/host.ts'

/** One-time rights to enrol an agent, by the SHA-256 (hex) of their token. */
export interface Enrolments {
  create(hash: string, enrolment: Enrolment): Promise<void>
  /**
   * Removes and returns an enrolment, so that only one of several concurrent calls gets it. Returns
   * undefined if it is unknown, used or expired.
   */
  take(hash: string): Promise<Enrolment | undefined>
}
