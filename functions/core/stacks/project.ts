import { jobsOf } from '../compose/plan/job.ts'
import { imageOf, scaleOf } from '../compose/plan/wanted.ts'
import type { LoadedProject, Project, Reach } from '../compose/project.ts'
import type { Needs } from '../ports.ts'
import { allowedRegistries } from '../registries/allowed.ts'
import type { ServiceExpectation, StackFiles, StackRecord } from './stack.ts'
import { composeInput, filesByPath, readable, readTexts, type StackTexts } from './texts.ts'

type Place = Pick<StackRecord, 'id' | 'directory' | 'composeFiles' | 'writable'>

/** How a stack's texts are read: with which overlay, and how far its containers may reach. */
export interface Reading {
  environment: string | null
  reach: Reach
}

/**
 * Loads a stack's project from its texts. Throws a `Failure` that says file, line and column, or path: 422, or 403 when it
 * reaches further than it may. Every way to a deploy leads through here or through `checkTexts`.
 */
export async function loadTexts(
  stack: Place,
  texts: StackTexts,
  reading: Reading,
  ports: LoadPorts,
): Promise<LoadedProject> {
  const input = composeInput(stack, texts, reading)
  return ports.composer.load({ ...input, ...(await limitsOf(reading.reach, ports)) })
}

/**
 * What loading needs: the loader, and the registries that callers without `stacks:privileged` may
 * use.
 */
export type LoadPorts = Needs<'composer' | 'registries' | 'settings'>

/** Returns the part of the input that limits what the Engine may dial. */
const limitsOf = async (reach: Reach, ports: LoadPorts) =>
  reach === 'host' ? {} : { registries: await allowedRegistries(ports) }

/** A project with the texts it was loaded from. */
export interface LoadedFiles extends LoadedProject {
  texts: StackTexts
}

/** Loads a stack's project from the texts behind its digests. */
export async function loadFiles(
  stack: Place,
  files: StackFiles,
  reading: Reading,
  ports: Needs<'texts'> & LoadPorts,
): Promise<LoadedFiles> {
  const texts = await readTexts(files, ports)
  return { ...(await loadTexts(stack, texts, reading, ports)), texts }
}

/**
 * Checks that the stack loads without an overlay and with each of them, all within the time of one load, and gives what is
 * expected of its services without. Throws what `loadTexts` throws.
 */
export async function checkTexts(
  stack: Place,
  texts: StackTexts,
  reach: Reach,
  ports: LoadPorts,
): Promise<Record<string, ServiceExpectation>> {
  const environments = [null, ...Object.keys(texts.overlays)]
  const inputs = environments.map((environment) =>
    composeInput(stack, texts, { environment, reach }),
  )
  // One object in all of them crosses to another thread once.
  const files = readable(filesByPath(texts, stack))
  const limits = await limitsOf(reach, ports)
  return ports.composer.check(inputs.map((input) => ({ ...input, files, ...limits })))
}

/** What each service is expected to be, for a status without loading the project again. */
export function expectations(project: Project): Record<string, ServiceExpectation> {
  const jobs = jobsOf(project)
  const entries = Object.entries(project.services).map(([name, service]) => {
    const expected = {
      containers: scaleOf(service),
      job: jobs.has(name),
      image: imageOf(project, name),
    }
    return [name, expected] as const
  })
  return Object.fromEntries(entries)
}
