import { expect, test } from 'vitest'
import type { EngineClient } from '../transport/client.ts'
import { createHelper } from './helper-container.ts'

const podman = { Version: '4.3.1', Components: [null, { Name: 'Podman Engine' }] }

test('422: an Engine that is Podman gets no helper, and the message says what it cannot do', async () => {
  const calls: string[] = []
  const client = {
    host: 'nas',
    async ping() {},
    async json({ method, path }: { method: string; path: string }) {
      calls.push(`${method} ${path}`)
      return podman
    },
  }
  await expect(createHelper(client as unknown as EngineClient, {})).rejects.toMatchObject({
    status: 422,
    message: expect.stringContaining('Host nas runs Podman'),
  })
  expect(calls).toEqual(['GET /version'])
})
