import { refusedByPolicy } from '../errors.ts'
import type { ImageBuild } from '../step.ts'
import { dockerfileDials } from './dockerfile-dials.ts'
import type { Dockerfile } from './read-dockerfile.ts'

/**
 * Refuses a Dockerfile that makes a builder dial what the caller of the build may not.
 *
 * @returns the images that any builder could read in it; empty if the build has no limits
 * @throws 403 that says what it may dial
 */
export function refuseDials(
  dockerfile: Dockerfile,
  { options, registries }: Pick<ImageBuild, 'options' | 'registries'>,
  of = 'the Dockerfile',
): string[] {
  if (!registries) return []
  const given = (options.buildargs ?? {}) as Record<string, string | null>
  const { images, problem } = dockerfileDials(dockerfile, given, registries)
  if (problem)
    throw refusedByPolicy(`${of}: ${problem}: this needs the permission stacks:privileged`)
  return images
}
