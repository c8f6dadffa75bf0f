import { serviceTime } from '../../data/clock.ts'
import { type Deployment, durationOf } from '../../data/stack-operations.ts'
import { lengthOf } from '../../parts/format-time.ts'

/** Returns how long a deployment took, or has taken so far: "4.2 s". */
export const durationText = (deployment: Deployment, now = serviceTime()): string =>
  lengthOf(durationOf(deployment, now))
