import { expect, test } from 'vitest'
import fc from '../../../local/harness/properties.ts'
import { registryOf } from '../reference/registry-address.ts'
import { registryProblem } from '../reference/registry-problem.ts'
import { dockerfileSamples, privateImages } from '../testing/dockerfile-samples.ts'
import { dockerfileDials } from './dockerfile-dials.ts'
import { dockerfileImages } from './dockerfile-images.ts'
import { readDockerfile } from './read-dockerfile.ts'

const options = { numRuns: 500, endOnFailure: true }

test('every image that BuildKit fetches was judged, or the Dockerfile is refused', () => {
  let accepted = 0
  fc.assert(
    fc.property(dockerfileSamples, ({ text, images }) => {
      const { images: judged, problem } = dockerfileDials(readDockerfile(text), {}, [])
      if (images.some((image) => privateImages.includes(image))) expect(problem).toBeDefined()
      if (problem !== undefined) return
      accepted += 1
      expect(judged).toEqual(expect.arrayContaining(images))
    }),
    options,
  )
  // It does not just refuse everything.
  expect(accepted).toBeGreaterThan(100)
})

test('every image that the service fetches was judged, or the Dockerfile is refused', () => {
  let accepted = 0
  fc.assert(
    fc.property(dockerfileSamples, ({ text, images }) => {
      const dockerfile = readDockerfile(text)
      const { images: judged, problem } = dockerfileDials(dockerfile, {}, [])
      const fetched = dockerfileImages(dockerfile) ?? []
      expect(fetched).toEqual(expect.arrayContaining(images))
      if (problem !== undefined) return
      accepted += 1
      expect(judged).toEqual(expect.arrayContaining(fetched))
    }),
    options,
  )
  expect(accepted).toBeGreaterThan(100)
})

/** Pieces of Dockerfiles in any order, most of them no valid instructions. */
const pieces = fc
  .array(
    fc.oneof(
      fc.constantFrom('FROM', 'COPY', 'RUN', 'ARG A=', 'ONBUILD', '--from=', '--mount=', 'from='),
      fc.constantFrom(' ', '\n', '\\\n', '`\n', '\t', '\r', '\u0085', '\u00a0', '\ufeff', '\u2028'),
      fc.constantFrom('<<E', 'E\n', '# escape=`\n', '# syntax=', '"', "'", '\\', ',', '$A', '${A}'),
      fc.constantFrom('busybox', 'ghcr.io/a', 'AS x', 'x', ...privateImages),
    ),
    { maxLength: 40 },
  )
  .map((all) => `FROM busybox\n${all.join('')}`)

test('no text makes the service fetch an image of a registry that was not allowed', () => {
  let accepted = 0
  fc.assert(
    fc.property(pieces, (text) => {
      const dockerfile = readDockerfile(text)
      const { problem } = dockerfileDials(dockerfile, {}, ['nas:5000'])
      if (problem !== undefined) return
      accepted += 1
      const registries = (dockerfileImages(dockerfile) ?? []).map(registryOf)
      expect(registries.filter((one) => registryProblem(one, ['nas:5000']))).toEqual([])
    }),
    { ...options, numRuns: 20_000 },
  )
  expect(accepted).toBeGreaterThan(1000)
})
