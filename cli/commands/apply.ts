import type { EstatePlan } from '../api/types.ts'
import { type Call, command } from '../command.ts'
import { changedUses, missingSecrets, showSecretUses } from '../estate/needed-secrets.ts'
import { readEstate } from '../estate/read-estate.ts'
import { type SecretUse, secretUses } from '../estate/secret-uses.ts'
import { type SecretValue, secretValues } from '../estate/secret-values.ts'
import { failed, wrongUsage } from '../failure.ts'
import { readNamed } from '../flags/named-file.ts'
import type { Io } from '../io.ts'
import {
  countDeletions,
  deletionsFirst,
  isRefused,
  showAppliedEstate,
  showEstatePlan,
  withoutDeletions,
} from '../output/estate-plan.ts'
import { makePrinter } from '../output/print.ts'
import { clean } from '../output/text.ts'
import { confirmation, readInput, yesFlag } from '../prompt.ts'

const ownFlags = {
  '-f, --file <file>': 'The file, as `cli export` writes it, or - for standard input',
  '--secrets <file>': 'Lines NAME=value of the secrets that the file refers to',
  '--secrets-from-env': 'Also take secrets from the environment, except CLI_*',
  '--prune': 'Also delete what an earlier file of this name declared, and this one does not',
  '--dry-run': 'Only show what would happen',
  ...yesFlag,
} as const

export default command({
  flags: ownFlags,
  details: `
Makes and changes the registries, roles, alert channels, sources, stacks, backup jobs, update policies and alert rules
that a file declares. First it shows what differs and what you may not do, and asks. Nothing is done if you may not do
all of it, or a secret of a new thing is missing. The client looks for secrets in the file of --secrets, and with
--secrets-from-env in the environment. It lists each one that it sends, with the thing and its server. A thing that is
there keeps its secrets unless it changes and they are found. Things that the file does not declare are not touched. But
with --prune, those that an earlier apply of a file with the same name made or took are deleted last: stacks are taken
down first, and volumes always stay. The client shows the deletions first. Stacks are saved, not deployed. But a stack
that runs and follows a source with deploy is deployed by it, after its binding or the source changed: the plan says
which. If it breaks off, run it again: it does what is left. Exits with 1 if a step is refused or fails.`,
  examples: [
    'cli apply -f estate.yaml --dry-run',
    'cli apply -f estate.yaml --secrets estate.env',
    'cli apply -f estate.yaml --prune --dry-run',
    'cli export | cli apply -f - --context other --yes',
  ],
  run: apply,
})

/** Milliseconds. The files of many stacks may have to be taken from their sources. */
const patience = 1_800_000

async function apply({ flags, client, print, io }: Call<'', typeof ownFlags>): Promise<number> {
  const { file, dryRun, prune } = flags
  if (file === undefined) throw wrongUsage('--file <file> is required')
  const confirm = dryRun ? undefined : confirmation(io, flags)
  const known = await secretValues(flags, io)
  const text = file === '-' ? await readInput(io, textMax) : await readNamed(io, file, 'file')
  const estate = readEstate(text, file === '-' ? 'standard input' : clean(file))
  const service = await client()
  const reply = await service.post('/estate/plan', { body: estate })
  const plan = prune ? deletionsFirst(reply.value) : withoutDeletions(reply.value)
  if (dryRun) print.reply(reply, () => showEstatePlan(plan, print))
  else showEstatePlan(plan, print.format === 'table' ? print : makePrinter(errorsOnly(io)))
  const left = prune ? 0 : countDeletions(reply.value)
  if (left > 0) print.note(`left from an earlier file: ${left}. --prune deletes that`)
  const all = secretUses(estate)
  const uses = changedUses(plan, all)
  showSecretUses(uses, known, print)
  const missing = missingSecrets(plan, all, known)
  for (const name of missing) print.note(`the secret ${clean(name)} is missing: ${wayOut}`)
  const mayNot = isRefused(plan) || missing.length > 0
  if (!confirm) return mayNot ? 1 : 0
  if (mayNot) throw failed('nothing was done: see above')
  if (plan.steps.some(({ action }) => action !== 'nothing')) await confirm(questionOf(plan))
  const secrets = sentSecrets(uses, known)
  const body = { estate, secrets, plan: reply.value.digest, ...(prune && { prune }) }
  const applied = await service.post('/estate/apply', { body, timeout: patience })
  print.reply(applied, (value) => showAppliedEstate(value, print))
  const isOpen = applied.value.steps.some(({ state }) => state === 'failed' || state === 'skipped')
  return isOpen ? 1 : 0
}

function questionOf(plan: EstatePlan): string {
  const deletions = countDeletions(plan)
  return deletions === 0 ? 'Apply it?' : `Apply it, and delete ${deletions}?`
}

/** The service takes no larger body. */
const textMax = 8 * 1024 * 1024

/** With standard output for programs, a person still has to see what the question is about. */
const errorsOnly = (io: Io): Io => ({ ...io, stdout: io.stderr })

const wayOut =
  'add it to the file of --secrets, or take it from the environment with --secrets-from-env'

/** Returns the values of the secrets that were listed, and no others. */
function sentSecrets(
  uses: readonly SecretUse[],
  known: ReadonlyMap<string, SecretValue>,
): Record<string, string> {
  return Object.fromEntries(
    uses.flatMap(({ secret }) => {
      const found = known.get(secret)
      return found ? [[secret, found.value] as const] : []
    }),
  )
}
