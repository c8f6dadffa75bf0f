import { Failure } from '../errors.ts'

/** Something that a stack uses and an account may not. */
export interface RefusedUse {
  /** How a caller accepts it, such as `volume:shop_data`. */
  name: string
  /** Equal for equal uses, where that depends on more than the name. */
  key?: string
}

/** Takes the failure 403 of a use: it throws the failure, or keeps it so that the check goes on. */
export type ReportUse = (use: RefusedUse, failure: Failure) => void

/** A `ReportUse` that ends the check with the first use. */
export const refuseUse: ReportUse = (_, failure) => {
  throw failure
}

/** Runs a check of one use, and reports its failure 403. */
export async function reportRefusal(
  use: RefusedUse,
  report: ReportUse,
  check: () => Promise<unknown>,
): Promise<void> {
  try {
    await check()
  } catch (error) {
    if (!(error instanceof Failure) || error.status !== 403) throw error
    report(use, error)
  }
}
