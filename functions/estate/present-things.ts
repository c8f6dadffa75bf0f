import type { PresentThing } from '../core/estate/plan-estate.ts'
import { hostNames } from '../core/hosts/host-names.ts'
import type { Needs } from '../core/ports/ports.ts'
import type { Caller } from '../core/records/account.ts'
import { namesOf } from './estate-forms.ts'
import {
  channelForm,
  inheritedForm,
  jobForm,
  registryForm,
  roleForm,
  ruleForm,
  sourceForm,
} from './forms.ts'
import type { EstateRecords } from './read-records.ts'
import { secretNames } from './secret-names.ts'
import { presentStack } from './stack-things.ts'
import { comparedRule } from './wanted-things.ts'

/** Returns what the things of a file are compared with. */
export async function presentThings(
  records: EstateRecords,
  declared: ReadonlySet<string>,
  caller: Pick<Caller, 'permissions'>,
  ports: Needs<'hosts' | 'texts'>,
): Promise<PresentThing[]> {
  const { registries, roles, channels, sources, jobs, policies, rules } = records
  // Their names do not matter here: only that a secret is stored is compared.
  const secrets = secretNames()
  const hostName = await hostNames(ports)
  const context = { hostName, jobName: namesOf(jobs), caller }
  // The texts of stacks that the file does not declare are not read.
  const stacks = await Promise.all(
    records.stacks.map(async (stack) =>
      declared.has(stack.id)
        ? presentStack(stack, context, ports)
        : [thing('stacks', stack.id, {})],
    ),
  )
  return [
    ...registries.map((one) => thing('registries', one.id, registryForm(one, secrets))),
    ...roles.map((one) => thing('roles', one.id, roleForm(one))),
    ...channels.map((one) => thing('channels', one.name, channelForm(one, secrets))),
    ...sources.map((one) => {
      const form = sourceForm(one, secrets)
      const key = one.key && { private_key: secrets.referTo('source', one.id, 'private_key') }
      const age = one.age && { age_identity: secrets.referTo('source', one.id, 'age_identity') }
      return thing('sources', one.id, { ...form, ...key, ...age })
    }),
    ...stacks.flat(),
    ...jobs.map((one) => thing('backup_jobs', one.name, jobForm(one, hostName, secrets))),
    ...policies.map((one) => thing('update_policies', one.id, inheritedForm(one))),
    ...rules.map((one) =>
      thing('alert_rules', one.name, comparedRule(ruleForm(one, namesOf(channels)))),
    ),
  ]
}

const thing = (section: PresentThing['section'], name: string, form: object): PresentThing => ({
  section,
  name,
  fields: new Map(Object.entries(form)),
})
