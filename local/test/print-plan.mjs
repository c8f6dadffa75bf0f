import { recordedDurations } from './durations.mjs'
import { planOf } from './plan.mjs'

/** Prints what `.ci/run` does and for how long. It needs no packages. */
console.log('npm ci, npm run check, npm test')
console.log(planOf(recordedDurations()))
