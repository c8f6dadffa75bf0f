import type { z } from 'zod'
import { newRule } from '../alert-rules/schema.ts'
import { Failure } from '../core/errors.ts'
import type { Reference, WantedThing } from '../core/estate/plan-estate.ts'
import type { Host } from '../core/records/host.ts'
import { normalName } from '../core/records/normal-name.ts'
import { sourceUrl } from '../core/sources/source-access.ts'
import { policyFieldsOf, policyFieldsView } from '../kit/policy-fields.ts'
import { ruleForm } from './forms.ts'
import type { EstateAlertRule, EstateBackupJob, EstateForm, EstateSource } from './schema.ts'
import { wantedStack } from './stack-things.ts'

type Job = z.output<typeof EstateBackupJob>
type Rule = z.output<typeof EstateAlertRule>
type Source = z.output<typeof EstateSource>

/**
 * Returns what a file declares, with values in the form in which they are stored. What the file
 * leaves out has its default, or is undefined and stays as it is.
 *
 * @param hosts those in the scope of the caller
 */
export function wantedThings(
  estate: EstateForm,
  hosts: readonly Pick<Host, 'id' | 'name'>[],
): WantedThing[] {
  const hostOf = hostFinder(hosts)
  return [
    ...estate.registries.map((one) => thing('registries', one.address, one)),
    ...estate.roles.map((one) => thing('roles', one.name, one)),
    ...estate.channels.map((one) => thing('channels', one.name, one, { fixed: ['kind'] })),
    ...estate.sources.map((one) =>
      thing('sources', one.name, { ...one, url: tryPlainUrl(one) }, { fixed: ['kind', 'url'] }),
    ),
    ...estate.stacks.flatMap((one) => wantedStack(one, hostOf)),
    ...estate.backup_jobs.map((one) => wantedJob(one, hostOf)),
    ...estate.update_policies.map((one) => {
      const { of } = one
      return thing('update_policies', of, { of, ...policyFieldsView(policyFieldsOf(one)) })
    }),
    ...estate.alert_rules.map(wantedRule),
  ]
}

const thing = (
  section: WantedThing['section'],
  name: string,
  form: object,
  { fixed = [], refersTo = [] }: Partial<Pick<WantedThing, 'fixed' | 'refersTo'>> = {},
): WantedThing => ({ section, name, fields: new Map(Object.entries(form)), fixed, refersTo })

/** Returns the URL as it is stored, or as it is if no source can have it. */
function tryPlainUrl({ kind, url }: Source): string {
  try {
    return sourceUrl({ kind, url })
  } catch (error) {
    if (error instanceof Failure) return url
    throw error
  }
}

function wantedJob(job: Job, hostOf: (named: string) => string): WantedThing {
  const form = {
    ...job,
    host: job.host === undefined ? undefined : hostOf(job.host),
    sources: job.sources.map((source) =>
      source.kind === 'system' ? { kind: source.kind } : { kind: source.kind, name: source.name },
    ),
    schedule: job.schedule === null ? null : job.schedule.trim().replaceAll(/\s+/g, ' '),
    // Backups of the service itself always are.
    encrypt: job.encrypt || job.sources.some(({ kind }) => kind === 'system'),
  }
  const refersTo = job.sources.flatMap((source): Reference[] =>
    source.kind === 'stack' ? [{ field: 'sources', section: 'stacks', name: source.name }] : [],
  )
  return thing('backup_jobs', job.name, form, { refersTo })
}

function wantedRule(rule: Rule): WantedThing {
  const refersTo = rule.channels.map(
    (name): Reference => ({ field: 'channels', section: 'channels', name }),
  )
  return thing('alert_rules', rule.name, comparedRule(tryRuleForm(rule)), { refersTo })
}

/** Returns a rule with the defaults of its metric, or as it is if there can be no such rule. */
function tryRuleForm(rule: Rule): z.input<typeof EstateAlertRule> {
  try {
    return ruleForm(newRule('', 0, rule), (channel) => channel)
  } catch (error) {
    if (error instanceof Failure) return rule
    throw error
  }
}

/** Channels have names that are unique in any case. */
export const comparedRule = ({ channels = [], ...rule }: z.input<typeof EstateAlertRule>) => ({
  ...rule,
  channels: channels.map((name) => name.toLowerCase()),
})

/** Returns a function that returns what files call a host. An unknown host stays as it is. */
function hostFinder(hosts: readonly Pick<Host, 'id' | 'name'>[]) {
  return (named: string): string => {
    const wanted = normalName(named)
    const found =
      hosts.find(({ id }) => id === named) ??
      hosts.find(({ name }) => name === named) ??
      hosts.find(({ name }) => normalName(name) === wanted)
    if (!found) return named
    return found.id === 'local' ? 'local' : found.name
  }
}
