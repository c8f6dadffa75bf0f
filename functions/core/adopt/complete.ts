import type { Reach } from '../../compose/project.ts'
import type { PlacedReference } from '../../compose/references.ts'
import type { PreparePorts } from '../deploy/request.ts'
import { conflict } from '../errors.ts'
import { getHost } from '../hosts/target.ts'
import { checkReferences } from '../owners/check-references.ts'
import { claimAll } from '../owners/claim-owner.ts'
import type { Stored } from '../ports/collection.ts'
import type { Needs } from '../ports/ports.ts'
import type { StackRecord } from '../records/stack.ts'
import type { Saver, StackFiles } from '../records/stack-files.ts'
import type { Upload } from '../records/upload.ts'
import { findDrift } from '../stacks/drift.ts'
import { expectations } from '../stacks/load-project.ts'
import { withoutHistory } from '../stacks/secret-paths.ts'
import { storeFiles } from '../stacks/store-files.ts'
import { composeFilesOf, overlayFile } from '../stacks/texts.ts'
import { readTree, storeTree } from '../stacks/tree.ts'
import { adoptTexts, firstFiles } from './bundle-texts.ts'
import { type Comparison, checkServices, compare } from './compare.ts'
import { getAdoptable } from './find-running.ts'
import { composeFilesIn } from './projects.ts'
import { readBundle } from './read-bundle.ts'

export type CompletePorts = Needs<'uploads'> & PreparePorts

/** The permissions of the caller. */
export interface Rights {
  by: Saver
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
  adoption: Upload,
  sha256: string,
  { by, reach, mayDeploy }: Rights,
  ports: CompletePorts,
): Promise<Adopted> {
  const host = await getHost(adoption.hostId, ports)
  const running = await getAdoptable(adoption.stack, host, reach, ports)
  const { names, whole } = composeFilesIn(running)
  const bundle = await readBundle(adoption, sha256, firstFiles(names), ports)
  const place = { id: adoption.stack, directory: running.workingDir, composeFiles: names }
  const { texts, project, warnings, references, secretFiles } = await adoptTexts(
    place,
    bundle.files,
    reach,
    ports,
  )
  checkServices(
    project,
    running.services.map(({ name }) => name),
  )
  const user = {
    stack: place.id,
    hostId: host.id,
    reach,
    mayDeploy,
    record: undefined,
    isAdoption: true,
  }
  const own = await checkReferences(
    user,
    references,
    await resolveReferences(references, host.id, ports),
    ports,
  )
  const stored = await storeFiles(texts, withoutHistory(secretFiles), ports)
  const files = { ...stored, savedBy: [by] }
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
    deployedRevision: 1,
  }
  const absent = await findAbsent(stack, ports)
  stack.written = await withoutAbsent(stack, absent, ports)
  const compared = await compare(stack as Stored<StackRecord>, ports)
  // Before the record, because a process that dies in between leaves claims without effect.
  await claimAll(own, stack, ports)
  if (!(await ports.stacks.create(stack))) {
    throw conflict(`stack ${stack.id}: a stack with that name exists`, { reason: 'exists' })
  }
  await finishAdoption(adoption, stack, ports)
  const omitted =
    bundle.omitted > 0 ? [`${bundle.omitted} large files are kept only on the host`] : []
  return {
    stack,
    differences: compared.differences,
    warnings: [
      ...warnings,
      ...omitted,
      ...absent.map((path) => `${path}: in the bundle but not on the host`),
      ...compared.warnings,
    ],
  }
}

/** Returns whether the adoption created its stack, even if its process died before recording it. */
export async function hasCreatedStack(
  adoption: Upload,
  { stacks }: Needs<'stacks'>,
): Promise<boolean> {
  return adoption.done || (await stacks.find(adoption.stack))?.filesFrom === adoption.id
}

/** Returns whether the adoption created this stack, and not a deleted one of the same name. */
export const isCreatedBy = (
  { id, stackCreatedAt }: Upload,
  { filesFrom, createdAt }: StackRecord,
): boolean => filesFrom === id || createdAt === stackCreatedAt

/** Records which stack was created, and removes the bundle. */
export async function finishAdoption(
  adoption: Upload,
  { createdAt }: StackRecord,
  { uploads }: Needs<'uploads'>,
): Promise<void> {
  if (!adoption.done) await uploads.save({ ...adoption, done: true, stackCreatedAt: createdAt })
  await uploads.removeParts(adoption.id)
}

/** Returns which of the volumes and networks that a project uses exist on the host. */
async function resolveReferences(
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
async function findAbsent(stack: StackRecord, ports: CompletePorts): Promise<string[]> {
  const engine = await ports.engines.on(stack.hostId)
  const drift = await findDrift(stack, stack.files, engine, ports)
  return drift.filter(({ change }) => change === 'missing').map(({ path }) => path)
}

async function withoutAbsent(
  stack: StackRecord,
  absent: readonly string[],
  ports: Needs<'texts'>,
): Promise<StackFiles | null> {
  const [composeFile] = composeFilesOf(stack)
  if (!stack.written || composeFile === undefined || absent.includes(composeFile)) return null
  const { compose, env, overlays, savedBy } = stack.written
  const present = Object.entries(await readTree(stack.written, ports)).filter(
    ([path]) => !absent.includes(path),
  )
  const tree = await storeTree(Object.fromEntries(present), ports)
  const named = ([name]: [string, string]) => !absent.includes(overlayFile(name))
  return {
    compose,
    env: absent.includes('.env') ? null : env,
    overlays: Object.fromEntries(Object.entries(overlays).filter(named)),
    others: {},
    ...(tree === undefined ? {} : { tree }),
    ...(savedBy && { savedBy }),
  }
}
