import fc from 'fast-check'
import { runsSecondRing } from '../test/second-ring.mjs'

const usual = 20_260_601

/** Returns a seed that is another one each day: 20261128 on 28 November 2026. */
export const seedOfDay = (now = new Date()): number =>
  Number(now.toISOString().slice(0, 10).replaceAll('-', ''))

/**
 * fast-check with the same cases in every run, so that a test passes or fails for a reason.
 * `PROPERTY_SEED=<integer>` chooses other cases. The second ring tries those of the day. A property
 * that fails names the seed that repeats it.
 */
fc.configureGlobal({
  seed: Number(process.env.PROPERTY_SEED ?? (runsSecondRing() ? seedOfDay() : usual)),
  reporter(run) {
    if (!run.failed) return
    const message = `PROPERTY_SEED=${run.seed} repeats this.\n${fc.defaultReportMessage(run)}`
    throw new Error(message, { cause: run.errorInstance })
  },
})

export default fc
