import { randomBytes } from 'node:crypto'
import { v7 } from 'uuid'
import type { Random } from '../../../functions/core/ports/random.ts'

/** The system's random numbers. */
export const systemRandom: Random = { bytes: (count) => randomBytes(count), id: () => v7() }
