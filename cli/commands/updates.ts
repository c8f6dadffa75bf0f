import type { Client } from '../api/client.ts'
import type { HostList, Update } from '../api/types.ts'
import { type Call, command } from '../command.ts'
import { wrongUsage } from '../failure.ts'
import { choiceOf } from '../flags/choice.ts'
import { detachFlag } from '../flags/detach-flag.ts'
import { verboseFlag } from '../flags/verbose-flag.ts'
import { lookForUpdates } from '../follow/look-for-updates.ts'
import type { Printer } from '../output/print.ts'
import { statusStyle } from '../output/status-style.ts'
import { moment } from '../output/units.ts'
import {
  countsText,
  nextText,
  sorted,
  stateText,
  updateDetail,
  updateStates,
} from '../output/update-words.ts'
import { confirmation, yesFlag } from '../prompt.ts'
import { checkHost, hostFor } from '../resolve/host.ts'
import { awayIn, itemsOf, noteAway } from '../resolve/host-list.ts'
import { applyUpdates } from '../stacks/apply-updates.ts'

const ownFlags = {
  '--stack <name>': 'List only the services of this stack',
  '--state <state>': 'List only services in this state: newer, unknown, current or not_checked',
  '-a, --all': 'Also list services that are current or not checked',
  '--check': 'Ask registries now, and list what they answer',
  '--apply': 'Deploy the named stack with its newer images',
  '--checkpoint': 'With --apply: run the backup job of the update policy first',
  ...verboseFlag,
  ...detachFlag,
  ...yesFlag,
} as const

type UpdatesCall = Call<'[stack] [...services]', typeof ownFlags>

export default command({
  args: '[stack] [...services]',
  flags: ownFlags,
  list: true,
  progress: true,
  details: `
Lists the services of all hosts whose registry has a newer image under the same tag, and those of which that is not
known. The service asks registries on a schedule (setting updates.check_hours); this command only reads what they said.
With --check it makes the service ask now, each tag once a minute at most, and waits for a minute at most; that needs
stacks:deploy. SINCE is when the newer image was first seen. NEXT is what happens with it by the policy of its stack:
\`cli stacks update-policy\`. --output json prints all services, whatever their state.

With --apply it shows the plan of a deploy that pulls, asks, and deploys: the services of the stack that are newer, or
those of them that are named. With them it deploys, and pulls, the services that use the network of one or depend on one
with \`restart: true\`: a deploy pulls the images of all services that it selects. The services that they depend
on stay as they are. The overlay is that of the last deploy, the files are the newest ones. What a pull brings is not
known before it: the plan shows the pulls, and the containers are replaced after them. If nothing is newer, it deploys
nothing, and --output json prints null. Services that go along are found by the labels of their containers. A
held-back image is left out, unless its service is named. With --checkpoint the backup job of the update policy runs
first; if it fails, nothing is deployed. To go back: \`cli stacks rollback <stack> previous\`.`,
  examples: [
    'cli updates',
    'cli updates --state newer --host nas',
    'cli updates --check --stack shop',
    'cli updates --apply shop',
    'cli updates --apply shop web --yes',
    'cli updates --apply shop --checkpoint',
  ],
  run: (call) => (call.flags.apply ? apply(call) : list(call)),
})

async function list({ args: { stack: argument }, flags, client, print, io }: UpdatesCall) {
  if (argument !== undefined) {
    throw wrongUsage(
      `${JSON.stringify(argument)}: a stack is an argument only of --apply; to list one, use --stack`,
    )
  }
  const { stack } = flags
  if (flags.checkpoint) throw wrongUsage('--checkpoint needs --apply')
  const state = choiceOf('--state', flags.state, updateStates)
  if (flags.check) refuseGiven({ '--watch': listed(flags).watch === true }, '--check')
  const service = await client()
  if (stack !== undefined && flags.host !== 'all') await checkHost(service, stack, flags.host)
  const host = await hostFor(service, flags.host ?? 'all')
  if (flags.check) await lookForUpdates(stack, { client: service, print, io })
  const reply = await service.get('/updates', { query: { host, stack, state } })
  const isAll = flags.all || state !== undefined
  const shorten = 'shorten it with --stack, --host or --state newer'
  print.reply(
    reply,
    (found) => show(found, isAll, print),
    () => shorten,
  )
  await noteAway(service, print, awayIn(reply.value))
}

function show(found: HostList<Update>, isAll: boolean, print: Printer): void {
  const updates = sorted(itemsOf(found))
  const shown = updates.filter(({ state }) => isAll || state === 'newer' || state === 'unknown')
  const hosts = [...updates, ...awayIn(found)].map(({ host_id }) => host_id)
  const now = Date.now()
  print.table(shown, [
    { head: 'STACK', text: (one) => one.stack },
    { head: 'SERVICE', text: (one) => one.service },
    { head: 'IMAGE', text: (one) => one.image },
    ...(new Set(hosts).size > 1 ? [{ head: 'HOST', text: (one: Update) => one.host_name }] : []),
    { head: 'STATE', text: (one) => stateText(one), style: statusStyle },
    { head: 'SINCE', text: (one) => moment(one.newer?.seen_at) },
    { head: 'NEXT', text: (one) => nextText(one, now), fold: 2 },
    { head: 'DETAIL', text: (one) => updateDetail(one, now), fold: 1 },
  ])
  const hidden = updates.filter((one) => !shown.includes(one))
  if (hidden.length > 0) print.note(`not shown: ${countsText(hidden)}; --all lists them`)
}

async function apply({ args: { stack, services }, flags, client, print, io }: UpdatesCall) {
  const { verbose, detach, checkpoint } = flags
  if (stack === undefined) throw wrongUsage('--apply needs the name of a stack')
  const { watch = false, filter = [] } = listed(flags)
  const isGiven = {
    '--stack': flags.stack !== undefined,
    '--state': flags.state !== undefined,
    '--all': flags.all,
    '--check': flags.check,
    '--watch': watch,
    '--filter': filter.length > 0,
  }
  refuseGiven(isGiven, '--apply')
  const confirm = confirmation(io, flags)
  const service: Client = await client()
  await checkHost(service, stack, flags.host)
  await applyUpdates(stack, services, {
    client: service,
    print,
    io,
    verbose,
    detach,
    checkpoint,
    confirm,
  })
}

/** Flags of lists that the types of commands leave out. */
const listed = (flags: UpdatesCall['flags']) => flags as { watch?: boolean; filter?: string[] }

/** Refuses flags that the given one would ignore, or that would repeat it. */
function refuseGiven(flags: Readonly<Record<string, boolean>>, beside: string): void {
  const [given] = Object.entries(flags).find(([, isGiven]) => isGiven) ?? []
  if (given !== undefined) throw wrongUsage(`${beside} and ${given}: use only one`)
}
