import { paceVariable } from '../test/pace.mjs'

/** How many times slower than recorded this machine is, as the run measured it; at least 1. */
const pace = Math.max(1, Number(process.env[paceVariable] ?? 1))

/**
 * Returns the limit of a wait on this machine, in the unit of `limit`. A limit only ends a test
 * that hangs, so a slow machine has longer ones.
 */
export const paced = (limit: number): number => limit * pace
