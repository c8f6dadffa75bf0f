import { conflict, Failure } from '../core/errors.ts'
import { keyOf, type WantedThing } from '../core/estate/plan-estate.ts'
import type { Needs } from '../core/ports/ports.ts'
import type { Caller } from '../core/records/account.ts'
import type { EstateSection, EstateThing } from '../core/records/estate.ts'
import { refuseUsedRole } from '../roles/refuse-used.ts'
import type { FoundThing } from './found-things.ts'
import type { JudgedStep } from './judged-step.ts'
import { problemText } from './problem-text.ts'

type Ports = Needs<'accounts' | 'identityProviders' | 'settings' | 'stacks'>

/** What deleting a thing of each section does. */
const effects: Readonly<Record<EstateSection, string>> = {
  registries: 'the credentials of the registry are deleted',
  roles: 'the role is deleted',
  channels: 'the channel is deleted, with the deliveries that are still pending',
  sources: 'the service no longer asks it; nothing is deleted at the source',
  stacks:
    'its containers and networks are removed, then its files and deployments are deleted; its volumes stay',
  backup_jobs: 'the job is deleted; its backups and runs stay',
  stack_policies: 'the stack inherits an update policy again',
  update_policies: 'stacks that inherit it get the next one: of another tag, `default` or none',
  alert_rules: 'the rule is deleted, and its firing alerts are resolved',
}

interface Context {
  /** What the file declares. */
  wanted: readonly WantedThing[]
  found: ReadonlyMap<string, FoundThing>
  caller: Caller
}

/** Returns the steps that delete things, with the reasons why they would fail. */
export async function planDeletions(
  doomed: readonly EstateThing[],
  context: Context,
  ports: Ports,
): Promise<JudgedStep[]> {
  const steps: JudgedStep[] = []
  for (const thing of doomed) {
    const { section, name } = thing
    const problem = await problemOf(thing, doomed, context, ports)
    const problems = [...problemsOfReferences(thing, context), ...problem]
    const effect = effects[section]
    const step = { section, name, action: 'delete' as const, fields: [], secrets: [], notes: [] }
    steps.push({ ...step, problems, effect })
  }
  return steps
}

/** The file must not name what pruning deletes: the next apply of it would fail. */
const problemsOfReferences = (thing: EstateThing, { wanted }: Context): string[] =>
  wanted.flatMap(({ section, name, refersTo }) =>
    refersTo
      .filter((one) => keyOf(one) === keyOf(thing))
      .map(({ field }) => `${section} ${name} in the file still needs it: see its field ${field}`),
  )

/** Returns why the endpoint would refuse the deletion, as far as that is known now. */
async function problemOf(
  thing: EstateThing,
  doomed: readonly EstateThing[],
  { wanted, found, caller }: Context,
  ports: Ports,
): Promise<string[]> {
  try {
    await found.get(keyOf(thing))?.requireRights(caller, ports)
    if (thing.section === 'roles') await refuseUsedRole(thing.name, ports)
    if (thing.section === 'sources') await refuseFollowers(thing, doomed, wanted, ports)
    return []
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    return [problemText(error)]
  }
}

/** @throws 409 if a stack follows the source that the same apply neither deletes nor changes */
async function refuseFollowers(
  { name, createdAt }: EstateThing,
  doomed: readonly EstateThing[],
  wanted: readonly WantedThing[],
  { stacks }: Needs<'stacks'>,
): Promise<void> {
  const done = new Set([...doomed, ...wanted].map(keyOf))
  const follower = (await stacks.list()).find(
    ({ id, source }) =>
      source?.source === name &&
      source.sourceCreatedAt === createdAt &&
      !done.has(keyOf({ section: 'stacks', name: id })),
  )
  if (follower) throw conflict(`stack ${follower.id} follows it, which the file does not declare`)
}
