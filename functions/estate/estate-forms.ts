import type { z } from 'zod'
import type { FileSection } from '../core/estate/plan-estate.ts'
import { hostNames } from '../core/hosts/host-names.ts'
import type { Needs } from '../core/ports/ports.ts'
import type { StackRecord } from '../core/records/stack.ts'
import { isJobOf } from '../core/stacks/stack-jobs.ts'
import {
  channelForm,
  inheritedForm,
  jobForm,
  type NameOf,
  registryForm,
  roleForm,
  ruleForm,
  sourceForm,
} from './forms.ts'
import type { EstateRecords } from './read-records.ts'
import type { Estate } from './schema.ts'
import { type SecretNames, secretNames } from './secret-names.ts'
import { allFilesBytesMax, stackForm } from './stack-form.ts'

/** Something that a file does not have. `name` is null if that is the section, or a part of it. */
export interface LeftOut {
  section: FileSection
  name: string | null
  reason: string
}

type Sections = Required<Pick<z.input<typeof Estate>, FileSection>>

/** What a caller sees of an estate, in the form of a file. */
export interface EstateForms {
  sections: Sections
  /** The names of its secrets, in the order in which it refers to them. */
  secrets: string[]
  leftOut: LeftOut[]
}

type FormPorts = Needs<'hosts' | 'stackJobs' | 'texts'>

/** Returns records as a file declares them. Sorted: equal estates are equal. */
export async function estateForms(records: EstateRecords, ports: FormPorts): Promise<EstateForms> {
  const { registries, roles, sources, stacks, policies } = records
  const channels = byName(records.channels)
  const jobs = byName(records.jobs)
  const rules = byName(records.rules)
  const secrets = secretNames()
  const hostName = await hostNames(ports)
  const leftOut = leftOutOf(records)
  const sections: Sections = {
    registries: inOrder(registries).map((one) => registryForm(one, secrets)),
    roles: inOrder(roles).map(roleForm),
    channels: channels.map((one) => channelForm(one, secrets)),
    sources: inOrder(sources).map((one) => sourceForm(one, secrets)),
    stacks: await stackForms(stacks, { jobName: namesOf(jobs), secrets, leftOut }, ports),
    backup_jobs: jobs.map((one) => jobForm(one, hostName, secrets)),
    update_policies: inOrder(policies).map(inheritedForm),
    alert_rules: rules.map((one) => ruleForm(one, namesOf(channels))),
  }
  return { sections, secrets: secrets.all(), leftOut }
}

function leftOutOf({ unseen, hidesJobs }: EstateRecords): LeftOut[] {
  const sections = [...unseen].map(([section, reason]) => ({ section, name: null, reason }))
  if (!hidesJobs) return sections
  const reason = 'jobs with a source that you may not read'
  return [...sections, { section: 'backup_jobs', name: null, reason }]
}

interface StackFormsContext {
  jobName: NameOf
  secrets: SecretNames
  leftOut: LeftOut[]
}

async function stackForms(
  stacks: readonly StackRecord[],
  { jobName, secrets, leftOut }: StackFormsContext,
  ports: FormPorts,
): Promise<Sections['stacks']> {
  const hostName = await hostNames(ports)
  const jobs = stacks.length > 0 ? await ports.stackJobs.list() : []
  const hasJobs = (stack: StackRecord) => jobs.some((job) => isJobOf(stack, job))
  const leaveOut = (name: string, reason: string) =>
    void leftOut.push({ section: 'stacks', name, reason })
  let bytes = allFilesBytesMax
  const takeBytes = (count: number) => {
    if (count > bytes) return false
    bytes -= count
    return true
  }
  const context = { hostName, jobName, hasJobs, secrets, takeBytes, leaveOut }
  const forms: Sections['stacks'] = []
  for (const stack of inOrder(stacks)) {
    const reason = whyNoForm(stack)
    const form = reason === undefined ? await stackForm(stack, context, ports) : undefined
    if (form) forms.push(form)
    if (reason !== undefined) leaveOut(stack.id, reason)
  }
  return forms
}

/** Returns why a file cannot declare a stack, or undefined if it can. */
export const whyNoForm = ({ adopted }: Pick<StackRecord, 'adopted'>): string | undefined =>
  adopted ? 'it was adopted and keeps its directory, so a file cannot declare it' : undefined

/** Returns the names of records by their IDs. */
export function namesOf(records: readonly { id: string; name: string }[]): NameOf {
  const names = new Map(records.map(({ id, name }) => [id, name]))
  return (id) => names.get(id) ?? null
}

/** Sorts records whose names are unique in any case. */
const byName = <T extends { name: string }>(records: readonly T[]): T[] =>
  [...records].sort((one, other) => (one.name.toLowerCase() < other.name.toLowerCase() ? -1 : 1))

/** Sorts records whose IDs are names. */
const inOrder = <T extends { id: string }>(records: readonly T[]): T[] =>
  [...records].sort((one, other) => (one.id < other.id ? -1 : 1))
