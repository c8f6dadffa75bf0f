import type { Client, Reply } from '../api/client.ts'
import type { Operation, ServiceUpgrade, UpgradeCheck } from '../api/types.ts'
import { command } from '../command.ts'
import { ApiFailure, failed, wrongUsage } from '../failure.ts'
import { detachFlag } from '../flags/detach-flag.ts'
import { requireSuccess, sayOperationStarted } from '../follow/operation.ts'
import { pollUntilDone } from '../follow/poll.ts'
import type { Io } from '../io.ts'
import type { Printer } from '../output/print.ts'
import { clean, cleanLines } from '../output/text.ts'
import { shortId } from '../output/units.ts'
import { confirmation, yesFlag } from '../prompt.ts'
import { findJob } from '../resolve/find.ts'

export default command({
  args: '[image]',
  flags: {
    '--check': 'Judge the new version, and change nothing',
    '--backup-job <job>':
      'The job that backs up the service before; by default the one that ran last',
    '--without-backup': 'Make no backup before',
    '--cancel':
      'Call off the upgrade that is waiting or backing up, and leave the service as it is',
    ...yesFlag,
    ...detachFlag,
  },
  details: `
Replaces the service by a new version. The argument is an image on the host of the service, or a version such as 0.5.0:
the running image with that tag. Without one it is the name of the running image, which \`docker load\` and
\`docker pull\` give to a newer one. The new version is judged first, by the labels of its image: whether it may
follow, whether it can read the store, whether it converts the store, and what of the installation would get lost. Then
the service waits for deployments, backups and restores, backs itself up and verifies that, and replaces its container.
If the new one is not healthy within a minute, the old one runs again and the command exits with 1. It also does if the
upgrade is refused. To see which stacks a new version refuses: \`cli stacks check\` of the new client. \`--cancel\` calls
an upgrade off, also one that another user or the browser began, until its container is being replaced. Needs
service:upgrade and an account for every host. An upgrade also needs stacks:privileged and, for the backup, the rights
to run the job; --check and --cancel do not.`,
  examples: [
    'cli upgrade --check',
    'cli upgrade 0.5.0',
    'cli upgrade --yes --without-backup',
    'cli upgrade --cancel',
  ],
  async run({ args: { image }, flags, client, print, io }) {
    if (flags.backupJob !== undefined && flags.withoutBackup) {
      throw wrongUsage('--backup-job and --without-backup exclude each other')
    }
    if (flags.cancel) {
      if (image !== undefined || flags.check || flags.backupJob || flags.withoutBackup) {
        throw wrongUsage('--cancel calls off the upgrade in progress: give no image and no choice')
      }
      return callOff(await client(), print)
    }
    const confirm = flags.check ? undefined : confirmation(io, flags)
    const service = await client()
    const { value: current } = await service.get('/service/upgrade').catch(explainMissing)
    const reply = await check(service, image)
    const { result, image_id: imageId } = reply.value
    if (!confirm || result === 'current') {
      print.reply(reply, (found) => show(found, current, print))
    } else sayFindings(reply.value, print)
    if (result === 'refused') {
      throw failed('this upgrade is refused', { hint: 'what was found says what to do' })
    }
    if (!confirm || result === 'current') return
    if (result === 'one_way' || imageId === null) {
      throw failed('the service cannot do this upgrade itself', {
        hint: wayOf(current.container, current.guide),
      })
    }
    const job = flags.backupJob === undefined ? undefined : await findJob(service, flags.backupJob)
    await confirm(questionOf(reply.value, current))
    const started = await service.post('/service/upgrade', {
      body: {
        ...named(image),
        image_id: imageId,
        backup_job: job?.id,
        without_backup: flags.withoutBackup,
      },
    })
    if (flags.detach) return sayOperationStarted(started, print)
    const ended = await untilUpgraded(started, service, print, io)
    print.reply(ended, ({ status, result: account }) => {
      if (status === 'succeeded') print.line(`the service was upgraded to ${toOf(reply.value)}`)
      else for (const line of logOf(account)) print.note(cleanLines(line))
    })
    requireSuccess(ended.value)
  },
})

/** Cancels the operation of an upgrade. The service refuses that once the container is replaced. */
async function callOff(service: Client, print: Printer): Promise<void> {
  const { value: current } = await service.get('/service/upgrade').catch(explainMissing)
  const id = current.pause?.operation_id ?? ''
  const path = { id }
  const isUpgrade =
    id !== '' && (await service.get('/operations/{id}', { path })).value.kind === 'service_upgrade'
  if (!isUpgrade) {
    throw failed('no upgrade of the service is waiting', {
      hint: current.pause
        ? 'the service is only paused; to end that: cli service resume'
        : 'what became of the last one: cli api /service/upgrade --jq .last',
    })
  }
  const reply = await service.post('/operations/{id}/cancel', { path })
  print.reply(reply, () => {
    print.line('the upgrade is being called off; nothing is replaced')
    print.note(`follow it: cli operations watch ${id}`)
  })
}

const toOf = ({ version, image }: UpgradeCheck) => version ?? clean(image ?? 'the new image')

const questionOf = (found: UpgradeCheck, { version }: ServiceUpgrade) =>
  `Upgrade the service from ${version} to ${toOf(found)}? It is away for about a minute; containers keep running.`

/** Returns the last lines of the new container, if the upgrade was taken back. */
function logOf(account: Operation['result']): string[] {
  const log = account?.log
  return Array.isArray(log) ? log.map(String) : []
}

/** Milliseconds. The service is away while its container is replaced, and if that is taken back. */
const limits = { interval: 1000, timeout: 15_000, retryAfter: 1000, away: 600_000 }

function untilUpgraded(
  started: Reply<Operation>,
  service: Client,
  print: Printer,
  io: Pick<Io, 'onInterrupt'>,
): Promise<Reply<Operation>> {
  const { id } = started.value
  let said = ''
  const say = (text: string) => {
    if (text !== said) print.note(text)
    said = text
  }
  const operation = {
    request: (options: { timeout: number; signal: AbortSignal }) =>
      service.get('/operations/{id}', { path: { id }, ...options }),
    progress: {
      show: ({ status, result }: Operation) => {
        const text = stepTexts[String(result?.step)]
        if (status === 'running' && text) say(text)
      },
      away: () => say('the service does not respond: waiting until it is back'),
      end() {},
    },
    stoppedMessage: `the upgrade goes on: cli operations watch ${id}`,
  }
  return pollUntilDone(started, operation, io, limits)
}

const stepTexts: Readonly<Record<string, string>> = {
  waiting: 'waiting for what runs',
  backing_up: 'backing up the service',
  replacing: 'replacing the container of the service',
}

const check = (service: Client, image: string | undefined) =>
  service.post('/service/upgrade/check', { body: named(image) })

const named = (image: string | undefined) =>
  image !== undefined && isVersion(image) ? { version: image } : { image }

/** An image of that name would need a tag. */
const isVersion = (text: string) => /^\d+\.\d+\.\d+(?:-[\w.-]+)?$/.test(text)

function show(found: UpgradeCheck, current: ServiceUpgrade, print: Printer): void {
  const { container, guide } = current
  print.facts({
    'running version': current.version,
    'running image': container && imageText(container.image, container.image_id),
    container: container?.name,
    'new version': found.version ?? 'unknown',
    'new image': found.image && imageText(found.image, found.image_id),
    result: resultTexts[found.result],
  })
  for (const finding of found.findings) print.line(findingText(finding))
  if (found.result === 'one_way') print.note(wayOf(container, guide))
  if (found.result === 'allowed') {
    print.note(container ? 'to upgrade: the same command without --check' : wayOf(container, guide))
  }
}

/** The result of the command is what becomes of the upgrade. */
function sayFindings({ findings }: UpgradeCheck, print: Printer): void {
  for (const finding of findings) print.note(findingText(finding))
}

const findingText = ({ kind, message }: UpgradeCheck['findings'][number]) =>
  `${kind.replace('_', ' ')}: ${cleanLines(message)}`

const imageText = (name: string, id: string | null) => `${name} (${shortId(id ?? '')})`

const resultTexts = {
  allowed: 'allowed',
  one_way: 'by hand only, with no way back but a copy of the store',
  refused: 'refused',
  current: 'it runs already',
} as const satisfies Record<UpgradeCheck['result'], string>

function wayOf(container: ServiceUpgrade['container'], guide: string): string {
  const directory = container?.compose_directory
  const first = directory ? `in ${cleanLines(directory)}: docker compose up --detach; ` : ''
  return `to upgrade, make a system backup; then ${first}see ${guide}`
}

/** A service from before this endpoint answers 404. */
function explainMissing(error: unknown): never {
  if (!(error instanceof ApiFailure) || error.status !== 404) throw error
  throw failed('the service is too old to check an upgrade', {
    hint: 'docs/upgrading.md has the commands',
  })
}
