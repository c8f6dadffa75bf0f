import { expect, test } from 'vitest'
import { isOfService } from './built-files.mjs'

test.each(['service.js', 'release-lock-ARMT73FU.js', 'executables.js', 'web/index.html'])(
  'the packages of the service have %s',
  (path) => {
    expect(isOfService(path)).toBe(true)
  },
)

test.each(['service.js.map', 'release/container-stacks.deb', 'executables/cli'])(
  'the packages of the service do not have %s',
  (path) => {
    expect(isOfService(path)).toBe(false)
  },
)
