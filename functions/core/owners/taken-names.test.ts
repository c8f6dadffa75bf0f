import { expect, test } from 'vitest'
import type { Step, StepCall } from '../../compose/step.ts'
import { noInstallation } from './installation.ts'
import { refuseTakenNames } from './taken-names.ts'

const engine = {
  installation: async () => ({
    ...noInstallation,
    joined: new Map([['proxy', new Set(['stacks', 'dynamodb'])]]),
  }),
}
const step = (call: StepCall): Step => ({
  ...call,
  index: 0,
  after: [],
  reason: '',
  service: 'web',
})
const created = (network: string, ...Aliases: string[]) =>
  step({
    action: 'create',
    kind: 'container',
    name: 'shop-web-1',
    image: 'busybox',
    body: { NetworkingConfig: { EndpointsConfig: { [network]: { Aliases } } } },
  })
const connected = (network: string, ...Aliases: string[]) =>
  step({
    action: 'connect',
    kind: 'network',
    name: network,
    container: 'shop-web-1',
    body: { Aliases },
  })

test.each([created, connected])(
  '409: takes a name of the service in a shared network',
  async (at) => {
    await expect(refuseTakenNames([at('proxy', 'web', 'stacks')], engine)).rejects.toMatchObject({
      status: 409,
      reason: 'own-installation',
      message: expect.stringContaining('services.web: name stacks in network proxy'),
    })
  },
)

test('other names, and the same names in other networks, are free', async () => {
  const steps = [created('proxy', 'web'), connected('proxy', 'api'), created('own', 'stacks')]
  await expect(refuseTakenNames(steps, engine)).resolves.toBeUndefined()
})
