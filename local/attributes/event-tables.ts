import { permissionFor } from '../../functions/core/events/service-event.ts'
import { type OwnAction, ownActions } from '../../functions/core/records/audit-actions.ts'
import { deploymentKinds } from '../../functions/core/records/deployment-kinds.ts'
import {
  auditEventKind,
  type DeploymentMoment,
  type EngineEventKind,
  type EventKind,
  engineEventKinds,
  type RecordEventKind,
  recordEventKinds,
} from '../../functions/core/records/event-kinds.ts'
import { actionOf } from '../../functions/kit/audit-row.ts'
import { feeds, routes } from '../../serverless.ts'
import { fillTable } from '../fill-table.ts'

/** What happened, and the names in `details`. */
type Meaning = readonly [when: string, details?: string]

const inContainer = '`image`, `stack`, `service`'
const ofNetwork = '`container`, `type`'
const ofVolume = '`driver`'

const engineMeanings: Record<EngineEventKind, Meaning> = {
  'container.create': ['a container was created', inContainer],
  'container.destroy': ['a container was removed', inContainer],
  'container.die': ['a container ended', `${inContainer}, \`exit_code\``],
  'container.health_status': ['a health check changed its result', `${inContainer}, \`health\``],
  'container.kill': ['a signal was sent to a container', `${inContainer}, \`signal\``],
  'container.oom': ['a container ran out of memory', inContainer],
  'container.pause': ['a container was paused', inContainer],
  'container.rename': ['a container was renamed', `${inContainer}, \`old_name\``],
  'container.restart': ['a container was restarted by a request', inContainer],
  'container.start': ['a container was started', inContainer],
  'container.stop': ['a container was stopped by a request', inContainer],
  'container.unpause': ['a paused container was resumed', inContainer],
  'container.update': ['limits or the restart policy were changed', inContainer],
  'image.delete': ['an image was removed'],
  'image.import': ['an image was made from an archive of files'],
  'image.load': ['an image was loaded from an archive'],
  'image.prune': ['unused images were removed'],
  'image.pull': ['an image was pulled'],
  'image.push': ['an image was pushed'],
  'image.save': ['an image was saved as an archive'],
  'image.tag': ['an image got a tag'],
  'image.untag': ['an image lost a tag'],
  'network.connect': ['a container was connected', ofNetwork],
  'network.create': ['a network was created', '`type`'],
  'network.destroy': ['a network was removed', '`type`'],
  'network.disconnect': ['a container was disconnected', ofNetwork],
  'network.prune': ['unused networks were removed'],
  'network.remove': ['a network of a swarm was removed', '`type`'],
  'network.update': ['a network of a swarm was changed', '`type`'],
  'volume.create': ['a volume was created', ofVolume],
  'volume.destroy': ['a volume was removed', ofVolume],
  'volume.mount': ['a container mounted a volume', `${ofVolume}, \`container\`, \`destination\``],
  'volume.prune': ['unused volumes were removed'],
  'volume.unmount': ['a container unmounted a volume', `${ofVolume}, \`container\``],
}

const momentMeanings: Record<DeploymentMoment, Meaning> = {
  begun: ['the operation began', '`deployment_id`, `environment`'],
  step: [
    'a step began or ended',
    '`deployment_id`, `step`, `action`, `kind`, `name`, `status`, `ms`, `error`',
  ],
  ended: ['the operation ended', '`deployment_id`, `status`, `error`'],
}

const ofAlert = '`rule_id`, `rule`, `subject_kind`, `metric`, `severity`, `value`, `threshold`'
const ofRun = '`run_id`, `status`, `error`, `size`'

const recordMeanings: Record<RecordEventKind, Meaning> = {
  'alert.firing': ['the condition of a rule holds for a subject', ofAlert],
  'alert.resolved': ['the condition no longer holds, or its subject is gone', ofAlert],
  'backup.begun': ['a backup began', '`run_id`'],
  'backup.ended': ['a backup ended', ofRun],
  'host.offline': ['the agent of a host disconnected'],
  'host.online': ['the agent of a host connected'],
  'restore.begun': ['a restore began', '`run_id`'],
  'restore.ended': ['a restore ended', ofRun],
}

const ownMeanings: Record<OwnAction, Meaning> = {
  'alert-deliveries.dead': [
    'the delivery of an alert was given up',
    '`channel`, `rule`, `error`, `tries`',
  ],
  'backup-jobs.bind': ['a job of an earlier version got the account that it acts as', '`author`'],
  'backup-jobs.block': ['a job was blocked, as its account lost a right', '`reason`'],
  'backup-jobs.recover': ['the backup of a process that ended was settled', '`run_id`'],
  'backup-jobs.unblock': ['a blocked job may run again'],
  'backup-runs.recover': ['the restore of a process that ended was settled'],
  'containers.exec.outlive': ['a command outlived its client', '`user`, `processes`'],
  'hosts.agent.duplicate': [
    'a second machine uses the certificate of a host',
    '`hostname`, `address`',
  ],
  'hosts.agent.upgrade': [
    'the service upgraded an agent, or gave that up',
    '`version`, `state`, `error`',
  ],
  'images.outdated': [
    'the registry has a newer image than services of a stack run',
    '`image`, `digest`, `services`',
  ],
  'images.prune.block': [
    'no image of a host may be pruned by schedule: its account lacks a right, or is disabled or deleted',
    '`reason`',
  ],
  'images.prune.run': [
    'images of a host were pruned by schedule; or that failed',
    '`removed`, `reclaimed_bytes`, `images`, `reason`',
  ],
  'images.prune.unblock': ['images of a host may be pruned by schedule again'],
  refusals: ['many requests were refused, more than have rows of their own', '`count`'],
  'secret-keys.reencrypt': ['stored secrets were encrypted with another key', '`changed`'],
  'settings.fill-lists': ['uses of an earlier version were added to the settings', 'the lists'],
  'sources.hook.look': [
    'a source was looked at for its hook; or it could not be seen',
    '`source_revision`, `reason`',
  ],
  'stacks.hook.deploy': [
    'a deployment for the hook of a stack began, or could not begin',
    '`deployment_id`, `reason`',
  ],
  'stacks.images.block': [
    'updates of a stack are blocked: its account lacks a right, or is disabled or deleted',
    '`reason`',
  ],
  'stacks.images.restore': [
    'an update of a stack went back with its data; `kept` names the volumes with what was written since',
    '`run_id`, `kept`',
  ],
  'stacks.images.roll-back': [
    'an update of a stack was bad, and the service rolls it back; or that failed',
    '`service`, `reason`, `services`, `images`, `before`, `deployment_id`',
  ],
  'stacks.images.unblock': ['updates of a stack may run again'],
  'stacks.images.update': [
    'the service begins an update of a stack; or it failed before it changed a container',
    '`services`, `images`, `before`, `reason`, `deployment_id`',
  ],
  'stacks.jobs.block': [
    'a job of a stack is blocked: its account lacks a right, or is disabled or deleted',
    '`job`, `reason`',
  ],
  'stacks.jobs.end': [
    'a run of a job of a stack ended',
    '`job`, `run_id`, `status`, `exit_code`, `reason`',
  ],
  'stacks.jobs.unblock': ['a blocked job of a stack may run again', '`job`'],
  'stacks.recover': [
    'the operation of a process that ended was settled',
    '`deployment_id`, `kind`',
  ],
  'stacks.source.block': [
    'a stack does not follow its source: its account lacks a right, or is disabled or deleted',
    '`source`, `reason`',
  ],
  'stacks.source.deploy': [
    'a deployment of what a stack took from its source began',
    '`source`, `source_revision`, `deployment_id`',
  ],
  'stacks.source.fail': [
    'a stack could not follow its source, or what it took could not be deployed',
    '`source`, `reason`; of a deployment that failed also `source_revision`, `deployment_id`',
  ],
  'stacks.source.notice': [
    'the source of a stack has something new, and the stack takes it only when a user asks',
    '`source`, `source_revision`',
  ],
  'stacks.source.take': [
    'what the source has became the newest files of a stack, or equalled them',
    '`source`, `source_revision`',
  ],
  'system.accept-lost-keys': ['the service was started without lost keys', '`files`'],
  'system.reset-password': [
    'a password was reset on the machine',
    '`username`, `second_factor_removed`',
  ],
  'system.restore': [
    'the service was restored from a backup',
    '`run_id`, `sha256`, `newest_row` and others',
  ],
}

/** Returns the page of events with its generated tables in their places. */
export function withEventTables(document: string): string {
  const tables = {
    'deployment-kinds': kindLines(),
    'engine-events': engineTable(),
    'record-events': recordTable(),
    'own-events': ownTable(),
    'change-events': requestTable(changes),
    'read-events': requestTable(reads),
  }
  return Object.entries(tables).reduce(
    (text, [name, table]) => fillTable(text, name, table),
    document,
  )
}

/** Returns the kinds of deployments, six a line. */
const kindLines = () =>
  [deploymentKinds.slice(0, 6), deploymentKinds.slice(6)]
    .map((kinds) => kinds.map(code).join(', '))
    .join(',\n')

const tableOf = (head: string[], rows: string[][]) =>
  [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n')

const code = (text: string) => `\`${text}\``

const seenWith = (kind: EventKind) => code(permissionFor(kind))

const engineTable = () =>
  tableOf(
    ['event', 'when', '`details`', 'seen with'],
    engineEventKinds.map((kind) => {
      const [when, details = ''] = engineMeanings[kind]
      return [code(kind), when, details, seenWith(kind)]
    }),
  )

const recordTable = () =>
  tableOf(
    ['event', 'when', '`details`', 'seen with'],
    [
      ...Object.entries(momentMeanings).map(([moment, [when, details = '']]) => [
        code(`stack.<kind>.${moment}`),
        when,
        details,
        seenWith('stack.deploy.begun'),
      ]),
      ...recordEventKinds.map((kind) => {
        const [when, details = ''] = recordMeanings[kind]
        return [code(kind), when, details, seenWith(kind)]
      }),
    ],
  )

const ownTable = () =>
  tableOf(
    ['event', 'audit action', 'when', '`details`', 'seen with'],
    ownActions.map((action) => {
      const kind = auditEventKind(action)
      const [when, details = ''] = ownMeanings[action]
      return [code(kind), code(action), when, details, seenWith(kind)]
    }),
  )

const lines = [...Object.keys(routes), ...Object.keys(feeds).map((path) => `GET ${path}`)]
const isRead = (line: string) => actionOf(line).endsWith('.read')
const reads = lines.filter(isRead)
const changes = lines.filter((line) => !isRead(line))

/** Returns a table of the actions of these lines, each with its requests. */
function requestTable(of: readonly string[]): string {
  const actions = [...new Set(of.map(actionOf))].sort()
  return tableOf(
    ['event', 'audit action', 'request', 'seen with'],
    actions.map((action) => {
      const requests = of.filter((line) => actionOf(line) === action)
      const shown = requests.map((line) => code(line.replace(/ +/, ' '))).join(', ')
      const kind = auditEventKind(action)
      return [code(kind), code(action), shown, seenWith(kind)]
    }),
  )
}
