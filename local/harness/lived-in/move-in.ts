import { expect } from 'vitest'
import { isChosen } from '../../test/lived-in.mjs'
import { moveInto } from '../service.ts'

// Before the tests of a file: where the services are that they start. The files before it in this
// process may have been in another world.
const isLivedIn = isChosen(expect.getState().testPath ?? '')
moveInto(isLivedIn ? (await import('./world.ts')).livedInWorld : undefined)
