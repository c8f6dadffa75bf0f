import type { Client } from '../../api/client.ts'
import type { UpdatePolicy, UpdatePolicyBody } from '../../api/types.ts'
import { type Call, command } from '../../command.ts'
import { CliFailure, wrongUsage } from '../../failure.ts'
import { choiceOf } from '../../flags/choice.ts'
import { type DurationUnit, durationOf } from '../../flags/duration.ts'
import type { Printer } from '../../output/print.ts'
import { clean } from '../../output/text.ts'
import { findJob } from '../../resolve/find.ts'
import { checkHost } from '../../resolve/host.ts'

const args = '<name>'
const flags = {
  '--mode <mode>':
    'off: ask no registry; notify: show newer images, the default; apply: deploy them too',
  '--window <cron>':
    'When updates begin, a cron expression such as "0 3 * * *"; `none`, the default: any time',
  '--timezone <name>': 'Time zone of the window, such as Europe/Berlin; defaults to UTC',
  '--for <duration>': 'How long the window stays open, 5m to 7d; defaults to 2h',
  '--minimum-age <duration>':
    'Deploy images only this long after the service first saw them; defaults to 72h; 0h: at once',
  '--except <...service>':
    'Leave this service out; repeatable, replaces earlier names; `none`: leave none out',
  '--checkpoint <job>':
    'Run this backup job before each update, so that its data can go back; `none`, the default: no job',
  '--watch-minutes <number>':
    'Watch each update for this long, 1 to 60; `none`, the default: as long as the health checks need',
  '--after <...stack>':
    'Update this stack of the same host first; repeatable, replaces earlier names; `none`: none',
  '--reset': 'Delete the policy, so that the default applies: notify',
} as const

type PolicyCall = Call<typeof args, typeof flags>
type Flags = PolicyCall['flags']

export default command({
  args,
  nameFromFolder: true,
  flags,
  details: `
Shows what happens with newer images of a stack, or sets what the flags say. What no flag names keeps its value; the
defaults are those of a stack without a policy. With \`apply\`, updates are deployments that act as you: each has the
rights that your account has then. Whoever changes the policy takes it over, such as after that account was disabled.
The service watches each update. If it is bad, the service deploys the images from before, and holds the bad one back:
\`cli stacks held-back\`. A change needs stacks:deploy.`,
  examples: [
    'cli stacks update-policy shop',
    'cli stacks update-policy shop --mode apply --window "0 3 * * *" --timezone Europe/Berlin --for 2h --except db',
    'cli stacks update-policy shop --minimum-age 7d',
    'cli stacks update-policy shop --checkpoint nightly',
    'cli stacks update-policy shop --after database --watch-minutes 10',
    'cli stacks update-policy shop --reset',
  ],
  fields: {
    'window.schedule': '--window',
    'window.timezone': '--timezone',
    'window.duration_minutes': '--for',
    minimum_age_hours: '--minimum-age',
    checkpoint: '--checkpoint',
    watch_minutes: '--watch-minutes',
  },
  run: policy,
})

async function policy({ args: { name }, flags, client, print }: PolicyCall) {
  const change = changeOf(flags)
  const isChange = Object.values(change).some((one) => one !== undefined)
  if (flags.reset && isChange) throw wrongUsage('--reset: use no other flag of the policy with it')
  const service = await client()
  await checkHost(service, name, flags.host)
  const path = { name }
  if (flags.reset) {
    const reply = await service.delete('/stacks/{name}/update-policy', { path })
    print.reply(reply, () => print.line(`the policy of ${clean(name)} is the default again`))
    return
  }
  const found = await service.get('/stacks/{name}/update-policy', { path })
  if (!isChange) {
    print.reply(found, (one) => show(one, print))
    return
  }
  const body = bodyOf(found.value, change, await checkpointOf(service, change.checkpoint))
  const saved = await service.put('/stacks/{name}/update-policy', { path, body })
  print.reply(saved, (one) => show(one, print))
  for (const one of await unknownServices(service, name, change.except ?? [])) {
    print.note(`--except ${clean(one)}: ${clean(name)} has no such service now`)
  }
}

/** What flags change. Undefined stays as it is. */
interface Change {
  mode: UpdatePolicy['mode'] | undefined
  schedule: string | null | undefined
  timezone: string | undefined
  minutes: number | undefined
  hours: number | undefined
  except: string[] | undefined
  /** The name or ID of a backup job. */
  checkpoint: string | null | undefined
  watch: number | null | undefined
  after: string[] | undefined
}

/** Returns the ID of the backup job that a flag names; null for none. */
async function checkpointOf(service: Client, named: Change['checkpoint']) {
  return typeof named === 'string' ? (await findJob(service, named)).id : named
}

function changeOf(flags: Flags): Change {
  const { window, timezone, except, checkpoint, after, watchMinutes } = flags
  return {
    mode: choiceOf('--mode', flags.mode, ['off', 'notify', 'apply']),
    schedule: window === 'none' ? null : window,
    timezone,
    minutes: wholeOf('--for', flags.for, 'm', 60, 'minutes'),
    hours: wholeOf('--minimum-age', flags.minimumAge, 'h', 3600, 'hours'),
    except: namesOf(except),
    checkpoint: checkpoint === 'none' ? null : checkpoint,
    watch: watchMinutes === 'none' ? null : minutesOf(watchMinutes),
    after: namesOf(after),
  }
}

function minutesOf(text: string | undefined): number | undefined {
  if (text === undefined) return undefined
  if (/^([1-9]|[1-5]\d|60)$/.test(text)) return Number(text)
  throw wrongUsage(
    `--watch-minutes ${JSON.stringify(text)}: must be a number from 1 to 60, or none`,
  )
}

/** Returns the names that a flag lists: none for `none`, undefined if it was not given. */
function namesOf(named: string[]): string[] | undefined {
  if (named.length === 0) return undefined
  return named.length === 1 && named[0] === 'none' ? [] : named
}

/** Returns a duration in whole units of so many seconds. */
function wholeOf(
  flag: string,
  text: string | undefined,
  plain: DurationUnit,
  unit: number,
  noun: string,
): number | undefined {
  if (text === undefined) return undefined
  const count = durationOf(flag, text, plain) / unit
  if (Number.isInteger(count)) return count
  throw wrongUsage(`${flag} ${JSON.stringify(text)}: must be whole ${noun}`)
}

const usualMinutes = 120

/** Returns a policy with the changes of flags. */
const bodyOf = (
  before: UpdatePolicy,
  change: Change,
  checkpoint: string | null | undefined,
): UpdatePolicyBody => ({
  mode: change.mode ?? before.mode,
  window: windowOf(before, change),
  minimum_age_hours: change.hours ?? before.minimum_age_hours,
  except: change.except ?? before.except,
  checkpoint: checkpoint === undefined ? before.checkpoint : checkpoint,
  watch_minutes: change.watch === undefined ? before.watch_minutes : change.watch,
  after: change.after ?? before.after,
})

function windowOf(
  { window: before }: UpdatePolicy,
  { schedule, timezone, minutes }: Change,
): UpdatePolicyBody['window'] {
  const isShaped = timezone !== undefined || minutes !== undefined
  const kept = schedule === undefined ? before?.schedule : schedule
  if (kept === null || kept === undefined) {
    if (isShaped) throw wrongUsage('--timezone and --for need a window: add --window <cron>')
    return null
  }
  return {
    schedule: kept,
    timezone: timezone ?? before?.timezone ?? 'UTC',
    duration_minutes: minutes ?? before?.duration_minutes ?? usualMinutes,
  }
}

/** Returns those of the names that no service has. A host that is away tells of none. */
async function unknownServices(service: Client, name: string, named: readonly string[]) {
  if (named.length === 0) return []
  try {
    const { value } = await service.get('/stacks/{name}/status', { path: { name } })
    return named.filter((one) => !value.some((status) => status.service === one))
  } catch (error) {
    if (error instanceof CliFailure) return []
    throw error
  }
}

function show(one: UpdatePolicy, print: Printer): void {
  const { mode, window, source } = one
  print.facts({
    mode: source === 'default' ? `${mode} (default)` : mode,
    window: window
      ? `${window.schedule} ${window.timezone}, for ${window.duration_minutes} min`
      : 'at any time',
    'minimum age': `${one.minimum_age_hours} h`,
    except: one.except.join(', ') || 'no service',
    checkpoint: one.checkpoint === null ? undefined : `backup job ${one.checkpoint}`,
    watch: one.watch_minutes === null ? undefined : `${one.watch_minutes} min`,
    after: one.after.join(', ') || undefined,
    'acts as': one.acts_as ?? undefined,
    blocked: one.blocked ?? undefined,
  })
}
