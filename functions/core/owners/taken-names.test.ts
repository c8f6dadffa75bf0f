import { expect, test } from 'vitest'
import type { Step, StepCall } from '../../compose/step.ts'
import type { ContainerSummary } from '../records/container.ts'
import { noInstallation } from './installation.ts'
import { findSharedNames, type NameUser, nameIn, refuseTakenNames } from './taken-names.ts'

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
const container = (name: string, body: object) =>
  step({ action: 'create', kind: 'container', name, image: 'busybox', body: { ...body } })
const created = (network: string, ...Aliases: string[]) =>
  container('shop-web-1', { NetworkingConfig: { EndpointsConfig: { [network]: { Aliases } } } })
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

/** A network `proxy` in which containers have the alias `app`, by container and its project. */
const shared = (...holders: [name: string, stack: string | null][]) => ({
  aliasesIn: async () => new Map(holders.map(([name]) => [`id-of-${name}`, [name, 'app']])),
  containers: async () =>
    holders.map(([name, stack]) => ({ id: `id-of-${name}`, name, stack }) as ContainerSummary),
  installation: async () => noInstallation,
})
const user = (given: Partial<NameUser> = {}): NameUser => ({
  stack: 'shop',
  isPrivileged: false,
  isStack: async (project) => project === 'shop' || project === 'wiki',
  isOthers: (network) => network === 'proxy',
  usedNames: async () => new Set(),
  ...given,
})
const wiki = ['wiki-app-1', 'wiki'] as [string, string]
const byHand = ['hand', null] as [string, null]
const mayDeploy = async (stack: string) => stack === 'wiki'

test.each([created, connected])('says who has a name in a network of others, too', async (at) => {
  const steps = [at('proxy', 'shop-web-1', 'app'), at('own', 'app')]
  expect(await findSharedNames(steps, user({ mayDeploy }), shared(wiki))).toEqual([
    {
      service: 'web',
      text: expect.stringMatching(
        /^services.web: name app in network proxy: .* wiki-app-1 of stack/,
      ),
    },
  ])
})

test.each([
  ['of a stack that the caller may not deploy', wiki, 'a container of another stack'],
  ['of no stack', byHand, 'container hand, which no stack made'],
  ['of a project that is no stack', ['x-app-1', 'x'], 'container x-app-1, which no stack made'],
] as [string, [string, string | null], string][])(
  '403: takes a name of a container %s',
  async (_what, holder, text) => {
    const steps = [created('proxy', 'app')]
    const limited = findSharedNames(steps, user(), shared(holder))
    await expect(limited).rejects.toMatchObject({
      status: 403,
      message: expect.stringContaining(text),
    })
    const privileged = user({ isPrivileged: true })
    expect(await findSharedNames(steps, privileged, shared(holder))).toHaveLength(1)
  },
)

test('a name that the stack has, or had before, is its own', async () => {
  const steps = [created('proxy', 'app')]
  expect(await findSharedNames(steps, user(), shared(byHand, ['shop-web-1', 'shop']))).toEqual([])
  const before = user({ usedNames: async () => new Set(['name:app@proxy']) })
  expect(await findSharedNames(steps, before, shared(byHand))).toEqual([])
})

const endpoint = { NetworkingConfig: { EndpointsConfig: { proxy: {} } } }
const mode = { HostConfig: { NetworkMode: 'proxy' } }

test.each([
  ['an alias in capitals', created('proxy', 'STACKS')],
  ['an alias with the name of the network', created('proxy', 'Stacks.PROXY')],
  ['a host name', container('shop-web-1', { ...endpoint, Hostname: 'stacks' })],
  ['the name of a container', container('dynamodb', endpoint)],
  ['the name of a container whose network is a mode', container('dynamodb', mode)],
  ['a host name in a network that is a mode', container('a', { ...mode, Hostname: 'stacks' })],
])('409: takes a name of the service as %s', async (_what, taking) => {
  await expect(refuseTakenNames([taking], engine)).rejects.toMatchObject({
    reason: 'own-installation',
  })
})

test.each([
  ['Stacks', 'stacks'],
  ['stacks.', 'stacks'],
  ['STACKS.Proxy', 'stacks'],
  ['stacks.proxy.', 'stacks'],
  ['stacks.other', 'stacks.other'],
  ['proxy', 'proxy'],
])('the resolver of the network proxy finds %s as %s', (name, plain) => {
  expect(nameIn('proxy', name)).toBe(plain)
})
