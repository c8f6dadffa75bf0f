import { type AuditAction, auditActions } from './audit-actions.ts'
import { type DeploymentKind, deploymentKinds } from './deployment-kinds.ts'

/** The changes of a host that its Engine reports, by what changes. */
export const engineEventKinds = [
  'container.create',
  'container.destroy',
  'container.die',
  'container.health_status',
  'container.kill',
  'container.oom',
  'container.pause',
  'container.rename',
  'container.restart',
  'container.start',
  'container.stop',
  'container.unpause',
  'container.update',
  'image.delete',
  'image.import',
  'image.load',
  'image.prune',
  'image.pull',
  'image.push',
  'image.save',
  'image.tag',
  'image.untag',
  'network.connect',
  'network.create',
  'network.destroy',
  'network.disconnect',
  'network.prune',
  'network.remove',
  'network.update',
  'volume.create',
  'volume.destroy',
  'volume.mount',
  'volume.prune',
  'volume.unmount',
] as const
export type EngineEventKind = (typeof engineEventKinds)[number]

/** What an Engine reports changes of. */
export const engineSubjects = ['container', 'image', 'network', 'volume'] as const
export type EngineSubject = (typeof engineSubjects)[number]

const deploymentMoments = ['begun', 'step', 'ended'] as const
export type DeploymentMoment = (typeof deploymentMoments)[number]
export type DeploymentEventKind = `stack.${DeploymentKind}.${DeploymentMoment}`

/** The events of stored records. Those of audit rows are not among them. */
export const recordEventKinds = [
  'alert.firing',
  'alert.resolved',
  'backup.begun',
  'backup.ended',
  'host.offline',
  'host.online',
  'restore.begun',
  'restore.ended',
] as const
export type RecordEventKind = (typeof recordEventKinds)[number]

/** `stacks.deploy` → `stack.deploy`: the kind of an event is in the singular. */
export type AuditEventKind = KindOf<AuditAction>

type KindOf<Action extends string> = Action extends `${infer Resource}.${infer Rest}`
  ? `${Singular<Resource>}.${Rest}`
  : Singular<Action>

/** Words that end in s without being a plural. */
const unchanged = ['settings', 'ws'] as const

type Singular<Word extends string> = Word extends (typeof unchanged)[number]
  ? Word
  : Word extends `${infer Stem}ies`
    ? `${Stem}y`
    : Word extends `${infer Stem}s`
      ? Stem
      : Word

/**
 * Returns the kind of the event of an audit row. That of a row of another version may not be among
 * `eventKinds`.
 */
export function auditEventKind(action: string): AuditEventKind {
  const [resource = '', ...rest] = action.split('.')
  return [singular(resource), ...rest].join('.') as AuditEventKind
}

/** Returns the kind of one resource, by the word for all of them. */
export function singular(resource: string): string {
  if (unchanged.some((word) => word === resource)) return resource
  return resource.replace(/ies$/, 'y').replace(/s$/, '')
}

export type EventKind = EngineEventKind | DeploymentEventKind | RecordEventKind | AuditEventKind

/** Every kind of event that this version sends. Rows of other versions may have others. */
export const eventKinds: readonly EventKind[] = [
  ...new Set([
    ...engineEventKinds,
    ...deploymentKinds.flatMap((kind) =>
      deploymentMoments.map((moment) => `stack.${kind}.${moment}` as const),
    ),
    ...recordEventKinds,
    ...auditActions.map(auditEventKind),
  ]),
].sort()
