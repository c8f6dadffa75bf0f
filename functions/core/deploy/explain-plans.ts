import { ownEntry } from '../../compose/lookup.ts'
import { configChanged } from '../../compose/plan/compare/decide.ts'
import type { ChangedFields, ChangeQuestion } from '../../compose/plan/compare/explain-changes.ts'
import type { Plan } from '../../compose/plan/plan-steps.ts'
import { ignoreFailure } from '../ignore-error.ts'
import type { Needs } from '../ports/ports.ts'
import { composeInput, loadReading } from '../stacks/compose-input.ts'
import { readTexts } from '../stacks/texts.ts'
import { type EarlierFiles, earlierFiles } from './earlier-files.ts'
import type { DeploymentRequest } from './request.ts'

/** The maximum number of fields that a reason names. */
const fieldsMax = 5

type ExplainPorts = Needs<'texts' | 'deployments' | 'composer'>

/**
 * Returns the fields that changed of each service that the plans replace because of its
 * configuration. Reads nothing if there is none. A service is left out if the files that its
 * containers were created from are gone or do not load.
 */
export async function explainPlans(
  plans: readonly Plan[],
  request: DeploymentRequest,
  question: Omit<ChangeQuestion, 'before' | 'services'>,
  ports: ExplainPorts,
): Promise<ChangedFields> {
  let services = servicesToExplain(plans)
  const known: ChangedFields = {}
  if (services.length === 0) return known
  for await (const { files, environment } of earlierFiles(request, ports)) {
    const named = { ...question, services }
    const found = await explain({ files, environment }, request, named, ports).catch(
      ignoreFailure('explain the changes of a deploy'),
    )
    Object.assign(known, found)
    services = services.filter((name) => !Object.hasOwn(known, name))
    if (services.length === 0) break
  }
  return known
}

/** Returns the plan with the changed fields in its reasons: `config changed: ports`. */
export function withChangedFields(plan: Plan, fields: ChangedFields): Plan {
  const steps = plan.steps.map((step) => {
    const names = step.service === null ? undefined : ownEntry(fields, step.service)
    if (step.reason !== configChanged || !names) return step
    return { ...step, reason: `${configChanged}: ${fieldList(names)}` }
  })
  return { ...plan, steps }
}

function fieldList(names: readonly string[]): string {
  const more = names.length - fieldsMax
  return more > 0 ? `${names.slice(0, fieldsMax).join(', ')} and ${more} more` : names.join(', ')
}

const servicesToExplain = (plans: readonly Plan[]): string[] => {
  const names = plans.flatMap(({ steps }) =>
    steps.flatMap(({ reason, service }) => (reason === configChanged ? (service ?? []) : [])),
  )
  return [...new Set(names)]
}

/** Returns the fields that changed since the files of an earlier deployment. */
async function explain(
  { files, environment }: EarlierFiles,
  { stack }: DeploymentRequest,
  question: Omit<ChangeQuestion, 'before'>,
  ports: ExplainPorts,
): Promise<ChangedFields> {
  const texts = await readTexts(files, ports)
  const input = composeInput(stack, texts, { environment, reach: 'host' })
  return loadReading(stack, texts, ports, (read) =>
    ports.composer.explain({ ...question, before: { ...input, ...read } }),
  )
}
