import { expect } from 'vitest'
import { isChosen } from '../../test/lived-in.mjs'

// Before the tests of a file: the services that they start are in the lived-in world.
if (isChosen(expect.getState().testPath ?? '')) {
  const { moveInto } = await import('../service.ts')
  const { livedInWorld } = await import('./world.ts')
  moveInto(livedInWorld)
}
