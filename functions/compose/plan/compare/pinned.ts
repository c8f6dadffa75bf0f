import { conflict } from '../../errors.ts'
import { ownEntry, serviceOf } from '../../lookup.ts'
import type { Project } from '../../project.ts'
import type { Service } from '../../service.ts'
import type { Resolved } from '../../snapshot.ts'
import { imageOf } from '../../used-resources.ts'

/**
 * Service → the image that it must run with, whatever its reference points to now: a repository
 * digest or an ID.
 */
export type Pins = Readonly<Record<string, string>>

/**
 * Returns the project with these images. Services are hashed as their files define them, so that a
 * later deploy sees only a changed image. A pinned image is never built, and pulled only by digest.
 */
export function pinImages(project: Project, pins: Pins): Project {
  const hashed: Record<string, Service> = { ...project.hashed }
  const services = Object.entries(project.services).map(([name, service]) => {
    const image = ownEntry(pins, name)
    if (image === undefined) return [name, service] as const
    hashed[name] = service
    const { build: _, pull_policy: policy, ...rest } = service
    const pull_policy = policy === 'never' ? policy : 'missing'
    return [name, { ...rest, image, pull_policy }] as const
  })
  return { ...project, services: Object.fromEntries(services), hashed }
}

/**
 * Checks that pinned images are available.
 *
 * @throws 409 if a pinned image is no longer on the host and has no digest to pull it by
 */
export function checkPins(project: Project, pins: Pins, resolved: Resolved): void {
  for (const name of Object.keys(project.services)) {
    const image = imageOf(project, name)
    if (ownEntry(pins, name) !== image || image.includes('@') || ownEntry(resolved.images, image))
      continue
    throw conflict(
      `services.${name}: image ${image} is no longer on the host and has no digest to pull it by`,
    )
  }
}

/** Returns a service as its config hash sees it: with the image of its file, not the pinned one. */
export const hashedService = (project: Project, name: string): Service =>
  ownEntry(project.hashed, name) ?? serviceOf(project, name)
