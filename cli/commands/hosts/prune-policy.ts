import type { PrunePolicy, PrunePolicyBody, PrunePreview } from '../../api/types.ts'
import { type Call, command } from '../../command.ts'
import { wrongUsage } from '../../failure.ts'
import { choiceOf } from '../../flags/choice.ts'
import type { Printer } from '../../output/print.ts'
import { clean } from '../../output/text.ts'
import { bytes, moment, shortId } from '../../output/units.ts'
import { whyKept } from '../../output/why-kept.ts'
import { findHost } from '../../resolve/find.ts'

const args = '<host>'
const flags = {
  '--schedule <cron>': 'When images are removed, a cron expression such as "0 4 * * 0"',
  '--timezone <name>': 'Time zone of the schedule, such as Europe/Berlin; defaults to UTC',
  '--what <what>':
    'nameless, the default: images that lost their names; unused: others too, needs stacks:privileged',
  '--unused-days <days>': 'With unused: remove images only so many days after they were last used',
  '--dry-run': 'Save and remove nothing, and print what the next run would remove',
  '--delete': 'Delete the policy',
} as const

type PolicyCall = Call<typeof args, typeof flags>

export default command({
  args,
  flags,
  details: `
Shows which images of a host are removed on a schedule, or sets what the flags say. What no flag names keeps its value.
Look first with --dry-run. Runs act as you: each has the rights that your account has then. Whoever changes the policy
takes it over. Images of the last three deployments of each stack stay, and volumes always do. Days count from when the
service first saw the image unused. A change needs images:delete.`,
  examples: [
    'cli hosts prune-policy nas --what unused --unused-days 30 --dry-run',
    'cli hosts prune-policy nas --what unused --unused-days 30 --schedule "0 4 * * 0" --timezone Europe/Berlin',
    'cli hosts prune-policy nas --dry-run',
    'cli hosts prune-policy nas --delete',
  ],
  fields: {
    schedule: '--schedule',
    timezone: '--timezone',
    what: '--what',
    unused_days: '--unused-days',
  },
  run: policy,
})

async function policy({ args: { host }, flags, client, print }: PolicyCall) {
  const { schedule, timezone } = flags
  const what = choiceOf('--what', flags.what, ['nameless', 'unused'])
  const days = daysOf(flags.unusedDays)
  const change = { schedule, timezone, what, days }
  const isChange = Object.values(change).some((one) => one !== undefined)
  if (flags.delete && (isChange || flags.dryRun)) {
    throw wrongUsage('--delete: use no other flag of the policy with it')
  }
  const service = await client()
  const { id, name } = await findHost(service, host)
  const path = { id }
  if (flags.delete) {
    const reply = await service.delete('/hosts/{id}/prune-policy', { path })
    print.reply(reply, () => print.line(`${clean(name)} has no prune policy now`))
    return
  }
  const found = await service.get('/hosts/{id}/prune-policy', { path })
  if (flags.dryRun) {
    const { what, unused_days } = changed(found.value, change)
    const query = { what, unused_days: unused_days?.toString() }
    const preview = await service.get('/hosts/{id}/prune-policy/preview', { path, query })
    print.reply(preview, (one) => showPreview(one, print))
    return
  }
  if (!isChange) {
    print.reply(found, (one) => show(one, print))
    return
  }
  const body = bodyOf(found.value, change)
  const saved = await service.put('/hosts/{id}/prune-policy', { path, body })
  print.reply(saved, (one) => show(one, print))
}

function daysOf(text: string | undefined): number | undefined {
  if (text === undefined) return undefined
  if (/^[1-9]\d{0,3}$/.test(text) && Number(text) <= 3650) return Number(text)
  throw wrongUsage(`--unused-days ${JSON.stringify(text)}: must be a number from 1 to 3650`)
}

/** What flags change. Undefined stays as it is. */
interface Change {
  schedule: string | undefined
  timezone: string | undefined
  what: PrunePolicy['what'] | undefined
  days: number | undefined
}

/** Returns which images a policy with the changes of flags removes. */
function changed(
  before: PrunePolicy,
  { what = before.what, days }: Change,
): Pick<PrunePolicy, 'what' | 'unused_days'> {
  if (what === 'unused') {
    const unused_days = days ?? before.unused_days
    if (unused_days === null) throw wrongUsage('--what unused: add --unused-days, such as 30')
    return { what, unused_days }
  }
  if (days !== undefined) throw wrongUsage('--unused-days: add --what unused')
  return { what, unused_days: null }
}

function bodyOf(before: PrunePolicy, change: Change): PrunePolicyBody {
  const { what, unused_days } = changed(before, change)
  const schedule = change.schedule ?? before.schedule
  if (schedule === null) {
    throw wrongUsage('--schedule: say when images are removed, such as "0 4 * * 0"')
  }
  return { schedule, timezone: change.timezone ?? before.timezone, what, unused_days }
}

function show(one: PrunePolicy, print: Printer): void {
  if (one.schedule === null) {
    print.line('no image is removed on a schedule: set one with --schedule')
    return
  }
  const { last } = one
  print.facts({
    removes:
      one.what === 'nameless'
        ? 'images without a name'
        : `images that were unused for ${one.unused_days} days`,
    schedule: `${one.schedule} ${one.timezone}`,
    next: one.next_at === null ? 'never' : moment(one.next_at),
    last: last === null ? 'not yet' : lastText(last),
    'acts as': one.acts_as ?? undefined,
    blocked: one.blocked ?? undefined,
  })
}

function lastText({ at, removed, reclaimed_bytes, error }: NonNullable<PrunePolicy['last']>) {
  const result =
    error === null ? `${removed} removed, ${bytes(reclaimed_bytes)} freed` : `failed: ${error}`
  return `${moment(at)}: ${result}`
}

/** Prints the images that the next run would remove, those that wait, and those that stay. */
function showPreview({ run_at, images, waiting, kept }: PrunePreview, print: Printer): void {
  const rows = [
    ...images.map((image) => ({ ...image, why: 'remove' })),
    ...waiting.map((image) => ({ ...image, why: `not before ${moment(image.due_at)}` })),
    ...kept.map((image) => ({ ...image, unused_since: null, why: whyKept(image) })),
  ]
  print.table(rows, [
    { head: 'IMAGE', text: (one) => one.tags.join(', ') || one.digests[0] },
    { head: 'ID', text: (one) => shortId(one.id) },
    { head: 'SIZE', text: (one) => bytes(one.size) },
    {
      head: 'UNUSED SINCE',
      text: (one) => (one.unused_since === null ? undefined : moment(one.unused_since)),
    },
    { head: 'NEXT RUN', text: (one) => one.why },
  ])
  const size = images.reduce((sum, image) => sum + image.size, 0)
  const removed = `images to remove on ${moment(run_at)}: ${images.length}, at most ${bytes(size)}`
  print.note(`${removed}; waiting: ${waiting.length}`)
}
