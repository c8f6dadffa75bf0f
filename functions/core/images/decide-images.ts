import type { Plan } from '../compose/plan/draft.ts'
import {
  decidedImages,
  imageNames,
  type MovedImage,
  movedImages,
  movedText,
  neededImages,
  notFetched,
  withDecided,
} from '../compose/plan/moved-images.ts'
import type { Project } from '../compose/project.ts'
import type { Resolved, Snapshot } from '../engine/engine.ts'
import { otherImage } from '../engine/other-image.ts'
import { conflict } from '../errors.ts'

/** What a project's images are decided by. */
export interface ImageEvidence {
  project: Project
  /** Normal name → the ID that was last decided on. */
  recorded: Readonly<Record<string, string>>
  /** References that are recorded as other stacks' builds. */
  foreign: ReadonlySet<string>
  /** Moved references that are accepted: by the caller, or because this deployment fetched them. */
  accepted: 'all' | readonly string[]
}

/** The images that a deployment runs. */
export interface DecidedImages {
  /** What exists, with the previously decided images in place of those that moved. */
  resolved: Resolved
  moved: MovedImage[]
}

/** Decides which image each reference of a project stands for in a deployment. */
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
 * Adds a warning to a plan for each moved image that it does not fetch, and returns those. `first`
 * is the plan of pulls and builds.
 */
export function warnOfMoved(plan: Plan, first: Plan, moved: readonly MovedImage[]): MovedImage[] {
  const left = notFetched(moved, first, plan)
  plan.warnings.push(...left.map((one) => `image ${movedText(one)}; ${waysOut}`))
  return left
}

/**
 * Refuses to create containers from images that moved.
 *
 * @throws 409 that names them and what to do
 */
export function refuseMoved(stack: string, moved: readonly MovedImage[], plan: Plan): void {
  const needed = neededImages(moved, plan)
  if (needed.length === 0) return
  const names = needed.map(movedText).join(', ')
  throw conflict(
    `stack ${stack}: images on the host differ from those that it last deployed: ${names}; ${waysOut}`,
  )
}

/**
 * Returns the image record of a stack after a deployment: the IDs that it decides on, and earlier
 * ones for names that it does not use. `written` is the project without pins.
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

/**
 * Throws a 409 if a reference that a deployment fetched a moment ago stands for another image by
 * now.
 */
export function checkFetched(resolved: Resolved, fetched: ReadonlyMap<string, string>): void {
  for (const [reference, id] of fetched) {
    const found = resolved.images[reference]
    if (found && found.id !== id) throw otherImage(reference, id, found.id)
  }
}

const waysOut =
  '`pull: always` pulls again what is not built here, `pull_policy: build` builds again, ' +
  '`on_drift: import` uses what is there'

const byName = ([one]: [string, string], [other]: [string, string]) => (one < other ? -1 : 1)
