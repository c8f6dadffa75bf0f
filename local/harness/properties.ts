import fc from 'fast-check'

/**
 * fast-check with the same cases in every run, so that a test passes or fails for a reason.
 * `PROPERTY_SEED=<integer>` chooses other cases.
 */
fc.configureGlobal({ seed: Number(process.env.PROPERTY_SEED ?? 20_260_601) })

export default fc
