import { jobsOf } from '../compose/plan/job.ts'
import { imageOf, scaleOf } from '../compose/plan/wanted.ts'
import type { LoadedProject, Project, Reach } from '../compose/project.ts'
import type { Needs } from '../ports.ts'
import { allowedRegistries } from '../registries/allowed.ts'
import type { ServiceExpectation, StackFiles, StackRecord } from './stack.ts'
import { composeInput, filesByPath, readable, readTexts, type StackTexts } from './texts.ts'

type Place = Pick<StackRecord, 'id' | 'directory' | 'composeFiles' | 'writable'>

/** How to load a stack's texts: the overlay to apply, and what its containers may access. */
export interface Reading {
  environment: string | null
  reach: Reach
}

/**
 * Loads a stack's project from its texts. Every deploy calls this or `checkTexts`.
 *
 * @throws 422 if the project is invalid, 403 if it accesses more than it may; the message has file,
 *   line and column, or path
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
 * The ports that loading needs: the loader, and the registries that callers without
 * `stacks:privileged` may use.
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
 * Checks that the stack loads without an overlay and with each of them, within the time limit of
 * one load. Returns what is expected of its services without an overlay.
 *
 * @throws what `loadTexts` throws
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
  // All inputs share this object, so that it is copied to the worker thread only once.
  const files = readable(filesByPath(texts, stack))
  const limits = await limitsOf(reach, ports)
  return ports.composer.check(inputs.map((input) => ({ ...input, files, ...limits })))
}

/**
 * Returns what is expected of each service. It is recorded so that the status does not need the
 * project.
 */
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
