import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Stored } from '../../../functions/core/ports/collection.ts'
import type { Registry as Known } from '../../../functions/core/records/registry.ts'
import { tarOf } from '../../../functions/core/tar/make.ts'
import { publishImage, type Registry, startRegistry } from '../../../local/harness/registry.ts'
import { run, step } from '../../testing/contract/engine-world.ts'
import { present } from '../../testing/present.ts'
import { dockerEngine } from '../engine.ts'
import { unlessMissing } from '../responses/errors.ts'
import { engineClient } from '../transport/client.ts'
import { transportFrom } from '../transport/connect.ts'
import { buildAuth, namedRegistries, pullAuth } from './registry-auth.ts'

const transport = transportFrom(process.env)
const known = new Map<string, Stored<Known>>()
const registries = {
  find: async (id: string) => known.get(id),
  list: async () => [...known.values()],
}
const options = { transport, host: 'local', stacksDirectory: '/tmp/registry-auth-stacks' }
const engine = dockerEngine({ ...options, registries })
const client = engineClient(transport, 'local')
let registry: Registry
let image: string

const pull = () => run(engine, step({ action: 'pull', kind: 'image', name: image }))
const forget = (name: string) => client.json({ method: 'DELETE', path: `/images/${name}` })
const know = (id: string, username: string, password: string) =>
  known.set(id, { id, username, password, createdAt: 0, updatedAt: 0, revision: 0 })

beforeAll(async () => {
  registry = await startRegistry({ closed: true })
  image = `${registry.address}/team/closed:1`
  const layer = await tarOf([{ path: 'made', content: Buffer.from(image), mode: 0o644 }])
  await publishImage(registry, 'team/closed', '1', layer)
})

afterAll(async () => {
  await registry.close()
  client.close()
  await engine.close()
})

test('pulls from a private registry only with its credentials', async () => {
  known.clear()
  await expect(pull()).rejects.toMatchObject({ status: 500 })
  know(registry.address, 'puller', 'not the password')
  const error = await pull().catch((reason) => reason)
  expect(error).toMatchObject({ status: 500 })
  expect(String(error)).not.toContain('not the password')
  know(registry.address, 'puller', present(registry.credentials).password)
  expect((await pull()).id).toMatch(/^sha256:/)
  await forget(image)
})

test.each([
  ['the old builder', 'LABEL a=b'],
  ['BuildKit', 'COPY --chmod=600 Dockerfile /'],
])('%s pulls a base image with the same credentials', async (_, line) => {
  const context = await mkdtemp('/tmp/registry-auth-')
  await writeFile(join(context, 'Dockerfile'), `FROM ${image}\n${line}\n`)
  const name = `${registry.address}/built:1`
  const dockerfile = join(context, 'Dockerfile')
  const lists = { tags: [], references: [], secrets: [] }
  const build = { project: 'auth', context, remote: false, dockerfile, ...lists, options: {} }
  const make = () => run(engine, step({ action: 'build', kind: 'image', name, build }))
  try {
    known.clear()
    await expect(make()).rejects.toMatchObject({ status: 500 })
    know('docker.io', 'somebody', 'else')
    know(registry.address, 'puller', present(registry.credentials).password)
    expect((await make()).id).toMatch(/^sha256:/)
    // BuildKit gives a base image no name.
    await unlessMissing(forget(image))
  } finally {
    await rm(context, { recursive: true })
  }
})

test('sends credentials only with calls for their registry, as the Engine expects', async () => {
  known.clear()
  know('docker.io', 'hub', 'ÿþ?>'.repeat(5))
  know('registry.example.org:5000', 'puller', 'secret')
  const decoded = (text: string | undefined) =>
    text === undefined ? undefined : JSON.parse(Buffer.from(text, 'base64url').toString())
  const hub = { username: 'hub', password: 'ÿþ?>'.repeat(5) }
  const other = { username: 'puller', password: 'secret' }
  const serveraddress = 'https://index.docker.io/v1/'
  for (const name of [
    'busybox',
    'library/busybox:1',
    'docker.io/library/busybox',
    'a/b@sha256:0',
  ]) {
    expect(decoded(await pullAuth(name, registries)), name).toEqual({ ...hub, serveraddress })
  }
  const own = await pullAuth('registry.example.org:5000/team/app:1', registries)
  expect(decoded(own)).toEqual({ ...other, serveraddress: 'registry.example.org:5000' })
  for (const name of ['registry.example.org/team/app', 'localhost/a', 'ghcr.io/a/b', '[::1]:5/a']) {
    expect(await pullAuth(name, registries), name).toBeUndefined()
  }
  const authOf = async (references: string[]) =>
    buildAuth(await namedRegistries(references, registries))
  const mine = 'registry.example.org:5000/x'
  const all = { [serveraddress]: hub, 'registry.example.org:5000': other }
  expect(decoded(await authOf(['busybox', mine]))).toEqual(all)
  expect(decoded(await authOf([mine, 'ghcr.io/a/b']))).toEqual({
    'registry.example.org:5000': other,
  })
  expect(decoded(await authOf(['busybox']))).toEqual({ [serveraddress]: hub })
  expect(await authOf(['ghcr.io/a/b'])).toBeUndefined()
  expect(await authOf([])).toBeUndefined()
  expect(await authOf(['busybox', mine])).toMatch(/^[A-Za-z0-9_-]+=*$/)
  known.clear()
  expect([await authOf(['busybox']), await pullAuth('a', undefined)]).toEqual([
    undefined,
    undefined,
  ])
})
