import { randomBytes } from 'node:crypto'

const random = () => randomBytes(3).toString('hex')

/** The ID of the test run, six hexadecimal digits. `local/test.mjs` sets it. */
const run = /^[0-9a-f]{6}$/.exec(process.env.CONTAINER_STACKS_TEST_RUN ?? '')?.[0] ?? random()

/**
 * Returns a name for what a test makes on the Engine, such as `cst-0a1b2c-3d4e5f-crash`. No other
 * test has one that begins with it, and `local/test/sweep.mjs` removes what begins with one. It can
 * be the name of a stack, container, network, volume or image.
 *
 * @param word lower-case letters, digits and hyphens
 */
export const unique = (word: string): string => `cst-${run}-${random()}-${word}`
