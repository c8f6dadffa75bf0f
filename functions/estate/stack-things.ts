import type { z } from 'zod'
import type { PresentThing, Reference, WantedThing } from '../core/estate/plan-estate.ts'
import type { HostNames } from '../core/hosts/host-names.ts'
import type { Needs } from '../core/ports/ports.ts'
import type { Caller } from '../core/records/account.ts'
import type { StackRecord } from '../core/records/stack.ts'
import { isLink } from '../core/records/stack-tree.ts'
import { shownFile } from '../core/stacks/shown-files.ts'
import { readTexts } from '../core/stacks/texts.ts'
import { sha256Of } from '../core/stacks/tree.ts'
import { policyFieldsOf, policyFieldsView } from '../kit/policy-fields.ts'
import { hostForm, type NameOf, stackPolicyForm } from './forms.ts'
import type { EstateFile, EstateStack, EstateStackPolicy } from './schema.ts'
import { bindingForm, otherFiles } from './stack-form.ts'

type Stack = z.output<typeof EstateStack>
type File = z.output<typeof EstateFile>
type Policy = z.output<typeof EstateStackPolicy>
type Fields = [string, unknown][]

/** Stands for a secret that is stored: only that there is one is compared. */
const stored = { from: '' }

/** The compose file of a stack that was made to follow a source, until its files are taken. */
export const composeBeforeSource = 'services: {}\n'

/** Returns what a stack of a file is compared by, and apart from it its update policy. */
export function wantedStack(stack: Stack, hostOf: (named: string) => string): WantedThing[] {
  const { name, host, compose, env, overlays, files = {}, source, update_policy: policy } = stack
  const fields: Fields = [
    ['host', host === undefined ? undefined : hostOf(host)],
    ['compose', compose],
    ['env', env],
    ['overlays', overlays && textsInOrder(overlays)],
    ['source', source && { ...source, also: [...new Set(source.also)] }],
    ...Object.entries(files).flatMap(([path, file]) => wantedFile(path, file)),
  ]
  const refersTo: Reference[] = source
    ? [{ field: 'source', section: 'sources', name: source.source }]
    : []
  return [
    { section: 'stacks', name, fields: new Map(fields), fixed: ['host'], refersTo },
    ...(policy ? [wantedPolicy(name, policy)] : []),
  ]
}

/** Returns texts as a list: in an object, a text called `from` would look like a secret. */
const textsInOrder = (texts: Readonly<Record<string, string>>) =>
  Object.entries(texts).sort(([one], [other]) => (one < other ? -1 : 1))

function wantedFile(path: string, { content, base64, link, mode }: File): Fields {
  const field = `files.${path}`
  if (link !== undefined) return [[field, linkText(link)]]
  const modeOf: [string, unknown] = [`${field}.mode`, mode?.padStart(4, '0')]
  if (typeof content === 'object') return [[field, content], modeOf]
  return [[field, sha256Of(base64 ?? Buffer.from(content ?? ''))], modeOf]
}

const linkText = (target: string) => `link to ${target}`

function wantedPolicy(stack: string, policy: Policy): WantedThing {
  const { checkpoint } = policy
  const [except, after] = [[...new Set(policy.except)], [...new Set(policy.after)]]
  const form = { ...policyFieldsView(policyFieldsOf(policy)), except, checkpoint, after }
  const refersTo: Reference[] = [
    { field: 'update_policy', section: 'stacks', name: stack },
    ...after.map((name) => ({ field: 'after', section: 'stacks' as const, name })),
    ...(checkpoint === null
      ? []
      : [{ field: 'checkpoint', section: 'backup_jobs' as const, name: checkpoint }]),
  ]
  return {
    section: 'stack_policies',
    name: stack,
    fields: policyFields(form),
    fixed: [],
    refersTo,
  }
}

/** Backup jobs have names that are unique in any case. */
const policyFields = (form: z.input<typeof EstateStackPolicy>): ReadonlyMap<string, unknown> =>
  new Map(Object.entries({ ...form, checkpoint: form.checkpoint?.toLowerCase() ?? null }))

interface PresentContext {
  hostName: HostNames
  jobName: NameOf
  caller: Pick<Caller, 'permissions'>
}

/** Returns what a stack is compared by, and apart from it its update policy. */
export async function presentStack(
  stack: StackRecord,
  { hostName, jobName, caller }: PresentContext,
  ports: Needs<'texts'>,
): Promise<PresentThing[]> {
  const { id: name, hostId, source, updatePolicy } = stack
  const texts = await readTexts(stack.files, ports)
  const readsSecrets = caller.permissions.has('stacks:secrets')
  const files = Object.entries(otherFiles(stack, texts)).flatMap(([path, entry]): Fields => {
    const field = `files.${path}`
    if (typeof entry === 'string') return [[field, sha256Of(Buffer.from(entry))]]
    if (isLink(entry)) return [[field, linkText(entry.link)]]
    // Without the right to read it, the content of a secret file must not be guessed by its digest.
    const { digest, mode } = shownFile(path, entry, stack, readsSecrets)
    return [
      [field, digest],
      [`${field}.mode`, mode],
    ]
  })
  const fields: Fields = [
    ['host', hostForm(hostId, hostName)],
    ['compose', texts.compose],
    ['env', texts.env === null ? null : stored],
    ['overlays', textsInOrder(texts.overlays)],
    // Its files were not taken yet: that it follows the source is not done.
    ['source', texts.compose === composeBeforeSource ? null : source && bindingForm(source)],
    ...files,
  ]
  const policy = updatePolicy && stackPolicyForm(updatePolicy, jobName)
  return [
    { section: 'stacks', name, fields: new Map(fields) },
    ...(policy
      ? [
          {
            section: 'stack_policies' as const,
            name,
            fields: policyFields(policy),
          },
        ]
      : []),
  ]
}
