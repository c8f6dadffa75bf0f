import type { Project } from '../../compose/project.ts'
import type { ObservedContainer } from '../../compose/snapshot.ts'
import type { Step } from '../../compose/step.ts'
import { currentActor } from '../access/actor.ts'
import { deploysStacks, reachOf } from '../access/reach.ts'
import { inScope, scopePorts } from '../access/scope.ts'
import { refusedByPolicy } from '../errors.ts'
import { checkImageAccess, type ImageFacts } from '../images/image-access.ts'
import { checkReferences } from '../owners/check-references.ts'
import { enterJoined } from '../owners/enter-joined.ts'
import { type RefusedUse, type ReportUse, reportRefusal } from '../owners/refused-use.ts'
import { findSharedNames, type NameUser } from '../owners/taken-names.ts'
import type { Engine } from '../ports/engine.ts'
import type { Saver, StackFiles } from '../records/stack-files.ts'
import type { StackTree } from '../records/stack-tree.ts'
import type { HostOwned } from '../stacks/host-owned.ts'
import type { LoadedFiles } from '../stacks/load-project.ts'
import type { UseBeyondSaver } from './prepared.ts'
import { refuseObserved } from './refuse-links.ts'
import { refuseReservedNames } from './refuse-reserved-names.ts'
import { refuseTreeLinks } from './refuse-tree-links.ts'
import { type DeploymentRequest, imageUser, type PreparePorts, type StackUser } from './request.ts'
import { nameUser, referenceUser } from './resource-users.ts'
import { privilegedUse } from './used-names.ts'

/** What a deployment uses. */
export interface DeployedUses {
  loaded: Pick<LoadedFiles, 'references' | 'privileged'>
  /** All services of the files. */
  whole: Project
  /** The containers that the stack has. */
  containers: readonly ObservedContainer[]
  images: ImageFacts
  /** Containers of the stack whose namespaces or volumes new ones join. */
  joined: readonly { id: string; name: string }[]
  steps: readonly Step[]
  /** All files that the stack should have. */
  tree: StackTree
  owned: HostOwned
}

/** The stack of an operation, its caller, and the files that it uses. */
export type FilesUser = StackUser & Pick<DeploymentRequest, 'files'>

/**
 * Returns what the files of a request use although an account that saved them may not, by the
 * rights that it has now. The account that deploys is left out: what it may not use is refused. So
 * is what the last deploy used too. Files of earlier versions do not say who saved them.
 *
 * @param used what the last deploy used; see `usedNames`
 */
export async function findBeyondSavers(
  request: FilesUser,
  uses: DeployedUses,
  used: NameUser['usedNames'],
  engine: Engine,
  ports: PreparePorts,
): Promise<UseBeyondSaver[]> {
  const found = new Map<string, { use: RefusedUse; text: string; savers: string[] }>()
  for (const { name, rights } of await limitedSavers(request, ports)) {
    const report: ReportUse = (use, { message: text }) => {
      const { savers } = found.get(keyOf(use)) ?? { savers: [] }
      found.set(keyOf(use), { use, text, savers: [...new Set([...savers, name])] })
    }
    await judgeUses({ ...request, ...rights }, uses, { used, report }, engine, ports)
  }
  if (found.size === 0) return []
  const before = await used()
  const open = [...found.values()]
    .filter(({ use }) => !before.has(keyOf(use)))
    .map(({ use: { name }, text, savers }) => ({
      name,
      text: `${text}; saved by ${savers.join(' and ')}, who may not use it`,
    }))
  // An attribute can need the permission for several reasons, which are not shown.
  return [...new Map(open.map((use) => [`${use.name} ${use.text}`, use])).values()]
}

const keyOf = ({ name, key = name }: RefusedUse) => key

/** Returns the accounts that saved the files, or wrote what they take from sets of variables. */
function saversOf({ savedBy = [], shared }: StackFiles): Saver[] {
  const ofSets = shared?.sets.flatMap((set) => set.savedBy) ?? []
  return [...new Map([...savedBy, ...ofSets].map((saver) => [saver.id, saver])).values()]
}

type Rights = Omit<StackUser, 'stack'>

/** Returns the other accounts of `saversOf`, unless they have access to the host. */
async function limitedSavers(
  { files, stack, accountId }: FilesUser,
  ports: PreparePorts,
): Promise<{ name: string; rights: Rights }[]> {
  const others = saversOf(files).filter(({ id }) => id !== accountId)
  const all = await Promise.all(
    others.map(async (saver) => ({
      name: saver.name,
      rights: await rightsOn(stack.hostId, saver, ports),
    })),
  )
  return all.filter(({ rights }) => rights.reach !== 'host')
}

/** Returns the rights that an account has on a host now; none if it is disabled or deleted. */
async function rightsOn(hostId: string, { id }: Saver, ports: PreparePorts): Promise<Rights> {
  const actor = await currentActor(id, ports)
  const host = await ports.hosts.find(hostId)
  if (!actor || !host || !inScope(actor.scopeTags, host)) {
    return { reach: 'stack', mayDeploy: async () => false, accountId: undefined }
  }
  const mayDeploy = deploysStacks(actor, scopePorts(ports, actor))
  return { reach: reachOf(actor), mayDeploy, accountId: id }
}

/** Checks the uses of a deployment as if a saver asked for it. */
async function judgeUses(
  asSaver: StackUser,
  { loaded, whole, containers, images, joined, steps, tree, owned }: DeployedUses,
  { used, report }: { used: NameUser['usedNames']; report: ReportUse },
  engine: Engine,
  ports: PreparePorts,
): Promise<void> {
  // Without the values, which can be those of secret files: plans are read by everyone.
  const reportPlace = (use: RefusedUse, place: string) =>
    report(use, refusedByPolicy(`${place}this needs the permission stacks:privileged`))
  for (const use of loaded.privileged ?? []) reportPlace(privilegedUse(use), use.place)
  refuseObserved(whole, containers, asSaver.stack, (use) => reportPlace(use, `${use.name}: `))
  const { resolved } = images
  const user = referenceUser(asSaver, used)
  await checkReferences(user, loaded.references, resolved, ports, report)
  await refuseReservedNames(asSaver, whole, used, engine, ports, report)
  await checkImageAccess(whole, images, imageUser(asSaver), ports, report)
  for (const { id, name } of joined) {
    const enter = () => enterJoined([id], asSaver, engine, ports)
    await reportRefusal({ name: `joined:${name}` }, report, enter)
  }
  await findSharedNames(steps, nameUser(asSaver, resolved, used, ports), engine, report)
  refuseTreeLinks(asSaver, tree, owned, report)
}
