import { label } from '../../compose/create/labels.ts'
import { ownEntry } from '../../compose/lookup.ts'
import type { Reach } from '../../compose/project.ts'
import type { PlacedReference, Reference } from '../../compose/references.ts'
import type { Resolved } from '../../compose/snapshot.ts'
import { conflict, Failure, refusedByPolicy } from '../errors.ts'
import type { Needs } from '../ports/ports.ts'
import type { OwnedName, Owner } from '../records/owner.ts'
import type { SettingValues } from '../records/settings.ts'
import { type Installation, installationOn } from './installation.ts'
import { installationRefusal } from './installation-refusal.ts'
import { judgeUse, type UseEvidence, type UseVerdict } from './judge.ts'

/** The stack that uses volumes and networks, and what its caller may do. */
export interface ReferenceUser {
  stack: string
  hostId: string
  reach: Reach
  /** The stack was deployed or adopted before. */
  wasEverDeployed: boolean
  /** Returns whether the caller may read and deploy a stack. If absent, the caller may not. */
  mayDeploy?: ((stack: string) => Promise<boolean>) | undefined
}

export type ReferencePorts = Needs<'engines' | 'owners' | 'settings' | 'stacks'>

/**
 * Checks the volumes and networks that a project uses against their recorded owners. Returns those
 * that belong to the stack and have no record yet. Removes the records of owners whose stack is
 * gone.
 *
 * @throws 409 if a name that the project creates belongs to another stack, or a name to the service
 *   itself, 403 if the caller may
 *   not use one; the message has the place in the file
 */
export async function checkReferences(
  user: ReferenceUser,
  references: readonly PlacedReference[],
  resolved: Pick<Resolved, 'networks' | 'volumes'>,
  ports: ReferencePorts,
): Promise<OwnedName[]> {
  if (references.length === 0) return []
  const checked = await judgeReferences(user, references, resolved, ports)
  for (const { reference, verdict } of checked) {
    if (verdict === 'installation') throw installations(reference)
    if (typeof verdict === 'string') continue
    const text = `${reference.place}${verdict.text}`
    throw verdict.status === 403 ? refusedByPolicy(text) : conflict(text, { reason: 'in-use' })
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
      return { reference, verdict: judgeUse(reference, evidence) }
    }),
  )
}

const installations = ({ place, kind, name }: PlacedReference) =>
  installationRefusal(`${place}${kind} ${name}`, kind === 'volume' ? 'copy' : 'use')

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
  const { stack, reach, wasEverDeployed, hostId, mayDeploy } = user
  const { kind, name } = reference
  const found = kind === 'volume' ? ownEntry(volumes, name) : ownEntry(networks, name)
  const labels = found?.labels
  const owner = await ownerOf({ hostId, kind, name }, labels, stack, ports)
  const isOthers = owner !== undefined && owner !== stack
  return {
    stack,
    reach,
    wasEverDeployed,
    labels,
    owner,
    mayDeployOwner: isOthers && ((await mayDeploy?.(owner)) ?? false),
    isShared: reach === 'stack' && sharedNames(await ports.settings.get(), kind).includes(name),
    isInstallation: installation[kind === 'volume' ? 'volumes' : 'networks'].has(name),
  }
}

/**
 * Returns the stack that owns a thing: the recorded one or, without a record, another stack that
 * its labels name.
 *
 * @param labels of the existing thing with that name; undefined if there is none
 * @param user the stack that is about to use it, if there is one
 */
export async function ownerOf(
  resource: OwnedName,
  labels: Readonly<Record<string, string>> | undefined,
  user: string | undefined,
  ports: Needs<'owners' | 'stacks'>,
): Promise<string | undefined> {
  const recorded = await ports.owners.find(resource)
  const isValid = recorded && (await isRecordValid(recorded, user, labels, ports))
  if (isValid && !isReplaced(recorded, user, labels)) return recorded.stack
  const labelled = await labelledStack(labels, resource.hostId, ports)
  return labelled === user ? undefined : labelled
}

const sharedNames = (settings: SettingValues, kind: Reference['kind']) =>
  settings[kind === 'volume' ? 'stacks.shared_volumes' : 'stacks.shared_networks']

/**
 * Returns whether a name that is recorded for the stack now belongs to something else, which was
 * created by others after the original was removed. Everything that the service creates for a stack
 * has its label.
 */
const isReplaced = (
  owner: Owner,
  stack: string | undefined,
  labels: Readonly<Record<string, string>> | undefined,
): boolean => owner.stack === stack && labels !== undefined && labels[label.project] !== stack

/**
 * Returns whether a record is still valid, and releases it if it is not. The record of an existing
 * volume outlives its stack; other records end with the stack.
 */
async function isRecordValid(
  owner: Owner,
  stack: string | undefined,
  labels: object | undefined,
  ports: Needs<'owners' | 'stacks'>,
): Promise<boolean> {
  if (owner.stack === stack || (owner.kind === 'volume' && labels)) return true
  if (await isStackOn(owner.stack, owner.hostId, ports)) return true
  await ports.owners.release(owner)
  return false
}

/**
 * Returns the stack that labels name, if it exists. Labels can be forged, so they grant nothing:
 * they only protect things that were created before owners were recorded.
 */
async function labelledStack(
  labels: Readonly<Record<string, string>> | undefined,
  hostId: string,
  ports: Needs<'stacks'>,
): Promise<string | undefined> {
  const name = labels?.[label.project]
  return name !== undefined && (await isStackOn(name, hostId, ports)) ? name : undefined
}

async function isStackOn(name: string, hostId: string, { stacks }: Needs<'stacks'>) {
  try {
    return (await stacks.find(name))?.hostId === hostId
  } catch (error) {
    // A 403 means that the stack exists outside the caller's scope.
    if (error instanceof Failure && error.status === 403) return true
    throw error
  }
}

/**
 * Records things as owned by a stack. Call it under the lease of the stack; only a deploy that has
 * nothing to do has none.
 *
 * @throws 409 if another stack claimed one in the meantime
 */
export async function claimAll(
  resources: readonly OwnedName[],
  stack: string,
  { owners, clock }: Needs<'owners' | 'clock'>,
): Promise<void> {
  for (const resource of resources) {
    const owner = await owners.claim({ ...resource, stack, at: clock.now() })
    if (owner.stack !== stack) throw takenConcurrently(resource)
  }
}

/**
 * Returns the failure 409 for a claimed name. It does not name the owner, which the caller may not
 * be allowed to read.
 */
export const takenConcurrently = ({ kind, name }: Pick<OwnedName, 'kind' | 'name'>) =>
  conflict(`the ${kind} ${name} was claimed by another stack in the meantime`, { reason: 'in-use' })
