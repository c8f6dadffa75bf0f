import type { Stored } from '../collection.ts'
import type { Reach } from '../compose/project.ts'
import { conflict } from '../errors.ts'
import { getHost } from '../hosts/target.ts'
import { checkReferences, claimAll, type ReferencePorts } from '../owners/check-references.ts'
import type { PlacedReference } from '../owners/references.ts'
import type { Needs } from '../ports.ts'
import { findDrift } from '../stacks/drift.ts'
import { expectations, type LoadPorts } from '../stacks/project.ts'
import type { StackFiles, StackRecord } from '../stacks/stack.ts'
import { composeFilesOf, keepTexts, overlayFile } from '../stacks/texts.ts'
import type { Adoption } from './adoption.ts'
import { adoptTexts, firstFiles } from './bundle-texts.ts'
import { type Comparison, checkServices, compare } from './compare.ts'
import { getAdoptable } from './find-running.ts'
import { composeFilesIn } from './projects.ts'
import { readBundle } from './read-bundle.ts'

export type CompletePorts = Needs<
  'adoptions' | 'clock' | 'deployments' | 'engines' | 'hosts' | 'owners' | 'stacks' | 'texts'
> &
  LoadPorts &
  ReferencePorts

/** The permissions of the caller. */
export interface Rights {
  reach: Reach
  /** Returns whether the caller may read and deploy a stack. */
  mayDeploy(stack: string): Promise<boolean>
}

/** The new stack, and how it differs from what runs. */
export interface Adopted extends Comparison {
  stack: StackRecord
}

/**
 * Creates a stack from a running project and the bundle that describes it. It starts, stops and
 * writes nothing on the host.
 *
 * @throws 400 if the bundle is invalid or unsafe, 409 if parts are missing or the stack exists by
 *   now, 422 if the bundle does not load, the project no longer runs or has other services, 403 if
 *   the project needs `stacks:privileged`
 */
export async function completeAdoption(
  adoption: Adoption,
  sha256: string,
  { reach, mayDeploy }: Rights,
  ports: CompletePorts,
): Promise<Adopted> {
  const host = await getHost(adoption.hostId, ports)
  const running = await getAdoptable(adoption.stack, host, reach, ports)
  const { names, whole } = composeFilesIn(running)
  const bundle = await readBundle(adoption, sha256, firstFiles(names), ports)
  const place = { id: adoption.stack, directory: running.workingDir, composeFiles: names }
  const { texts, project, warnings, references } = await adoptTexts(
    place,
    bundle.files,
    reach,
    ports,
  )
  checkServices(
    project,
    running.services.map(({ name }) => name),
  )
  const user = { ...{ stack: place.id, hostId: host.id, reach, mayDeploy }, wasUp: true }
  const own = await checkReferences(
    user,
    references,
    await found(references, host.id, ports),
    ports,
  )
  const files = await keepTexts(texts, ports)
  const now = ports.clock.now()
  const stack: StackRecord = {
    ...place,
    hostId: adoption.hostId,
    adopted: true,
    files,
    filesFrom: adoption.id,
    environment: null,
    contentRevision: 1,
    // The bundle is assumed to be what is on the host; differences show up as drift.
    written: whole ? files : null,
    keptVolumes: {},
    services: expectations(project),
    last: null,
    deployed: true,
    createdAt: now,
    updatedAt: now,
    deployedAt: null,
  }
  const absent = await absentOf(stack, ports)
  stack.written = withoutAbsent(stack, absent)
  const compared = await compare(stack as Stored<StackRecord>, ports)
  // Before the record, because a process that dies in between leaves claims without effect.
  await claimAll(own, stack.id, ports)
  if (!(await ports.stacks.create(stack))) {
    throw conflict(`stack ${stack.id}: a stack with that name exists`)
  }
  await finishAdoption(adoption, ports)
  const left = bundle.left > 0 ? [`${bundle.left} large files are kept only on the host`] : []
  return {
    stack,
    differences: compared.differences,
    warnings: [
      ...warnings,
      ...left,
      ...absent.map((path) => `${path}: in the bundle but not on the host`),
      ...compared.warnings,
    ],
  }
}

/** Returns whether the adoption made its stack, also if the process died before it noted that. */
export async function hasMadeStack(
  adoption: Adoption,
  { stacks }: Needs<'stacks'>,
): Promise<boolean> {
  return adoption.done || (await stacks.find(adoption.stack))?.filesFrom === adoption.id
}

/** Notes that the stack was made, and removes the bundle. */
export async function finishAdoption(
  adoption: Adoption,
  { adoptions }: Needs<'adoptions'>,
): Promise<void> {
  if (!adoption.done) await adoptions.save({ ...adoption, done: true })
  await adoptions.removeParts(adoption.id)
}

/** Returns which of the volumes and networks that a project uses exist on the host. */
async function found(
  references: readonly PlacedReference[],
  hostId: string,
  { engines }: Needs<'engines'>,
) {
  const named = (kind: PlacedReference['kind']) =>
    references.filter((one) => one.kind === kind).map(({ name }) => name)
  const engine = await engines.on(hostId)
  return engine.resolve({ networks: named('network'), volumes: named('volume'), images: [] })
}

/**
 * Returns the files of the bundle that are not in the project's directory. The next deploy writes
 * them.
 */
async function absentOf(stack: StackRecord, ports: CompletePorts): Promise<string[]> {
  const engine = await ports.engines.on(stack.hostId)
  const drift = await findDrift(stack, stack.files, engine, ports)
  return drift.filter(({ change }) => change === 'missing').map(({ path }) => path)
}

function withoutAbsent(stack: StackRecord, absent: readonly string[]): StackFiles | null {
  if (!stack.written || absent.includes(composeFilesOf(stack)[0]!)) return null
  const { compose, env, overlays, others } = stack.written
  const there = ([path]: [string, string]) => !absent.includes(path)
  const named = ([name]: [string, string]) => !absent.includes(overlayFile(name))
  return {
    compose,
    env: absent.includes('.env') ? null : env,
    overlays: Object.fromEntries(Object.entries(overlays).filter(named)),
    others: Object.fromEntries(Object.entries(others).filter(there)),
  }
}
