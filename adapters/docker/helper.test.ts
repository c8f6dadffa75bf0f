import { mkdtemp, rm } from 'node:fs/promises'
import { afterAll, expect, test, vi } from 'vitest'
import { engineClient } from './client.ts'
import { transportFrom } from './connect.ts'
import { type Helpers, helpers } from './helper.ts'

// Containers take their time on a busy machine.
vi.setConfig({ testTimeout: 60_000 })

const client = engineClient(transportFrom(process.env), 'local')
afterAll(() => client.close())

test('processes that share an Engine share the helper, however they come and go', async () => {
  const directory = await mkdtemp('/tmp/docker-helper-')
  const processes = Array.from({ length: 12 }, () => helpers(client, directory))
  const lent = (one: Helpers) => one.lend(directory, 'read', async ({ id }) => id)
  try {
    for (let round = 0; round < 5; round += 1) {
      const leaves = processes[round]!.remove()
      const ids = await Promise.all(processes.map(lent))
      await leaves
      expect(ids.every(Boolean)).toBe(true)
    }
    const ids = await Promise.all(processes.map(lent))
    expect(new Set(ids).size).toBeLessThanOrEqual(2)
  } finally {
    await Promise.all(processes.map((one) => one.remove()))
    await rm(directory, { recursive: true })
  }
})
