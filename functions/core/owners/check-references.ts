import { ownEntry } from '../../compose/lookup.ts'
import type { Reach } from '../../compose/project.ts'
import type { PlacedReference, Reference } from '../../compose/references.ts'
import type { Resolved } from '../../compose/snapshot.ts'
import { conflict, refusedByPolicy } from '../errors.ts'
import type { Needs } from '../ports/ports.ts'
import type { OwnedName } from '../records/owner.ts'
import type { SettingValues } from '../records/settings.ts'
import { predatesOwners, type StackRecord } from '../records/stack.ts'
import { type FoundOwner, findOwner } from './find-owner.ts'
import { type Installation, installationOn } from './installation.ts'
import { installationRefusal } from './installation-refusal.ts'
import { judgeUse, type UseEvidence, type UseVerdict } from './judge.ts'
import { type ReportUse, refuseUse } from './refused-use.ts'

/** The stack that uses volumes and networks, and what its caller may do. */
export interface ReferenceUser {
  stack: string
  hostId: string
  reach: Reach
  /** The record of the stack; undefined before it is created. */
  record: StackRecord | undefined
  /** The stack is created from a running project, and gets what has the labels of that. */
  isAdoption?: boolean
  /** The account of the caller. If absent, the stack takes over nothing that others left. */
  accountId?: string | undefined
  /** Returns whether the caller may read and deploy a stack. If absent, the caller may not. */
  mayDeploy?: ((stack: string) => Promise<boolean>) | undefined
  /**
   * Returns what the deployed version of the stack uses, as `network:x`. If absent, it uses
   * nothing.
   */
  usedNames?: (() => Promise<ReadonlySet<string>>) | undefined
}

export type ReferencePorts = Needs<'engines' | 'owners' | 'settings' | 'stacks'>

/**
 * Checks the volumes and networks that a project uses against their recorded owners. Returns those
 * that belong to the stack and have no record yet. Removes the records of owners whose stack is
 * gone.
 *
 * @throws 409 if a name that the project creates belongs to another stack, or a name to the service
 *   itself, 403 if the caller may not use one, unless `report` keeps it; the message has the place
 *   in the file
 */
export async function checkReferences(
  user: ReferenceUser,
  references: readonly PlacedReference[],
  resolved: Pick<Resolved, 'networks' | 'volumes'>,
  ports: ReferencePorts,
  report: ReportUse = refuseUse,
): Promise<OwnedName[]> {
  if (references.length === 0) return []
  const checked = await judgeReferences(user, references, resolved, ports)
  for (const { reference, verdict } of checked) {
    if (verdict === 'installation') throw installations(reference)
    if (typeof verdict === 'string') continue
    const text = `${reference.place}${verdict.text}`
    if (verdict.status === 409) throw conflict(text, { reason: 'in-use' })
    report({ name: useName(reference) }, refusedByPolicy(text))
  }
  return checked.flatMap(({ reference: { kind, name }, verdict }) =>
    verdict === 'claim' ? [{ hostId: user.hostId, kind, name }] : [],
  )
}

/** Returns whether a stack may use each volume and network that a project uses. */
export async function judgeReferences(
  user: ReferenceUser,
  references: readonly PlacedReference[],
  resolved: Pick<Resolved, 'networks' | 'volumes'>,
  ports: ReferencePorts,
): Promise<{ reference: PlacedReference; verdict: UseVerdict }[]> {
  const installation = await installationOn(user.hostId, ports)
  return Promise.all(
    references.map(async (reference) => {
      const evidence = await evidenceOf(user, reference, { resolved, installation }, ports)
      return { reference, verdict: await judgeWithPast(reference, evidence, user) }
    }),
  )
}

const installations = ({ place, kind, name }: PlacedReference) =>
  installationRefusal(`${place}${kind} ${name}`, kind === 'volume' ? 'copy' : 'use')

/** Returns the name by which a use of a volume or network is known, and accepted. */
export const useName = ({ kind, name }: Pick<Reference, 'kind' | 'name'>): string =>
  `${kind}:${name}`

/** Reads the deployed version of the stack only if it decides. */
async function judgeWithPast(
  reference: Reference,
  evidence: UseEvidence,
  { usedNames }: ReferenceUser,
): Promise<UseVerdict> {
  const verdict = judgeUse(reference, evidence)
  if (typeof verdict === 'string' || !usedNames) return verdict
  const wasUsed = (await usedNames()).has(useName(reference))
  return wasUsed ? judgeUse(reference, { ...evidence, wasUsed }) : verdict
}

interface HostFacts {
  resolved: Pick<Resolved, 'networks' | 'volumes'>
  installation: Installation
}

async function evidenceOf(
  user: ReferenceUser,
  reference: Reference,
  { resolved: { networks, volumes }, installation }: HostFacts,
  ports: ReferencePorts,
): Promise<UseEvidence> {
  const { stack, reach, record, isAdoption = false, hostId } = user
  const { kind, name } = reference
  const at = kind === 'volume' ? ownEntry(volumes, name) : ownEntry(networks, name)
  const labels = at?.labels
  const found = await findOwner({ hostId, kind, name }, labels, ports, user)
  // The labels of this stack are judged by what else is known.
  const owner = found?.how === 'labelled' && found.stack === stack ? undefined : found
  return {
    stack,
    reach,
    predatesOwners: isAdoption || (record !== undefined && predatesOwners(record)),
    labels,
    owner,
    mayDeployOwner: owner !== undefined && (await mayDeployOwner(owner, user)),
    isShared: reach === 'stack' && sharedNames(await ports.settings.get(), kind).includes(name),
    isInstallation: installation[kind === 'volume' ? 'volumes' : 'networks'].has(name),
    wasUsed: false,
  }
}

async function mayDeployOwner(
  { stack: owner, how, leftBy }: FoundOwner,
  { stack, mayDeploy, accountId, isAdoption = false }: ReferenceUser,
): Promise<boolean> {
  if (how === 'left') {
    const isLeaver = leftBy !== undefined && leftBy.id === accountId
    return isLeaver || (isAdoption && owner === stack)
  }
  return owner !== stack && ((await mayDeploy?.(owner)) ?? false)
}

const sharedNames = (settings: SettingValues, kind: Reference['kind']) =>
  settings[kind === 'volume' ? 'stacks.shared_volumes' : 'stacks.shared_networks']
