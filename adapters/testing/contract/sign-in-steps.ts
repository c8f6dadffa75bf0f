import { expect, test } from 'vitest'
import type { SignInStep } from '../../../functions/core/records/identity-provider.ts'
import { count, type NewWorld } from './world.ts'

const step: SignInStep = {
  kind: 'answered',
  providerId: 'keycloak',
  accountId: 'ada',
  challenge: null,
}

/** Tests the port `SignInSteps`. */
export function signInStepsContract(newWorld: NewWorld) {
  test('gives a step to one caller across all processes', async () => {
    const { stores, peer, clock } = await newWorld()
    await stores.signInSteps.create('hash', step, clock.now() + 1000)
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, index) =>
        (index % 2 ? stores : peer).signInSteps.use('hash').then((it) => JSON.stringify(it)),
      ),
    )
    expect(count(answers, JSON.stringify(step))).toBe(1)
    expect(count(answers, undefined as never)).toBe(49)
  })

  test('an expired step is gone; an unknown hash finds nothing', async () => {
    const { stores, clock } = await newWorld()
    await stores.signInSteps.create('hash', step, clock.now() + 1000)
    expect(await stores.signInSteps.use('other')).toBeUndefined()
    clock.advance(1000)
    expect(await stores.signInSteps.use('hash')).toBeUndefined()
  })
}
