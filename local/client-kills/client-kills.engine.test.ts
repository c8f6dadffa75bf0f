import { expect, test } from 'vitest'
import { clientWorld } from '../harness/client.ts'
import { paced } from '../harness/pace.ts'
import { killClients } from './kill-clients.ts'

test('a client that is killed while it renews its session leaves a valid configuration', {
  timeout: paced(600_000),
}, async () => {
  await using world = await clientWorld()
  const { problems, renewing, files } = await killClients(world, 30)
  expect(problems).toEqual([])
  expect(renewing).toBeGreaterThan(2)
  const known = /^config\.json(\.[0-9a-f]{12}|\.lock\.[0-9a-f]{16})?$/
  expect(files.filter((name) => !known.test(name))).toEqual([])
})
