import type { LoadedProject } from '../../compose/load/loaded-project.ts'
import { jobsOf } from '../../compose/plan/compare/job.ts'
import type { Project, Reach } from '../../compose/project.ts'
import { imageOf, scaleOf } from '../../compose/used-resources.ts'
import { ignoreFailure } from '../ignore-error.ts'
import type { CheckedProject } from '../ports/composer.ts'
import type { Needs } from '../ports/ports.ts'
import type { ServiceExpectation, StackRecord } from '../records/stack.ts'
import type { StackFiles } from '../records/stack-files.ts'
import { allowedRegistries } from '../registries/allowed.ts'
import { composeInput, type LoadedStack, type LoadSettings, loadReading } from './compose-input.ts'
import { type HostOwned, hostOwned, nothingOwned } from './host-owned.ts'
import { readTexts, type StackTexts, type StoredTexts } from './texts.ts'

/**
 * Loads a stack's project from its texts. Every deploy calls this or `checkTexts`.
 *
 * @throws 422 if the project is invalid, 403 if it accesses more than it may; the message has file,
 *   line and column, or path
 */
export async function loadTexts(
  stack: LoadedStack,
  texts: StackTexts,
  reading: LoadSettings,
  ports: LoadPorts,
): Promise<LoadedTexts> {
  const input = composeInput(stack, texts, reading)
  const limits = await limitsOf(reading, ports)
  return loadReading(stack, texts, ports, async (files) => ({
    ...(await ports.composer.load({ ...input, ...files, ...limits })),
    read: files.files,
  }))
}

/** A project with the files it was loaded from. */
export interface LoadedTexts extends LoadedProject {
  /** Path → text of the files that were read. */
  read: Record<string, string>
}

/**
 * The ports that loading needs: the loader, the files, and the registries that callers without
 * `stacks:privileged` may use.
 */
export type LoadPorts = Needs<'composer' | 'registries' | 'settings' | 'texts'>

/** Returns the part of the input that limits what the Engine may dial. */
const limitsOf = async (
  { reach, listsPrivileged = false }: Pick<LoadSettings, 'reach' | 'listsPrivileged'>,
  ports: LoadPorts,
) => (reach === 'host' && !listsPrivileged ? {} : { registries: await allowedRegistries(ports) })

/** A project with the texts of its stack. */
export interface LoadedFiles extends LoadedTexts {
  texts: StoredTexts
}

/** Loads a stack's project from the texts behind its digests. */
export async function loadFiles(
  stack: LoadedStack,
  files: StackFiles,
  reading: LoadSettings,
  ports: LoadPorts,
): Promise<LoadedFiles> {
  const texts = await readTexts(files, ports)
  return { ...(await loadTexts(stack, texts, reading, ports)), texts }
}

/**
 * Checks that the stack loads without an overlay and with each of them, within the time limit of
 * one load. Returns what is expected of its services without an overlay, and which files are
 * secret.
 *
 * @throws what `loadTexts` throws
 */
export async function checkTexts(
  stack: LoadedStack,
  texts: StackTexts,
  reach: Reach,
  ports: LoadPorts,
): Promise<CheckedProject> {
  const environments = [null, ...Object.keys(texts.overlays)]
  const inputs = environments.map((environment) =>
    composeInput(stack, texts, { environment, reach }),
  )
  const limits = await limitsOf({ reach }, ports)
  // All inputs share the objects in `files`, so that they are copied to the worker only once.
  return loadReading(stack, texts, ports, (files) =>
    ports.composer.check(inputs.map((input) => ({ ...input, ...files, ...limits }))),
  )
}

/** Returns the result of a check from the loads of a stack, the first one without an overlay. */
export function checkedProject(loads: readonly LoadedProject[]): CheckedProject {
  const [first] = loads
  return {
    services: first ? expectations(first.project) : {},
    secretFiles: [...new Set(loads.flatMap(({ secretFiles }) => secretFiles))],
    composeFiles: [...new Set(loads.flatMap(({ composeFiles }) => composeFiles))],
  }
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

/**
 * Returns what belongs to the containers of a stack: what its records say if it does not load.
 * Loads nothing for a stack without files of its own.
 */
export async function loadOwned(
  stack: StackRecord,
  files: StackFiles,
  ports: LoadPorts,
): Promise<HostOwned> {
  const { writable = [], environment } = stack
  const project = { services: {}, disabled_services: {}, volumes: {} }
  const known = hostOwned({ ...project, working_dir: stack.directory }, [], writable)
  if (!hasTree(files) && !hasTree(stack.written)) return nothingOwned
  const loaded = await loadFiles(stack, files, { environment, reach: 'host' }, ports).catch(
    ignoreFailure('load a stack for its drift'),
  )
  return loaded ? hostOwned(loaded.project, Object.keys(loaded.read), writable) : known
}

/** Returns whether a stack has files besides its texts. */
export const hasTree = (files: StackFiles | null): boolean =>
  files !== null && (files.tree !== undefined || Object.keys(files.others).length > 0)
