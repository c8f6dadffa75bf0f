import { expect, test } from 'vitest'
import { call } from '../../../local/harness/call.ts'
import { givenHost, givenStack, world } from '../../../local/harness/world.ts'
import createJob from '../../backup-jobs/create.ts'
import listJobs from '../../backup-jobs/list.ts'
import deployments from '../../stacks/deployments/list.ts'
import get from '../../stacks/get.ts'
import list from '../../stacks/list.ts'
import { hostNames } from './host-names.ts'

async function twoHosts() {
  const here = world()
  await givenStack(here, 'shop')
  const far = await givenHost(here, 'far', { tags: ['lab'] })
  await givenStack(here, 'barn', { host: 'far' })
  const { ports } = here
  const named = async (id: string) => (await ports.hosts.find(id))?.name
  return { here, ports, far, names: { local: await named('local'), far: await named('far') } }
}

test('stacks and deployments name their host as it is called now', async () => {
  const { ports, names } = await twoHosts()
  const asked = { ports, as: 'viewer' } as const
  const stacks = (await call(list, asked)).json
  expect(
    stacks.map(({ name, host_name }: { name: string; host_name: string }) => [name, host_name]),
  ).toEqual([
    ['barn', names.far],
    ['shop', names.local],
  ])
  const far = await ports.hosts.find('far')
  if (far) await ports.hosts.replace({ ...far, name: 'attic' })
  const path = { name: 'barn' }
  expect((await call(get, { ...asked, path })).json.host_name).toBe('attic')
  const [one] = (await call(deployments, { ...asked, path })).json
  expect(one).toMatchObject({ host: 'far', host_name: 'attic' })
})

test('a list reads the hosts once, however long it is', async () => {
  const { ports } = await twoHosts()
  let reads = 0
  const hosts = {
    ...ports.hosts,
    list: async () => {
      reads += 1
      return ports.hosts.list()
    },
  }
  const nameOf = await hostNames({ hosts })
  for (let at = 0; at < 100; at += 1) nameOf('far')
  expect(reads).toBe(1)
})

test('null: the host of a job was deleted', async () => {
  const { ports, names } = await twoHosts()
  const body = {
    name: 'nightly',
    host: 'far',
    sources: [{ kind: 'stack', name: 'barn' }],
    target: { kind: 'local', path: '' },
  }
  const made = await call(createJob, { ports, as: 'admin', body })
  expect([made.status, made.json.host_name]).toEqual([201, names.far])
  await ports.hosts.remove('far')
  const [job] = (await call(listJobs, { ports, as: 'admin' })).json
  expect(job).toMatchObject({ host: 'far', host_name: null })
})
