import type { Client } from '../../api/client.ts'
import type { UpdatePolicy, UpdatePolicyBody } from '../../api/types.ts'
import { type Call, command } from '../../command.ts'
import { CliFailure, wrongUsage } from '../../failure.ts'
import {
  isChange,
  type PolicyChange,
  policyChange,
  policyFields,
  policyFlags,
  policyTerms,
  windowText,
} from '../../flags/policy-flags.ts'
import type { Printer } from '../../output/print.ts'
import { clean } from '../../output/text.ts'
import { findJob } from '../../resolve/find.ts'
import { checkHost } from '../../resolve/host.ts'

const args = '<name>'
const flags = {
  ...policyFlags,
  '--except <...service>':
    'Leave this service out; repeatable, replaces earlier names; `none`: leave none out',
  '--checkpoint <job>':
    'Run this backup job before each update, so that its data can go back; `none`: no job',
  '--after <...stack>':
    'Update this stack of the same host first; repeatable, replaces earlier names; `none`: none',
  '--delete': 'Delete the policy of the stack, so that it inherits one again',
} as const

type PolicyCall = Call<typeof args, typeof flags>
type Flags = PolicyCall['flags']

export default command({
  args,
  nameFromFolder: true,
  flags,
  details: `
Shows what happens with newer images of a stack, or sets what the flags say. What no flag names keeps its value, or
that of the policy that the stack inherits. With \`apply\`, updates are deployments that act as you: each has the
rights that your account has then. Whoever changes the policy takes it over, such as after that account was disabled.
The service watches each update. If it is bad, the service deploys the images from before, and holds the bad one back:
\`cli stacks held-back\`. A change needs stacks:deploy.`,
  examples: [
    'cli stacks update-policy shop',
    'cli stacks update-policy shop --mode apply --window "0 3 * * *" --timezone Europe/Berlin --for 2h --except db',
    'cli stacks update-policy shop --minimum-age 7d',
    'cli stacks update-policy shop --checkpoint nightly',
    'cli stacks update-policy shop --after database --watch-minutes 10',
    'cli stacks update-policy shop --delete',
  ],
  fields: {
    ...policyFields,
    checkpoint: '--checkpoint',
  },
  run: policy,
})

async function policy({ args: { name }, flags, client, print }: PolicyCall) {
  const change = changeOf(flags)
  if (flags.delete && isChange(change))
    throw wrongUsage('--delete: use no other flag of the policy with it')
  const service = await client()
  await checkHost(service, name, flags.host)
  const path = { name }
  if (flags.delete) {
    const reply = await service.delete('/stacks/{name}/update-policy', { path })
    print.reply(reply, () => print.line(`${clean(name)} has no update policy of its own now`))
    return
  }
  const found = await service.get('/stacks/{name}/update-policy', { path })
  if (!isChange(change)) {
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
interface Change extends PolicyChange {
  except: string[] | undefined
  /** The name or ID of a backup job. */
  checkpoint: string | null | undefined
  after: string[] | undefined
}

/** Returns the ID of the backup job that a flag names; null for none. */
async function checkpointOf(service: Client, named: Change['checkpoint']) {
  return typeof named === 'string' ? (await findJob(service, named)).id : named
}

function changeOf(flags: Flags): Change {
  const { except, checkpoint, after } = flags
  return {
    ...policyChange(flags),
    except: namesOf(except),
    checkpoint: checkpoint === 'none' ? null : checkpoint,
    after: namesOf(after),
  }
}

/** Returns the names that a flag lists: none for `none`, undefined if it was not given. */
function namesOf(named: string[]): string[] | undefined {
  if (named.length === 0) return undefined
  return named.length === 1 && named[0] === 'none' ? [] : named
}

/** Returns a policy with the changes of flags. */
const bodyOf = (
  before: UpdatePolicy,
  change: Change,
  checkpoint: string | null | undefined,
): UpdatePolicyBody => ({
  ...policyTerms(before, change),
  except: change.except ?? before.except,
  checkpoint: checkpoint === undefined ? before.checkpoint : checkpoint,
  after: change.after ?? before.after,
})

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
  const { mode, source } = one
  print.facts({
    mode: source === 'stack' ? mode : `${mode} (${originOf(one)})`,
    window: windowText(one),
    'minimum age': `${one.minimum_age_hours} h`,
    except: one.except.join(', ') || 'no service',
    checkpoint: one.checkpoint === null ? undefined : `backup job ${one.checkpoint}`,
    watch: one.watch_minutes === null ? undefined : `${one.watch_minutes} min`,
    after: one.after.join(', ') || undefined,
    'acts as': one.acts_as ?? undefined,
    blocked: one.blocked ?? undefined,
  })
}

/** Returns where a policy comes from that was not saved for the stack. */
function originOf({ source, tag }: UpdatePolicy): string {
  if (source === 'tag') return `tag ${clean(tag ?? '')} of the host`
  return source === 'default' ? 'policy of all stacks' : 'no policy is saved'
}
