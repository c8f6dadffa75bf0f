import { expect, test } from 'vitest'
import { readDockerfile } from '../../../functions/compose/build/read-dockerfile.ts'
import { registryOf } from '../../../functions/compose/reference/registry-address.ts'
import { registryProblem } from '../../../functions/compose/reference/registry-problem.ts'
import type { ImageBuild } from '../../../functions/compose/step.ts'
import { dockerfileSamples } from '../../../functions/compose/testing/dockerfile-samples.ts'
import { Failure } from '../../../functions/core/errors.ts'
import { json, loopbackEngine } from '../../../local/harness/loopback-engine.ts'
import fc from '../../../local/harness/properties.ts'
import { engineClient } from '../transport/client.ts'
import { checkBases } from './build-bases.ts'

/** A build of a caller without `stacks:privileged` who may use the registry `nas:5000`. */
const build: ImageBuild = {
  project: 'a',
  context: '/a',
  remote: false,
  dockerfile: '/a/Dockerfile',
  tags: [],
  references: [],
  secrets: [],
  options: { pull: true },
  registries: ['nas:5000'],
}

test('the Engine is asked for no image of a registry that was not allowed', async () => {
  const { transport, calls } = await loopbackEngine(({ path }, response) =>
    path === '/images/create'
      ? response.end('{"status":"Downloaded"}')
      : json(response, 200, { Id: 'sha256:0f', Os: 'linux', Architecture: 'amd64', Config: {} }),
  )
  const client = engineClient(transport, 'local')
  const { signal } = new AbortController()
  let built = 0
  await fc.assert(
    fc.asyncProperty(dockerfileSamples, async ({ text }) => {
      calls.length = 0
      try {
        await checkBases(client, readDockerfile(text), { build, version: '1' }, signal)
        built += 1
      } catch (error) {
        if (!(error instanceof Failure && error.status === 403)) throw error
      }
      const asked = calls.map((call) => new URL(call.replace(/^\w+ /, ''), 'http://engine'))
      const images = asked.map(({ pathname, searchParams }) =>
        pathname.endsWith('/images/create')
          ? String(searchParams.get('fromImage'))
          : decodeURIComponent(pathname.replace(/^.*\/images\/(.*)\/json$/, '$1')),
      )
      const refused = images.filter((image) => registryProblem(registryOf(image), ['nas:5000']))
      expect(refused).toEqual([])
    }),
    { numRuns: 200, endOnFailure: true },
  )
  // It does not just refuse everything.
  expect(built).toBeGreaterThan(20)
})
