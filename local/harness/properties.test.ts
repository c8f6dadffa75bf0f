import { expect, test } from 'vitest'
import fc, { seedOfDay } from './properties.ts'

const { seed } = fc.readConfigureGlobal()

/** Returns the message of a property that fails. */
function messageOfFailure(parameters = {}): string {
  const isSmall = fc.property(fc.nat(), (number) => {
    expect(number).toBeLessThan(10)
  })
  try {
    fc.assert(isSmall, parameters)
  } catch (error) {
    return (error as Error).message
  }
  return 'it passed'
}

test('a property that fails names the seed that repeats it, and its case', () => {
  expect(messageOfFailure()).toMatch(new RegExp(`^PROPERTY_SEED=${seed} repeats this\\.\n`))
  expect(messageOfFailure()).toContain('Counterexample: [10]')
  expect(messageOfFailure({ seed: 7 })).toMatch(/^PROPERTY_SEED=7 repeats this\.\n/)
})

test('an asynchronous property that fails does so too', async () => {
  const never = fc.asyncProperty(fc.nat(), async () => false)
  await expect(fc.assert(never)).rejects.toThrow(`PROPERTY_SEED=${seed} repeats this.`)
})

test('each seed has cases of its own', () => {
  const cases = (given: number) => fc.sample(fc.nat(), { seed: given, numRuns: 5 })
  expect(cases(seedOfDay(new Date('2026-11-28')))).toEqual(cases(20_261_128))
  expect(cases(20_261_128)).not.toEqual(cases(20_261_129))
})
