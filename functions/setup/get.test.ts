import { expect, test } from 'vitest'
import { memoryPorts, memorySetupSecret } from '../../adapters/testing/memory/stores.ts'
import { call } from '../../local/harness/call.ts'
import create from './create.ts'
import get from './get.ts'

test('200: says when the first admin exists', async () => {
  const ports = memoryPorts()
  expect((await call(get, { ports })).json).toEqual({ is_done: false })
  const body = { secret: memorySetupSecret, username: 'anna', password: 'correct horse battery' }
  await call(create, { ports, body })
  expect((await call(get, { ports })).json).toEqual({ is_done: true })
})
