import { expect, test } from 'vitest'
import { memoryEngine } from '../../../adapters/testing/memory/engine.ts'
import { noInstallation } from './installation.ts'
import { refuseOwnAmong, refuseOwnFiles, refuseOwnStack } from './refuse-installation.ts'

const engine = memoryEngine()
engine.own = {
  ...noInstallation,
  containers: new Map([['a1', 'service']]),
  projects: new Set(['container-stacks']),
  directories: ['/opt/stacks/cs/data'],
}

test('409: refuses the stack that the service runs in, and no other', async () => {
  await expect(refuseOwnStack('container-stacks', engine)).rejects.toMatchObject({
    status: 409,
    reason: 'own-installation',
    message: expect.stringContaining('docker compose'),
  })
  await expect(refuseOwnStack('shop', engine)).resolves.toBeUndefined()
  await expect(refuseOwnStack('container-stacks', memoryEngine())).resolves.toBeUndefined()
})

test.each(['/opt/stacks/cs', '/opt/stacks/cs/data', '/opt/stacks/cs/data/sub'])(
  '409: refuses a stack in %s, where the service has files',
  async (directory) => {
    const stack = { id: 'notes', directory }
    await expect(refuseOwnFiles(stack, engine)).rejects.toMatchObject({
      status: 409,
      message: expect.stringContaining('/opt/stacks/cs/data'),
    })
    await expect(refuseOwnFiles(stack, memoryEngine())).resolves.toBeUndefined()
  },
)

test('409: refuses to stop containers that include that of the service', async () => {
  const shop = { id: 'b2', name: 'shop-db-1' }
  await expect(refuseOwnAmong([shop], engine)).resolves.toBeUndefined()
  const own = { id: 'a1', name: 'container-stacks-service-1' }
  await expect(refuseOwnAmong([shop, own], engine)).rejects.toMatchObject({ status: 409 })
})

test('a service in a container of no project refuses no stack', async () => {
  const single = memoryEngine()
  single.own = { ...noInstallation, containers: new Map([['a1', 'service']]) }
  await expect(refuseOwnStack('null', single)).resolves.toBeUndefined()
})
