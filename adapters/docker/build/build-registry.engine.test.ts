import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { tarOf } from '../../../functions/core/tar/make.ts'
import { publishImage, type Registry, startRegistry } from '../../../local/harness/registry.ts'
import { buildPlace } from '../../testing/contract/build-place.ts'
import { building } from '../../testing/contract/engine-builds.ts'
import { run } from '../../testing/contract/engine-world.ts'
import { docker } from '../../testing/docker.ts'
import { present } from '../../testing/present.ts'
import { keepsImagesInContainerd } from '../state/image-store.ts'
import { engineClient } from '../transport/client.ts'

const { transport, engine, project, newDirectory } = buildPlace('registry')
const client = engineClient(transport, 'local')
let registry: Registry
let base: string

beforeAll(async () => {
  registry = await startRegistry()
  base = `${registry.address}/team/base:1`
})

afterAll(async () => {
  docker('rmi', '-f', base)
  client.close()
  await registry.close()
})

const publish = async (version: string) =>
  publishImage(
    registry,
    'team/base',
    '1',
    await tarOf([{ path: 'version', content: Buffer.from(`${project} ${version}`), mode: 0o644 }]),
    { version },
  )

/** Builds with BuildKit for a restricted caller. Returns the version of the base image. */
async function builtOn(options = {}): Promise<string> {
  const directory = newDirectory()
  mkdirSync(join(directory, 'app'))
  writeFileSync(join(directory, 'app/Dockerfile'), `FROM ${base}\nCOPY --chmod=600 file /\n`)
  writeFileSync(join(directory, 'app/file'), 'x')
  const build = { options, registries: [registry.address] }
  const { id } = await run(engine, building(project, directory, build))
  return docker('inspect', '--format', '{{.Config.Labels.version}}', present(id)).trim()
}

test('a restricted build never begins with an image that was not inspected', async () => {
  await publish('old')
  expect(await builtOn()).toBe('old')
  await publish('new')
  const built = builtOn()
  // There BuildKit asks the registry about a base that is on the host.
  if (await keepsImagesInContainerd(client, new AbortController().signal)) {
    await expect(built).rejects.toMatchObject({
      status: 409,
      message: expect.stringContaining(`the builder got another image for ${base}`),
    })
  } else expect(await built).toBe('old')
  expect(await builtOn({ pull: true })).toBe('new')
})
