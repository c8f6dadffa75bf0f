import { ownEntry } from '../../compose/lookup.ts'
import {
  decidedImages,
  imageNames,
  type MovedImage,
  movedImages,
  movedText,
  neededImages,
  notFetched,
  withDecided,
} from '../../compose/plan/fetch/moved-images.ts'
import type { Plan } from '../../compose/plan/plan-steps.ts'
import type { Project } from '../../compose/project.ts'
import type { Resolved, Snapshot } from '../../compose/snapshot.ts'
import { conflict } from '../errors.ts'
import { imageMismatch } from './image-mismatch.ts'

/** The facts that decide which images a project runs. */
export interface ImageEvidence {
  project: Project
  /** Normal name → the last ID that was decided on. */
  recorded: Readonly<Record<string, string>>
  /** References to images that are recorded as built by other stacks. */
  foreign: ReadonlySet<string>
  /** Moved references that are accepted, by the caller or because this deployment fetched them. */
  accepted: 'all' | readonly string[]
}

/** The images that a deployment runs. */
export interface DecidedImages {
  /** What exists on the host, with the previously decided images in place of those that moved. */
  resolved: Resolved
  moved: MovedImage[]
}

/** Decides which image each reference of a project means in a deployment. */
export function decideImages(
  { project, recorded, foreign, accepted }: ImageEvidence,
  snapshot: Pick<Snapshot, 'containers'>,
  resolved: Resolved,
): DecidedImages {
  const moved = movedImages(project, snapshot, resolved, { recorded, foreign }).filter(
    ({ reference }) => accepted !== 'all' && !accepted.includes(reference),
  )
  return { resolved: withDecided(resolved, moved), moved }
}

/**
 * Adds a warning to a plan for each moved image that it does not fetch, and returns these images.
 *
 * @param first the plan of pulls and builds
 */
export function warnOfMoved(plan: Plan, first: Plan, moved: readonly MovedImage[]): MovedImage[] {
  const unfetched = notFetched(moved, first, plan)
  plan.warnings.push(...unfetched.map((one) => `image ${movedText(one)}; ${remedies}`))
  return unfetched
}

/**
 * Refuses to create containers from images that moved.
 *
 * @throws 409 that lists the images and what the caller can do
 */
export function refuseMoved(stack: string, moved: readonly MovedImage[], plan: Plan): void {
  const needed = neededImages(moved, plan)
  if (needed.length === 0) return
  const names = needed.map(movedText).join(', ')
  throw conflict(
    `stack ${stack}: images on the host differ from those that it last deployed: ${names}; ${remedies}`,
    { reason: 'drift' },
  )
}

/**
 * Returns the image record of a stack after a deployment: the IDs that it decided on, and earlier
 * IDs of names in the project for which it decided nothing.
 *
 * @param written the project without pinned images
 */
export function recordedImages(
  written: Project,
  { project, recorded }: ImageEvidence,
  { resolved, moved }: DecidedImages,
): Record<string, string> {
  const names = imageNames(written)
  const known = { ...recorded, ...decidedImages(project, resolved, moved) }
  const entries = Object.entries(known).filter(([name]) => names.has(name))
  return Object.fromEntries(entries.sort(byName))
}

/** @throws 409 if a reference now stands for another image than the one this deployment fetched */
export function checkFetched(resolved: Resolved, fetched: ReadonlyMap<string, string>): void {
  for (const [reference, id] of fetched) {
    const found = ownEntry(resolved.images, reference)
    if (found && found.id !== id) throw imageMismatch(reference, id, found.id)
  }
}

const remedies =
  '`pull: always` pulls again what is not built here, `pull_policy: build` builds again, ' +
  '`on_drift: import` uses what is there'

const byName = ([one]: [string, string], [other]: [string, string]) => (one < other ? -1 : 1)
