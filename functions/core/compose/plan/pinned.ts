import type { Resolved } from '../../engine/engine.ts'
import { conflict } from '../../errors.ts'
import type { Project } from '../project.ts'
import type { Service } from '../service.ts'
import { imageOf } from './wanted.ts'

/** Service → the image that it is to run with, whatever its reference stands for now: a repository digest or an id. */
export type Pins = Readonly<Record<string, string>>

/**
 * A project whose services run with these images. They are hashed as their files say, so that a later deploy finds their
 * containers unchanged but for the image. What is pinned is never built, and pulled only by its digest.
 */
export function pinImages(project: Project, pins: Pins): Project {
  const hashed: Record<string, Service> = { ...project.hashed }
  const services = Object.entries(project.services).map(([name, service]) => {
    const image = Object.hasOwn(pins, name) ? pins[name] : undefined
    if (image === undefined) return [name, service] as const
    hashed[name] = service
    const { build: _, pull_policy: policy, ...rest } = service
    const pull_policy = policy === 'never' ? policy : 'missing'
    return [name, { ...rest, image, pull_policy }] as const
  })
  return { ...project, services: Object.fromEntries(services), hashed }
}

/** Throws a `Failure` 409 for a pinned image that is no longer on the host and has no digest by which it could be pulled. */
export function checkPins(project: Project, pins: Pins, resolved: Resolved): void {
  for (const name of Object.keys(project.services)) {
    const image = imageOf(project, name)
    if (pins[name] !== image || image.includes('@') || resolved.images[image]) continue
    throw conflict(
      `services.${name}: image ${image} is no longer on the host and has no digest to pull it by`,
    )
  }
}

/** A service as its config hash is taken over: without the image that it was pinned to. */
export const hashedService = (project: Project, name: string): Service =>
  project.hashed?.[name] ?? project.services[name]!
